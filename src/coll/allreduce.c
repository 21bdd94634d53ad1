/* allreduce.c: all ranks' vectors combined, the result at all, the same to the bit. */
#include "halving.h"

static const void *input_of(const struct coll_call *call) { return call->in_place ? call->recv.buf : call->send.buf; }

/* Pairs at doubling distance exchange sums; both compute (lower op upper) from the same operands. Ranks
 * beyond a power of two hand their vector to a neighbour first.
 * Cost: lg P (L + 2 o + n G + n c); two messages more unless P is a power of two. */
void mpico_allreduce_doubling(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int going = power_below(s->size), folded = s->size - going, paired = s->rank < 2 * folded;
    const void *sum = input_of(call);
    if (paired && !(s->rank & 1)) {
        mpico_schedule_send(s, sum, b->count, b->type, s->rank + 1);
        mpico_schedule_round(s);
        mpico_schedule_recv(s, b->buf, b->count, b->type, s->rank + 1);
        return;
    }
    char *mine = b->buf, *spare = mpico_schedule_array(s, b->type, b->count);
    mpico_schedule_copy(s, sum, b->count, b->type, mine, b->count, b->type);
    if (paired) {
        mpico_schedule_recv(s, spare, b->count, b->type, s->rank - 1);
        mpico_schedule_round(s);
        mpico_schedule_reduce(s, spare, mine, b->count, b->type);
    }
    int number = paired ? s->rank / 2 : s->rank - folded;
    for (int bit = 1; bit < going; bit *= 2) {
        int other = number ^ bit, peer = other < folded ? 2 * other + 1 : other + folded;
        mpico_schedule_round(s);
        mpico_schedule_recv(s, spare, b->count, b->type, peer);
        mpico_schedule_send(s, mine, b->count, b->type, peer);
        mpico_schedule_round(s);
        mpico_schedule_reduce(s, number & bit ? spare : mine, number & bit ? mine : spare, b->count, b->type);
        if (!(number & bit)) { /* the result stands where the other's was */
            char *t = mine;
            mine = spare;
            spare = t;
        }
    }
    mpico_schedule_round(s);
    if (paired)
        mpico_schedule_send(s, mine, b->count, b->type, s->rank - 1);
    mpico_schedule_copy(s, mine, b->count, b->type, b->buf, b->count, b->type);
}

/* Rabenseifner's: reduce-scatter by halving, then the way back.
 * Cost: 2 lg P (L + 2 o) + 2 (P - 1)/P n G + (P - 1)/P n c; n (2 G + c) more unless P is a power of two. */
void mpico_allreduce_halving(struct schedule *s, const struct coll_call *call)
{
    struct halving h;
    mpico_halving_reduce(s, &h, input_of(call), call->recv.buf, call->recv.count, call->recv.type);
    mpico_halving_allgather(s, &h);
}

static struct part block(const struct side *b, int size, int i)
{
    int k = (i % size + size) % size;
    size_t from = coll_cut(b->count, k, size), to = coll_cut(b->count, k + 1, size);
    return (struct part){element(b->buf, from, b->type), to - from, b->type};
}

/* Round a ring, to neighbours only: P - 1 steps gather sums of blocks, P - 1 spread them. Block i is summed in
 * the order i, i+1, ..., which needs a commutative operation.
 * Cost: 2 (P - 1) (L + 2 o) + 2 (P - 1)/P n G + (P - 1)/P n c, for every P. */
void mpico_allreduce_ring(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int size = s->size, right = (s->rank + 1) % size, left = (s->rank - 1 + size) % size;
    mpico_schedule_copy(s, input_of(call), b->count, b->type, b->buf, b->count, b->type);
    char *spare = mpico_schedule_array(s, b->type, b->count / (size_t)size + 1);
    for (int k = 0; k < size - 1; k++) {
        struct part out = block(b, size, s->rank - k), in = block(b, size, s->rank - k - 1);
        mpico_schedule_round(s);
        mpico_schedule_recv(s, spare, in.count, b->type, left);
        mpico_schedule_send(s, out.buf, out.count, b->type, right);
        mpico_schedule_round(s);
        mpico_schedule_reduce(s, spare, in.buf, in.count, b->type);
    }
    mpico_schedule_round(s);
    for (int k = 0, got = -1; k < size - 1; k++) {
        struct part out = block(b, size, s->rank + 1 - k), in = block(b, size, s->rank - k);
        mpico_schedule_after(s, mpico_schedule_send(s, out.buf, out.count, b->type, right), got);
        got = mpico_schedule_recv(s, in.buf, in.count, b->type, left);
    }
}
