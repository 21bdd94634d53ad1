/* tool_pvar.c: performance variables (MPI 5.0, section 15.3.7). All are numbers that the rank keeps anyway: they run from MPI_Init on,
 * can only be read, and are 0 while the rank does not run.
 */
#include <string.h>

#include "../core/threads.h"
#include "tool.h"

static const struct pvar {
    const char *name, *description;
    uint8_t class, verbosity, category;
} pvars[PVARS] = {
    [PVAR_PACKETS] = {"mpico_packets", "Packets that have arrived", MPI_T_PVAR_CLASS_COUNTER,
                      MPI_T_VERBOSITY_USER_BASIC, CATEGORY_MESSAGES},
    [PVAR_UNEXPECTED] = {"mpico_unexpected", "Messages that have arrived and wait for a receive",
                         MPI_T_PVAR_CLASS_LEVEL, MPI_T_VERBOSITY_USER_BASIC, CATEGORY_MESSAGES},
    [PVAR_POSTED] = {"mpico_posted", "Receives that wait for a message", MPI_T_PVAR_CLASS_LEVEL,
                     MPI_T_VERBOSITY_USER_BASIC, CATEGORY_MESSAGES},
    [PVAR_REQUESTS] = {"mpico_requests", "Requests that the program holds or has given away", MPI_T_PVAR_CLASS_LEVEL,
                       MPI_T_VERBOSITY_USER_DETAIL, CATEGORY_MESSAGES},
    [PVAR_UNSENT] = {"mpico_unsent", "Sends that wait for room in a wire", MPI_T_PVAR_CLASS_LEVEL,
                     MPI_T_VERBOSITY_TUNER_DETAIL, CATEGORY_MESSAGES},
    [PVAR_COMMS] = {"mpico_communicators", "Communicators that live", MPI_T_PVAR_CLASS_LEVEL,
                    MPI_T_VERBOSITY_USER_DETAIL, CATEGORY_MEMORY},
    [PVAR_HEAP_USED] = {"mpico_heap_bytes", "Bytes of the rank's memory in use", MPI_T_PVAR_CLASS_LEVEL,
                        MPI_T_VERBOSITY_USER_BASIC, CATEGORY_MEMORY},
    [PVAR_HEAP_HIGH] = {"mpico_heap_high_bytes", "The most bytes of the rank's memory that were in use at a time",
                        MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_T_VERBOSITY_USER_BASIC, CATEGORY_MEMORY},
};

int tool_pvar_category(int pvar) { return pvars[pvar].category; }

static unsigned long long length(const struct list *head)
{
    unsigned long long n = 0;
    for (const struct list *l = head->next; l != head; l = l->next)
        n++;
    return n;
}

static unsigned long long pooled(const struct list *requests)
{
    unsigned long long n = 0;
    for (const struct list *l = requests->next; l != requests; l = l->next)
        n += (list_entry(l, const struct request, all)->flags & REQUEST_POOLED) != 0;
    return n;
}

static unsigned long long value_of(const struct rank *r, int pvar)
{
    switch (pvar) {
    case PVAR_PACKETS:
        return r->arrivals;
    case PVAR_UNEXPECTED:
        return r->match.unexpected_count;
    case PVAR_POSTED:
        return r->match.posted_count;
    case PVAR_REQUESTS:
        return pooled(&r->requests);
    case PVAR_UNSENT:
        return r->unsent_count;
    case PVAR_COMMS:
        return length(&r->comms);
    case PVAR_HEAP_USED:
        return r->heap.used;
    default:
        return r->heap.high;
    }
}

/* The program's threads may be about to change what is looked at. */
static unsigned long long value_now(struct rank *r, int pvar)
{
    if (r->state != RANK_RUNNING)
        return 0;
    if (r->open)
        return value_of(r, pvar);
    mpico_lock(r);
    unsigned long long value = value_of(r, pvar);
    mpico_unlock(r);
    return value;
}

#pragma weak MPI_T_pvar_get_num = PMPI_T_pvar_get_num
int PMPI_T_pvar_get_num(int *num_pvar)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    tool_give(num_pvar, PVARS);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_pvar_get_index = PMPI_T_pvar_get_index
int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    if (!name || !pvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < PVARS; i++) {
        if (pvars[i].class != var_class || strcmp(name, pvars[i].name) != 0)
            continue;
        *pvar_index = i;
        return MPI_SUCCESS;
    }
    return MPI_T_ERR_INVALID_NAME;
}

#pragma weak MPI_T_pvar_get_info = PMPI_T_pvar_get_info
int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                         int *readonly, int *continuous, int *atomic)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    if (pvar_index < 0 || pvar_index >= PVARS)
        return MPI_T_ERR_INVALID_INDEX;
    const struct pvar *v = &pvars[pvar_index];
    tool_give_text(v->name, name, name_len);
    tool_give_text(v->description, desc, desc_len);
    tool_give(verbosity, v->verbosity);
    tool_give(var_class, v->class);
    tool_give(bind, MPI_T_BIND_NO_OBJECT);
    tool_give(readonly, 1);
    tool_give(continuous, 1);
    tool_give(atomic, 0);
    if (datatype)
        *datatype = MPI_UNSIGNED_LONG_LONG;
    if (enumtype)
        *enumtype = MPI_T_ENUM_NULL;
    return MPI_SUCCESS;
}

