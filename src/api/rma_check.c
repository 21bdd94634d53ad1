/* rma_check.c: see rma.h. */
#include "finish.h"
#include "rma.h"

static int in_epoch(const struct win *w, int target)
{
    switch (w->epoch) {
    case EPOCH_NONE:
        return 0;
    case EPOCH_START:
        return w->peer[target].started;
    case EPOCH_LOCK:
        return w->peer[target].locked;
    default:
        return 1;
    }
}

int rma_check_target(struct rank *r, struct win *w, const struct rma_target *t, struct rma_call *x, int *nobody)
{
    *nobody = t->rank == MPI_PROC_NULL;
    x->target = t->rank;
    if (*nobody)
        return MPI_SUCCESS;
    if (t->rank < 0 || t->rank >= w->comm->size)
        return mpico_fault(r, MPI_ERR_RANK, "target_rank: %d is not in the window's group of %d", t->rank,
                           w->comm->size);
    if (in_epoch(w, t->rank))
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_RMA_SYNC, "win: no epoch for rank %d is open (a fence, start or lock is missing)",
                       t->rank);
}

/* From the first byte of the elements to behind the last, relative to where they begin. */
static int span(const struct rma_data *d, int64_t *first, int64_t *end)
{
    const struct type *t = d->type;
    int64_t rest;
    *first = (int64_t)(ptrdiff_t)t->true_lower;
    *end = *first + (int64_t)t->true_extent;
    if (__builtin_mul_overflow((int64_t)d->count - 1, (int64_t)(ptrdiff_t)t->extent, &rest))
        return -1;
    return __builtin_add_overflow(rest < 0 ? *first : *end, rest, rest < 0 ? first : end) ? -1 : 0;
}

int rma_check_place(struct rank *r, const struct win *w, const struct rma_target *t, struct rma_call *x)
{
    const struct rma_peer *peer = &w->peer[x->target];
    int64_t at = t->disp, first, end;
    if (x->bytes == 0)
        return MPI_SUCCESS;
    int fails = span(&x->there, &first, &end);
    if (!w->dynamic && t->disp < 0)
        return mpico_fault(r, MPI_ERR_DISP, "target_disp: %l is negative", (long long)t->disp);
    if (!w->dynamic)
        fails |= __builtin_mul_overflow(at, (int64_t)peer->unit, &at) || __builtin_add_overflow(first, at, &first) ||
                 __builtin_add_overflow(end, at, &end) || first < 0 || (uint64_t)end > peer->size;
    if (fails)
        return mpico_fault(r, MPI_ERR_RMA_RANGE,
                           "target_disp: %l and the data's length lead outside the window of rank %d (%l bytes)",
                           (long long)t->disp, x->target, (long long)peer->size);
    x->at = (uint64_t)at;
    return MPI_SUCCESS;
}

int rma_check_fits(struct rank *r, size_t bytes, size_t room)
{
    if (bytes <= room)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_TRUNCATE, "%z bytes are to go where there is room for %z", bytes, room);
}

/* ---- Requests ---- */

/* It counts as one part itself until all have begun. */
static struct request *user_request(struct rank *r, struct win *w, int target)
{
    struct request *q = mpico_request_alloc(r);
    if (!q)
        return NULL;
    q->kind = REQUEST_RMA;
    q->comm = w->comm;
    q->context = comm_context(w->comm);
    q->peer = target;
    q->peer_world = target >= 0 ? comm_world(w->comm, target) : -1;
    q->flags |= REQUEST_ACTIVE | REQUEST_SHELL;
    q->target = 1;
    api_request_own(q);
    mpico_comm_keep(q->comm); /* until it is done */
    return q;
}

/* Parts may be under way: the request goes when they are done. */
static void give_up(struct rank *r, struct request *q)
{
    mpico_comm_release(r, q->comm);
    q->flags = (uint16_t)((q->flags & ~REQUEST_OWNS_COMM) | REQUEST_DETACHED);
    mpico_rma_user_end(r, q, 0);
}

int rma_start(struct rank *r, struct win *w, struct rma_call *x, MPI_Request *request, int e)
{
    struct request *q = NULL;
    if (!e && request && !(q = user_request(r, w, x ? x->target : MPI_PROC_NULL)))
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    if (!e && x) {
        x->user = q;
        e = mpico_rma_start(w, x);
    }
    if (e && q)
        give_up(r, q);
    if (e)
        return api_win_end(r, w, e);
    if (q) {
        mpico_rma_user_end(r, q, 0);
        *request = api_request_handle(q);
    }
    mpico_poll(r, 1); /* others may wait for this rank while it works on its own memory */
    return MPI_SUCCESS;
}
