/* bytes.c: how many bytes a collective is about, as all ranks count them. */
#include "select.h"

static size_t all_parts(const struct side *side, int size)
{
    size_t bytes = 0;
    if (!side->counts)
        return (size_t)size * side->count * side->type->size;
    for (int i = 0; i < size; i++)
        bytes += side_count(side, i) * side->type->size;
    return bytes;
}

size_t mpico_coll_bytes(const struct coll_call *call, int rank, int size)
{
    const struct side *send = &call->send, *recv = &call->recv;
    switch (call->what) {
    case COLL_BARRIER:
    case COLL_GATHERV:
    case COLL_SCATTERV:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
    case COLLS:
        return 0;
    case COLL_GATHER:
        return rank == call->root ? recv->count * recv->type->size : send->count * send->type->size;
    case COLL_SCATTER:
        return rank == call->root ? send->count * send->type->size : recv->count * recv->type->size;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return all_parts(recv, size);
    default:
        return recv->count * recv->type->size;
    }
}
