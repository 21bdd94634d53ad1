/* inter.c: collectives between the two groups of an intercommunicator (MPI 5.0, section 6.2.2): what one group has goes to the
 * other. A builder works with two views of the schedule: peers of the other group, and the own group as if it were a
 * communicator, for which the algorithms within one serve. Where data goes to each or comes from each, it goes directly; else rank 0
 * of each group speaks for it. Costs: those of the algorithms within a group, and one message between the groups; direct ones
 * L + 2 o + (R - 1) max(g, n G) with R ranks in the other group.
 */
#include "coll.h"
#include "mpi.h"
#include "op.h"

/* Until outside(): steps are among the own group. */
static void inside(struct schedule *s)
{
    s->local = 1;
    s->rank = s->comm->rank;
    s->size = s->comm->local->size;
    mpico_schedule_round(s);
}

static void outside(struct schedule *s)
{
    s->local = 0;
    s->size = s->comm->size;
    mpico_schedule_round(s);
}

static void send(struct schedule *s, const struct side *side, int to)
{
    mpico_schedule_send(s, side->buf, side->count, side->type, to);
}

static void recv(struct schedule *s, const struct side *side, int from)
{
    mpico_schedule_recv(s, side->buf, side->count, side->type, from);
}

/* From rank 0 to all of the own group. */
static void bcast_inside(struct schedule *s, const struct side *b)
{
    struct coll_call x = {.what = COLL_BCAST, .recv = *b};
    inside(s);
    mpico_bcast_binomial(s, &x);
}

/* The own group's vectors combined, in order, at its rank 0; NULL elsewhere. */
static char *reduce_inside(struct schedule *s, const struct coll_call *call, size_t count)
{
    const struct type *t = call->recv.type;
    char *sum = s->comm->rank == 0 ? mpico_schedule_array(s, t, count) : NULL;
    inside(s);
    mpico_coll_reduce_tree(s, call->send.buf, sum, count, t, 0, call->op->commutative);
    outside(s);
    return sum;
}

static void barrier(struct schedule *s)
{
    const struct side nothing = {.type = &mpico_type_byte};
    inside(s);
    mpico_barrier_dissemination(s, NULL);
    outside(s);
    if (s->comm->rank == 0) {
        recv(s, &nothing, 0);
        send(s, &nothing, 0);
    }
    bcast_inside(s, &nothing);
}

static void bcast(struct schedule *s, const struct coll_call *call)
{
    if (call->root == MPI_ROOT) {
        send(s, &call->recv, 0);
    } else if (call->root != MPI_PROC_NULL) {
        if (s->comm->rank == 0)
            recv(s, &call->recv, call->root);
        bcast_inside(s, &call->recv);
    }
}

/* A part to each or from each of the other group; from this rank on, so that not all begin with the same one. */
static void parts(struct schedule *s, const struct side *side, int sending)
{
    for (int i = 0; i < s->size; i++) {
        int peer = (s->comm->rank + i) % s->size;
        struct part p = coll_part(side, peer);
        if (part_bytes(p) && sending)
            mpico_schedule_send(s, p.buf, p.count, p.type, peer);
        else if (part_bytes(p))
            mpico_schedule_recv(s, p.buf, p.count, p.type, peer);
    }
}

/* gather, scatter and their vector forms: `many` is the root's end. */
static void rooted(struct schedule *s, const struct coll_call *call, const struct side *one, const struct side *many)
{
    int gathers = one == &call->send, empty = one->count * one->type->size == 0;
    if (call->root == MPI_ROOT)
        parts(s, many, !gathers);
    else if (call->root != MPI_PROC_NULL && !empty && gathers)
        send(s, one, call->root);
    else if (call->root != MPI_PROC_NULL && !empty)
        recv(s, one, call->root);
}

static void allgather(struct schedule *s, const struct coll_call *call)
{
    parts(s, &call->recv, 0);
    int empty = call->send.count * call->send.type->size == 0;
    for (int i = 0; i < s->size && !empty; i++)
        send(s, &call->send, (s->comm->rank + i) % s->size);
}

static void alltoall(struct schedule *s, const struct coll_call *call)
{
    parts(s, &call->recv, 0);
    parts(s, &call->send, 1);
}

static void reduce(struct schedule *s, const struct coll_call *call)
{
    if (call->root == MPI_ROOT) {
        recv(s, &call->recv, 0);
    } else if (call->root != MPI_PROC_NULL) {
        char *sum = reduce_inside(s, call, call->recv.count);
        if (s->comm->rank == 0)
            mpico_schedule_send(s, sum, call->recv.count, call->recv.type, call->root);
    }
}

/* The sums change places. */
static void swap_sums(struct schedule *s, const char *mine, void *theirs, size_t count, const struct type *t)
{
    mpico_schedule_recv(s, theirs, count, t, 0);
    mpico_schedule_send(s, mine, count, t, 0);
}

static void allreduce(struct schedule *s, const struct coll_call *call)
{
    char *sum = reduce_inside(s, call, call->recv.count);
    if (s->comm->rank == 0)
        swap_sums(s, sum, call->recv.buf, call->recv.count, call->recv.type);
    bcast_inside(s, &call->recv);
}

/* Both groups' vectors are equally long; the other group's sum is handed out as the own group's counts say. */
static void reduce_scatter(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int own = s->comm->local->size, rank = s->comm->rank;
    size_t count = 0;
    for (int i = 0; i < own; i++)
        count += side_count(b, i);
    char *sum = reduce_inside(s, call, count), *theirs = rank ? NULL : mpico_schedule_array(s, b->type, count);
    if (rank == 0)
        swap_sums(s, sum, theirs, count, b->type);
    inside(s);
    if (rank == 0)
        mpico_schedule_copy(s, theirs, side_count(b, 0), b->type, b->buf, side_count(b, 0), b->type);
    else if (side_count(b, rank))
        mpico_schedule_recv(s, b->buf, side_count(b, rank), b->type, 0);
    size_t at = side_count(b, 0);
    for (int i = 1; rank == 0 && i < own; at += side_count(b, i++))
        if (side_count(b, i))
            mpico_schedule_send(s, element(theirs, at, b->type), side_count(b, i), b->type, i);
}

void mpico_inter_build(struct schedule *s, const struct coll_call *call)
{
    switch (call->what) {
    case COLL_BARRIER:
        barrier(s);
        break;
    case COLL_BCAST:
        bcast(s, call);
        break;
    case COLL_GATHER:
    case COLL_GATHERV:
        rooted(s, call, &call->send, &call->recv);
        break;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        rooted(s, call, &call->recv, &call->send);
        break;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
        allgather(s, call);
        break;
    case COLL_REDUCE:
        reduce(s, call);
        break;
    case COLL_ALLREDUCE:
        allreduce(s, call);
        break;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        reduce_scatter(s, call);
        break;
    default:
        alltoall(s, call);
    }
}