/* ---- Sessions: the number of a bit in rank.tool_sessions, and one ---- */

enum { SESSIONS = 32 };

static int enter_session(struct rank **r, MPI_T_pvar_session session, int *number)
{
    int e = tool_enter(r);
    if (e)
        return e;
    uintptr_t v = (uintptr_t)session;
    if (v < 1 || v > SESSIONS || !(__atomic_load_n(&(*r)->tool_sessions, __ATOMIC_RELAXED) >> (v - 1) & 1))
        return MPI_T_ERR_INVALID_SESSION;
    *number = (int)v - 1;
    return MPI_SUCCESS;
}

static void change_sessions(struct rank *r, uint32_t sessions)
{
    __atomic_store_n(&r->tool_sessions, sessions, __ATOMIC_RELAXED);
}

#pragma weak MPI_T_pvar_session_create = PMPI_T_pvar_session_create
int PMPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    struct rank *r;
    int e = tool_enter(&r), number = 0;
    if (e)
        return e;
    if (!session)
        return MPI_T_ERR_INVALID;
    tool_lock(r);
    while (number < SESSIONS && r->tool_sessions >> number & 1)
        number++;
    if (number < SESSIONS)
        change_sessions(r, r->tool_sessions | UINT32_C(1) << number);
    tool_unlock(r);
    if (number == SESSIONS)
        return MPI_T_ERR_OUT_OF_SESSIONS;
    *session = (MPI_T_pvar_session)(uintptr_t)(number + 1);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_pvar_session_free = PMPI_T_pvar_session_free
int PMPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    struct rank *r;
    int number, e = enter_session(&r, session ? *session : MPI_T_PVAR_SESSION_NULL, &number);
    if (e)
        return e;
    tool_lock(r);
    change_sessions(r, r->tool_sessions & ~(UINT32_C(1) << number));
    tool_unlock(r);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

/* ---- Handles: session and index, and two, as one of them stands for all ---- */

enum { FIRST_HANDLE = 2 };

static int enter_handle(struct rank **r, MPI_T_pvar_session session, MPI_T_pvar_handle handle, int *index)
{
    int number, e = enter_session(r, session, &number);
    if (e)
        return e;
    uintptr_t v = (uintptr_t)handle - FIRST_HANDLE;
    if (v >= (uintptr_t)SESSIONS * PVARS || v / PVARS != (uintptr_t)number)
        return MPI_T_ERR_INVALID_HANDLE;
    *index = (int)(v % PVARS);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_pvar_handle_alloc = PMPI_T_pvar_handle_alloc
int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                             int *count)
{
    struct rank *r;
    int number, e = enter_session(&r, session, &number);
    (void)obj_handle; /* no variable belongs to an object */
    if (e)
        return e;
    if (pvar_index < 0 || pvar_index >= PVARS)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle)
        return MPI_T_ERR_INVALID;
    *handle = (MPI_T_pvar_handle)(uintptr_t)(FIRST_HANDLE + number * PVARS + pvar_index);
    tool_give(count, 1);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_pvar_handle_free = PMPI_T_pvar_handle_free
int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    struct rank *r;
    int index, e = enter_handle(&r, session, handle ? *handle : MPI_T_PVAR_HANDLE_NULL, &index);
    if (!e)
        *handle = MPI_T_PVAR_HANDLE_NULL;
    return e;
}

#pragma weak MPI_T_pvar_read = PMPI_T_pvar_read
int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    struct rank *r;
    int index, e = enter_handle(&r, session, handle, &index);
    if (e)
        return e;
    if (!buf)
        return MPI_T_ERR_INVALID;
    *(unsigned long long *)buf = value_now(r, index);
    return MPI_SUCCESS;
}

/* What cannot be done with variables that run and are only read: `refusal`. All of a session at once: done with those that can. */
static int refuse(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int refusal)
{
    struct rank *r;
    int index, e = enter_session(&r, session, &index);
    if (e || handle == MPI_T_PVAR_ALL_HANDLES)
        return e;
    e = enter_handle(&r, session, handle, &index);
    return e ? e : refusal;
}

#pragma weak MPI_T_pvar_start = PMPI_T_pvar_start
int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

#pragma weak MPI_T_pvar_stop = PMPI_T_pvar_stop
int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

#pragma weak MPI_T_pvar_reset = PMPI_T_pvar_reset
int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return refuse(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}

/* These two are for one variable. */
static int refuse_one(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int refusal)
{
    struct rank *r;
    int index, e = enter_handle(&r, session, handle, &index);
    return e ? e : refusal;
}

#pragma weak MPI_T_pvar_write = PMPI_T_pvar_write
int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
    (void)buf;
    return refuse_one(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}

#pragma weak MPI_T_pvar_readreset = PMPI_T_pvar_readreset
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    (void)buf;
    return refuse_one(session, handle, MPI_T_ERR_PVAR_NO_ATOMIC);
}
