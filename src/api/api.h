/* api.h: what every file of src/api shares: entering a call, checking arguments, reporting errors.
 *
 * A check returns MPI_SUCCESS or the error class, and leaves the sentence in the rank. A function of
 * the standard reads: enter; checks, joined by ||; work; return. On an error it returns
 * api_error(), which calls the communicator's error handler:
 *
 *     int PMPI_X(..., MPI_Comm comm)
 *     {
 *         struct rank *r = api_enter("MPI_X");     a declaration, with `r` initialised by it: always this form
 *         ...
 *         return worker(r, ...);                   every return leaves
 *     }
 *
 * With several threads (core/threads.h) the rank's lock is held from there to the end of the block, whichever way that is
 * left. A worker that begins with api_enter(call) is fine, if all is done when it returns. `return worker(api_enter("MPI_X"))`
 * does not compile: the lock would not be given back.
 */
#ifndef MPICO_API_H
#define MPICO_API_H

#include <stdint.h>

#include "../core/progress.h"
#include "../core/protocol.h"
#include "../core/rank.h"
#include "../core/threads.h"
#include "../cost.h"
#include "../trace.h"
#include "../type/type.h"
#include "mpi.h"

struct op;

/* What a call sends or receives. */
struct data {
    size_t count;
    const struct type *type;
};

/* End the job: `call` came before MPI_Init or after MPI_Finalize. */
__attribute__((noreturn)) void api_refuse(struct rank *, const char *call);
/* End the job with the sentence in the rank: the error handler of `comm` is fatal. */
__attribute__((noreturn)) void api_die(struct rank *, const struct comm *comm, int e);

/* The rank does not run (this ends the job), or has threads: then the lock is taken. */
void api_enter_slowly(struct rank *, const char *call);

/* api_enter() of small builds, where every call pays for it in bytes: die_small.c. */
struct rank *api_enter_apart(const char *call);

/* api_enter() of calls that are compiled for size, because they are no part of a message's way. */
struct rank *api_enter_seldom(const char *call, const void *site);
void api_leave_seldom(struct rank **held);
#if RANK_THREADS && defined(__OPTIMIZE_SIZE__)
enum { API_SELDOM = 1 };
#else
enum { API_SELDOM = 0 };
#endif

/* What entering a call does, wherever that is. `site`: where the program called. */
static inline __attribute__((always_inline)) struct rank *api_enter_here(const char *call, const void *site)
{
    struct rank *r = rank_self();
    if (__builtin_expect(!r->open, 0))
        (RANK_THREADS ? api_enter_slowly : api_refuse)(r, call);
    __atomic_store_n(&r->call, call, __ATOMIC_RELAXED);
    r->call_site = site;
    trace_call(r, call);
    cost(COST_CALL, 1);
    return r;
}
static inline __attribute__((always_inline)) void api_leave_here(struct rank **held)
{
    if (RANK_THREADS && __builtin_expect(!(*held)->open, 0))
        mpico_unlock(*held);
}

/* The calling rank, with `call` and the program's line noted. Before MPI_Init or after MPI_Finalize it ends
 * the job with a sentence. Inline, so that the return address is the program's. */
static inline __attribute__((always_inline)) struct rank *api_enter(const char *call)
{
    if (SMALL)
        return api_enter_apart(call);
    const void *site = __builtin_return_address(0);
    return API_SELDOM ? api_enter_seldom(call, site) : api_enter_here(call, site);
}

static inline __attribute__((always_inline)) void api_leave(struct rank **held)
{
    if (API_SELDOM)
        api_leave_seldom(held);
    else
        api_leave_here(held);
}

#if RANK_THREADS
/* Macros, since only a variable of the calling function can do something when that function ends, however it does. Where a few
 * instructions count, `r` itself is that variable: struct rank *r API_HELD = (api_enter)("MPI_Send"). */
#define API_HELD __attribute__((cleanup(api_leave), unused))
#define api_enter(call) api_enter(call), *api_held API_HELD = mpico_rank_here
#else
#define API_HELD
#endif

/* The machine is started and src/api has its state, but the rank does not run yet: for calls that may come before MPI_Init. */
void api_prepare(struct rank *, const char *call);

