/* coll_args_reduce.c: the arguments of reductions. */
#include "coll_args.h"

int api_coll_blocks(struct rank *r, struct coll_call *x, const struct buffer *b, int size, size_t *total)
{
    *total = 0;
    if (x->what == COLL_REDUCE_SCATTER && !b->counts)
        return mpico_fault(r, MPI_ERR_ARG, "recvcounts: is a null pointer");
    x->recv.counts = x->what == COLL_REDUCE_SCATTER ? b->counts : NULL;
    x->recv.wide = b->wide;
    for (int i = 0; i < size; i++) {
        MPI_Count count = b->counts ? buffer_count(b, i) : b->count;
        int e = check_count(r, count, "recvcounts");
        if (!e && __builtin_add_overflow(*total, (size_t)count, total))
            e = mpico_fault(r, MPI_ERR_COUNT, "recvcounts: their sum overflows");
        if (e)
            return e;
    }
    return 0;
}

static int scatters(enum coll what) { return what == COLL_REDUCE_SCATTER || what == COLL_REDUCE_SCATTER_BLOCK; }

int api_coll_reduction(struct rank *r, struct coll_call *x, enum coll what, const void *send, const struct buffer *recv,
                       MPI_Op op, int root, MPI_Comm handle, struct comm **comm)
{
    int e, rooted = what == COLL_REDUCE;
    api_coll_begin(x, what);
    x->root = root;
    if ((e = check_comm(r, handle, comm)))
        return e;
    if ((*comm)->local && !SMALL)
        return api_inter_reduction(r, x, send, recv, op, *comm);
    if ((*comm)->local)
        return mpico_fault(r, MPI_ERR_COMM, "comm: is an intercommunicator");
    if (rooted && (e = check_root(r, *comm, root)))
        return e;
    int has_result = !rooted || (*comm)->rank == root;
    x->in_place = has_result && send == MPI_IN_PLACE;
    if (!x->in_place && send == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "sendbuf: MPI_IN_PLACE is for the root only");
    if ((e = check_count(r, recv->count, "count")) || (e = check_type(r, recv->type, &x->recv.type)) ||
        (e = check_op(r, op, x->recv.type, &x->op)))
        return e;
    size_t all = (size_t)recv->count;
    if (scatters(what) && (e = api_coll_blocks(r, x, recv, (*comm)->size, &all)))
        return e;
    x->recv.count = x->send.count = (size_t)recv->count;
    x->send.type = x->recv.type;
    x->recv.buf = has_result ? (void *)(uintptr_t)recv->buf : NULL;
    x->send.buf = x->in_place ? NULL : (void *)(uintptr_t)send;
    size_t mine = side_count(&x->recv, (*comm)->rank);
    if (recv->buf == MPI_IN_PLACE && has_result)
        return mpico_fault(r, MPI_ERR_BUFFER, "recvbuf: MPI_IN_PLACE belongs into sendbuf");
    if ((has_result && (e = check_buffer(r, x->recv.buf, mine, x->recv.type, "recvbuf"))) ||
        (!x->in_place && (e = check_buffer(r, send, all, x->recv.type, "sendbuf"))))
        return e;
    return api_coll_no_alias(r, x, (struct part){x->send.buf, mine, x->recv.type},
                             (struct part){x->recv.buf, mine, x->recv.type});
}
