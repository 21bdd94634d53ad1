/* coll_args_reduce.c: the arguments of reductions. */
#include "coll_args.h"

static int block_counts(struct rank *r, struct coll_call *x, const int *counts, int size)
{
    if (!counts)
        return mpico_fault(r, MPI_ERR_ARG, "recvcounts: is a null pointer");
    x->recv.counts = counts;
    for (int i = 0; i < size; i++) {
        int e = check_count(r, counts[i], "recvcounts");
        if (e)
            return e;
    }
    return 0;
}

int api_coll_reduction(struct rank *r, struct coll_call *x, enum coll what, const void *send, const struct buffer *recv,
                       MPI_Op op, int root, MPI_Comm handle, struct comm **comm)
{
    int e, rooted = what == COLL_REDUCE;
    api_coll_begin(x, what);
    x->root = root;
    if ((e = check_comm(r, handle, comm)) || (rooted && (e = check_root(r, *comm, root))))
        return e;
    int has_result = !rooted || (*comm)->rank == root;
    x->in_place = has_result && send == MPI_IN_PLACE;
    if (!x->in_place && send == MPI_IN_PLACE)
        return mpico_fault(r, MPI_ERR_BUFFER, "sendbuf: MPI_IN_PLACE is for the root only");
    if ((e = check_count(r, recv->count, "count")) || (e = check_type(r, recv->type, &x->recv.type)) ||
        (e = check_op(r, op, x->recv.type, &x->op)))
        return e;
    if (what == COLL_REDUCE_SCATTER && (e = block_counts(r, x, recv->counts, (*comm)->size)))
        return e;
    x->recv.count = x->send.count = (size_t)recv->count;
    x->send.type = x->recv.type;
    x->recv.buf = has_result ? (void *)(uintptr_t)recv->buf : NULL;
    x->send.buf = x->in_place ? NULL : (void *)(uintptr_t)send;
    size_t mine = x->recv.counts ? (size_t)x->recv.counts[(*comm)->rank] : x->recv.count;
    if (recv->buf == MPI_IN_PLACE && has_result)
        return mpico_fault(r, MPI_ERR_BUFFER, "recvbuf: MPI_IN_PLACE belongs into sendbuf");
    if ((has_result && (e = check_buffer(r, x->recv.buf, mine, x->recv.type, "recvbuf"))) ||
        (!x->in_place && (e = check_buffer(r, send, mine, x->recv.type, "sendbuf"))))
        return e;
    return api_coll_no_alias(r, x, (struct part){x->send.buf, mine, x->recv.type},
                             (struct part){x->recv.buf, mine, x->recv.type});
}
