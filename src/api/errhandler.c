/* errhandler.c: error handlers of communicators (MPI 5.0, section 9.3). */
#include "fast.h"
#include "state.h"

static int predefined(uintptr_t v)
{
    return v == (uintptr_t)MPI_ERRORS_ARE_FATAL || v == (uintptr_t)MPI_ERRORS_ABORT ||
           v == (uintptr_t)MPI_ERRORS_RETURN;
}

static int check_errhandler(struct rank *r, MPI_Errhandler handle)
{
    uintptr_t v = (uintptr_t)handle;
    if (predefined(v))
        return MPI_SUCCESS;
    if (api_is_object(r, v) && ((struct errhandler *)v)->magic == ERRHANDLER_MAGIC)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ERRHANDLER, "errhandler: the handle is no error handler (freed, or never set)");
}

static int in_use(const struct rank *r, const struct errhandler *h)
{
    for (const struct list *l = r->comms.next; l != &r->comms; l = l->next)
        if (list_entry(l, const struct comm, all)->errhandler == (uintptr_t)h)
            return 1;
    return 0;
}

/* Free the handlers that neither a handle nor a communicator names. Only here, where no handler can
 * be the one under way. */
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

#pragma weak MPI_Comm_create_errhandler = PMPI_Comm_create_errhandler
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Comm_create_errhandler");
    int e;
    if (!comm_errhandler_fn) {
        e = mpico_fault(r, MPI_ERR_ARG, "comm_errhandler_fn: is a null pointer");
        return api_error(r, NULL, e);
    }
    if ((e = check_pointer(r, errhandler, "errhandler")))
        return api_error(r, NULL, e);
    sweep(r);
    struct errhandler *h = mpico_heap_alloc(&r->heap, sizeof *h);
    if (!h)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an error handler"));
    *h = (struct errhandler){.magic = ERRHANDLER_MAGIC, .refs = 1, .function = comm_errhandler_fn};
    list_append(&api_state(r)->errhandlers, &h->all);
    *errhandler = (MPI_Errhandler)(void *)h;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_set_errhandler = PMPI_Comm_set_errhandler
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    struct rank *r = api_enter("MPI_Comm_set_errhandler");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_errhandler(r, errhandler)))
        return api_error(r, c, e);
    c->errhandler = (uintptr_t)errhandler;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_get_errhandler = PMPI_Comm_get_errhandler
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Comm_get_errhandler");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, errhandler, "errhandler")))
        return api_error(r, c, e);
    if (!predefined(c->errhandler))
        ((struct errhandler *)c->errhandler)->refs++;
    *errhandler = (MPI_Errhandler)c->errhandler;
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_call_errhandler = PMPI_Comm_call_errhandler
int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    struct rank *r = api_enter("MPI_Comm_call_errhandler");
    struct comm *c = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)))
        return api_error(r, c, e);
    api_error(r, c, mpico_fault(r, errorcode, "the program called the error handler with code %d", errorcode));
    return MPI_SUCCESS;
}

#pragma weak MPI_Errhandler_free = PMPI_Errhandler_free
int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_Errhandler_free");
    int e;
    if ((e = check_pointer(r, errhandler, "errhandler")) || (e = check_errhandler(r, *errhandler)))
        return api_error(r, NULL, e);
    struct errhandler *h = (struct errhandler *)(void *)*errhandler;
    if (!predefined((uintptr_t)h) && h->refs)
        h->refs--;
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
