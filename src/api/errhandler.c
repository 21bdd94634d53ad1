/* errhandler.c: error handlers (MPI 5.0, section 9.3): the work of all kinds, and the calls for communicators. */
#include "errhandler.h"

#include "../core/held.h"

static int predefined(uintptr_t v)
{
    return v == (uintptr_t)MPI_ERRORS_ARE_FATAL || v == (uintptr_t)MPI_ERRORS_ABORT ||
           v == (uintptr_t)MPI_ERRORS_RETURN;
}

static int is_errhandler(const struct rank *r, uintptr_t v)
{
    return predefined(v) || (api_is_object(r, v) && ((const struct errhandler *)v)->magic == ERRHANDLER_MAGIC);
}

/* One that the program has freed may live on in communicators. */
static int is_handle(const struct rank *r, uintptr_t v)
{
    return is_errhandler(r, v) && (SMALL || predefined(v) || ((const struct errhandler *)v)->refs);
}

int api_errhandler_check(struct rank *r, enum errhandler_kind kind, MPI_Errhandler handle)
{
    uintptr_t v = (uintptr_t)handle;
    if (!is_handle(r, v))
        return mpico_fault(r, MPI_ERR_ERRHANDLER, "errhandler: is none (freed, or never set)");
    if (!predefined(v) && ((const struct errhandler *)v)->kind != kind)
        return mpico_fault(r, MPI_ERR_ERRHANDLER, "errhandler: was made for another kind of object");
    return MPI_SUCCESS;
}

static int in_use(const struct rank *r, const struct errhandler *h)
{
    for (const struct list *l = r->comms.next; l != &r->comms; l = l->next)
        if (list_entry(l, const struct comm, all)->errhandler == (uintptr_t)h)
            return 1;
    return 0;
}

/* Free the handlers that neither a handle nor an object names. Only here, where no handler can be the one under way. */
static void sweep(struct rank *r)
{
    struct list *head = &api_state(r)->errhandlers;
    for (struct list *l = head->next, *next; l != head; l = next) {
        next = l->next;
        struct errhandler *h = list_entry(l, struct errhandler, all);
        if (h->refs || in_use(r, h))
            continue;
        list_remove(l);
        h->magic = 0;
        mpico_heap_free(&r->heap, h);
    }
}

int api_errhandler_make(struct rank *r, enum errhandler_kind kind, MPI_Comm_errhandler_function *function,
                        MPI_Errhandler *errhandler)
{
    int e;
    if (!function)
        return mpico_fault(r, MPI_ERR_ARG, "errhandler_fn: is a null pointer");
    if ((e = check_pointer(r, errhandler, "errhandler")))
        return e;
    sweep(r);
    struct errhandler *h = mpico_heap_alloc(&r->heap, sizeof *h);
    if (!h)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an error handler");
    *h = (struct errhandler){.magic = ERRHANDLER_MAGIC, .refs = 1, .kind = kind, .function = function};
    list_append(&api_state(r)->errhandlers, &h->all);
    held_add(r, HELD_ERRHANDLER, h);
    *errhandler = (MPI_Errhandler)(void *)h;
    return MPI_SUCCESS;
}

void api_errhandler_drop(struct rank *r, uintptr_t slot)
{
    struct errhandler *h = (struct errhandler *)slot;
    if (is_errhandler(r, slot) && !predefined(slot) && h->refs)
        h->refs--;
}

int api_errhandler_set(struct rank *r, enum errhandler_kind kind, uintptr_t *slot, MPI_Errhandler errhandler)
{
    int e = api_errhandler_check(r, kind, errhandler);
    if (e)
        return e;
    if (kind != ERRHANDLER_COMM) {
        if (!predefined((uintptr_t)errhandler))
            ((struct errhandler *)(void *)errhandler)->refs++;
        api_errhandler_drop(r, *slot);
    }
    *slot = (uintptr_t)errhandler;
    return MPI_SUCCESS;
}

int api_errhandler_get(struct rank *r, uintptr_t slot, MPI_Errhandler *errhandler)
{
    int e = check_pointer(r, errhandler, "errhandler");
    if (e)
        return e;
    if (!predefined(slot)) {
        ((struct errhandler *)slot)->refs++;
        held_add(r, HELD_ERRHANDLER, (const void *)slot);
    }
    *errhandler = (MPI_Errhandler)slot;
    return MPI_SUCCESS;
}

int api_errhandler_called(struct rank *r, int errorcode)
{
    return mpico_fault(r, errorcode, "the program called the error handler with code %d", errorcode);
}

/* ---- Communicators ---- */

#pragma weak MPI_Comm_create_errhandler = PMPI_Comm_create_errhandler
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Comm_create_errhandler");
    int e = api_errhandler_make(r, ERRHANDLER_COMM, comm_errhandler_fn, errhandler);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_set_errhandler = PMPI_Comm_set_errhandler
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    struct rank *r = api_enter("MPI_Comm_set_errhandler");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_errhandler_set(r, ERRHANDLER_COMM, &c->errhandler, errhandler);
    if (!SMALL && !e && c == r->self)
        api_state(r)->unattached = c;
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_get_errhandler = PMPI_Comm_get_errhandler
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Comm_get_errhandler");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = api_errhandler_get(r, c->errhandler, errhandler);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_call_errhandler = PMPI_Comm_call_errhandler
int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    struct rank *r = api_enter("MPI_Comm_call_errhandler");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (e)
        return api_error(r, c, e);
    api_error(r, c, api_errhandler_called(r, errorcode));
    return MPI_SUCCESS;
}

#pragma weak MPI_Errhandler_free = PMPI_Errhandler_free
int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter_any("MPI_Errhandler_free");
    int e = check_pointer(r, errhandler, "errhandler");
    if (!e && !is_handle(r, (uintptr_t)*errhandler))
        e = mpico_fault(r, MPI_ERR_ERRHANDLER, "errhandler: is none (freed, or never set)");
    if (e)
        return api_error(r, NULL, e);
    held_drop(r, *errhandler);
    api_errhandler_drop(r, (uintptr_t)*errhandler);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
