/* reduce_scatter.c: all ranks' vectors combined, a block of the result to each rank; blocks of equal or
 * given lengths stand in rank order. The input is the whole vector: send, or in place recv.
 */
#include "coll.h"

/* Where each rank's block begins, in elements; [size] is the end. */
static size_t *block_starts(struct schedule *s, const struct coll_call *call)
{
    size_t *start = mpico_schedule_temp(s, ((size_t)s->size + 1) * sizeof *start);
    if (!start)
        return NULL;
    start[0] = 0;
    for (int i = 0; i < s->size; i++)
        start[i + 1] = start[i] + side_count(&call->recv, i);
    return start;
}

static const void *input_of(const struct coll_call *call) { return call->in_place ? call->recv.buf : call->send.buf; }

/* In step k send the block of the k-th rank after this one to it, and take this rank's block from the k-th
 * before. Nobody stores more than two blocks. Sums in the order of arrival of steps: commutative operations.
 * Cost: (P - 1) (L + 2 o) + (P - 1)/P n (G + c). */
void mpico_reduce_scatter_pairwise(struct schedule *s, const struct coll_call *call)
{
    const size_t *start = block_starts(s, call);
    const struct type *t = call->recv.type;
    if (!start)
        return;
    size_t mine = start[s->rank + 1] - start[s->rank];
    char *sum = mpico_schedule_array(s, t, mine), *spare = mpico_schedule_array(s, t, mine);
    const void *in = input_of(call);
    mpico_schedule_copy(s, element(in, start[s->rank], t), mine, t, sum, mine, t);
    for (int k = 1; k < s->size; k++) {
        int to = (s->rank + k) % s->size, from = (s->rank - k + s->size) % s->size;
        mpico_schedule_round(s);
        if (mine)
            mpico_schedule_recv(s, spare, mine, t, from);
        if (start[to + 1] > start[to])
            mpico_schedule_send(s, element(in, start[to], t), start[to + 1] - start[to], t, to);
        mpico_schedule_round(s);
        mpico_schedule_reduce(s, spare, sum, mine, t);
    }
    mpico_schedule_round(s);
    mpico_schedule_copy(s, sum, mine, t, call->recv.buf, mine, t);
}

/* Recursive halving from far to near, which leaves the blocks in rank order; commutative operations, P a
 * power of two. Cost: lg P (L + 2 o) + (P - 1)/P n (G + c). */
void mpico_reduce_scatter_halving(struct schedule *s, const struct coll_call *call)
{
    const size_t *start = block_starts(s, call);
    const struct type *t = call->recv.type;
    if (!start)
        return;
    size_t all = start[s->size], mine = start[s->rank + 1] - start[s->rank];
    char *sum = mpico_schedule_array(s, t, all), *spare = mpico_schedule_array(s, t, all);
    mpico_schedule_copy(s, input_of(call), all, t, sum, all, t);
    for (int bit = s->size / 2; bit; bit /= 2) {
        int peer = s->rank ^ bit, keep = s->rank & ~(bit - 1), give = peer & ~(bit - 1);
        size_t kept = start[keep + bit] - start[keep];
        mpico_schedule_round(s);
        mpico_schedule_recv(s, element(spare, start[keep], t), kept, t, peer);
        mpico_schedule_send(s, element(sum, start[give], t), start[give + bit] - start[give], t, peer);
        mpico_schedule_round(s);
        mpico_schedule_reduce(s, element(spare, start[keep], t), element(sum, start[keep], t), kept, t);
    }
    mpico_schedule_round(s);
    mpico_schedule_copy(s, element(sum, start[s->rank], t), mine, t, call->recv.buf, mine, t);
}

/* Reduce in canonical order to rank 0, which hands the blocks out: for every operation.
 * Cost: lg P (L + 2 o + n G + n c) + L + (P - 1) max(o, g, n/P G). */
void mpico_reduce_scatter_linear(struct schedule *s, const struct coll_call *call)
{
    const size_t *start = block_starts(s, call);
    const struct type *t = call->recv.type;
    if (!start)
        return;
    size_t mine = start[s->rank + 1] - start[s->rank];
    char *sum = s->rank ? NULL : mpico_schedule_array(s, t, start[s->size]);
    mpico_coll_reduce_tree(s, input_of(call), sum, start[s->size], t, 0, 0);
    mpico_schedule_round(s);
    if (s->rank) {
        if (mine)
            mpico_schedule_recv(s, call->recv.buf, mine, t, 0);
        return;
    }
    mpico_schedule_copy(s, sum, mine, t, call->recv.buf, mine, t);
    for (int i = 1; i < s->size; i++)
        if (start[i + 1] > start[i])
            mpico_schedule_send(s, element(sum, start[i], t), start[i + 1] - start[i], t, i);
}