/* As api_enter(), for a call that may be made at any time. */
static inline __attribute__((always_inline)) struct rank *api_enter_any(const char *call)
{
    struct rank *r = rank_self();
    if (RANK_THREADS || !r->open) /* another thread may be doing the same */
        api_prepare(r, call);
    __atomic_store_n(&r->call, call, __ATOMIC_RELAXED);
    if (!SMALL)
        r->call_site = __builtin_return_address(0);
    return r;
}

/* The library may have come up or gone down meanwhile. */
static inline void api_leave_any(struct rank **held)
{
    if (RANK_THREADS)
        mpico_unlock(*held);
}

#if RANK_THREADS
#define api_enter_any(call)                                                                                            \
    api_enter_any(call), *api_held __attribute__((cleanup(api_leave_any), unused)) = mpico_rank_here
#endif

/* Report error class `e` (sentence in r->fault) to the error handler of `comm` (NULL: it belongs
 * to no communicator, see api.unattached) and return the error code to hand to the program. Fatal handlers do not return. */
SELDOM int api_error(struct rank *r, struct comm *comm, int e);

/* "MPI_ERR_TAG" */
OPTIONAL const char *api_class_name(int code);

int check_comm(struct rank *, MPI_Comm, struct comm **);
int check_group(struct rank *, MPI_Group, struct group **);
int check_count(struct rank *, int64_t count, const char *name);       /* MPI_ERR_COUNT */
int check_type(struct rank *, MPI_Datatype, const struct type **);     /* MPI_ERR_TYPE; committed */
int check_any_type(struct rank *, MPI_Datatype, const struct type **); /* committed or not */
/* Of nothing the datatype may be MPI_DATATYPE_NULL: the standard does not say so, but programs rely on it. Not in checking mode. */
static inline int api_is_nothing(const struct rank *r, int64_t count, MPI_Datatype datatype)
{
    return !SMALL && count == 0 && datatype == MPI_DATATYPE_NULL && !r->settings.checking;
}
int check_buffer(struct rank *, const void *, size_t count, const struct type *,
                 const char *name); /* ERR_BUFFER; overflow: ERR_COUNT */
/* Count, datatype and buffer of data that moves as it is. One block of predefined types becomes so many bytes, without their
 * descriptions being looked at. */
int check_data(struct rank *, const void *, int64_t count, MPI_Datatype, const char *name, struct data *);
int check_dest(struct rank *, const struct comm *, int dest);     /* MPI_PROC_NULL is fine */
int check_source(struct rank *, const struct comm *, int source); /* and MPI_ANY_SOURCE */
int check_send_tag(struct rank *, int tag);
int check_recv_tag(struct rank *, int tag);
int check_root(struct rank *, const struct comm *, int root);
int check_pointer(struct rank *, const void *, const char *name); /* MPI_ERR_ARG when NULL */
int check_hints(struct rank *, MPI_Info);                         /* MPI_INFO_NULL is fine */
int check_request(struct rank *, const MPI_Request *,
                  const char *name); /* NULL or freed handle; MPI_REQUEST_NULL is fine */
/* The operation, when it applies to the type: MPI_ERR_OP otherwise. */
int check_op(struct rank *, MPI_Op, const struct type *, const struct op **);
/* Checking mode: say, once, that this operation on this type works here and is not in the standard, if that is so. */
SELDOM void api_op_beyond(struct rank *, const struct op *, const struct type *);

/* ---- Handles and objects ---- */

/* May `v` be the address of one of the library's objects? Then its first 8 bytes can be read, and a
 * garbage handle is an error instead of a crash. */
static inline int api_is_object(const struct rank *r, uintptr_t v)
{
    return v - (uintptr_t)r->heap.base < r->heap.blocks * HEAP_BLOCK && v % 8 == 0;
}

MPI_Comm api_comm_handle(const struct comm *);
MPI_Group api_group_handle(struct group *); /* MPI_GROUP_EMPTY for an empty one */
static inline MPI_Request api_request_handle(struct request *q) { return (MPI_Request)(void *)q; }
static inline struct request *api_request(MPI_Request h) { return (struct request *)(void *)h; }

/* Fill a status (may be MPI_STATUS_IGNORE) from a finished receive, or with the empty status. */
void api_status_set(MPI_Status *, const struct request *);
void api_status_empty(MPI_Status *);

/* Wait for a request on the caller's stack and turn its result into a return code with the
 * error handler called (truncation and the like). The status may be MPI_STATUS_IGNORE. */
int api_finish(struct rank *, struct request *, MPI_Status *);

#endif
