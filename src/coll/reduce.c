/* reduce.c: all ranks' vectors combined at the root. Every algorithm combines neighbouring groups of ranks,
 * the lower on the left, so that all keep the canonical order and none needs a commutative operation; the
 * binomial tree alone starts at the root where the operation permits.
 */
#include "halving.h"
#include "op.h"

/* The sum of children, in order, walks between two buffers, because a reduce leaves its result on the right. */
void mpico_coll_reduce_tree(struct schedule *s, const void *in, void *out, size_t count, const struct type *t, int root,
                            int commutative)
{
    int size = s->size, base = commutative ? root : 0, v = (s->rank - base + size) % size, bit = 1;
    const void *sum = in;
    void *spare[2] = {NULL, NULL};
    for (; bit < size && !(v & bit); bit *= 2)
        if (v + bit < size) {
            void *child = sum == spare[0] || !spare[0] ? spare[1] : spare[0];
            if (!child)
                child = mpico_schedule_array(s, t, count);
            spare[spare[0] && spare[0] != child] = child;
            mpico_schedule_round(s);
            mpico_schedule_recv(s, child, count, t, (v + bit + base) % size);
            mpico_schedule_round(s);
            mpico_schedule_reduce(s, sum, child, count, t);
            sum = child;
        }
    mpico_schedule_round(s);
    if (v)
        mpico_schedule_send(s, sum, count, t, (v - bit + base) % size);
    else if (s->rank != root)
        mpico_schedule_send(s, sum, count, t, root);
    else
        mpico_schedule_copy(s, sum, count, t, out, count, t);
    if (s->rank == root && base != root)
        mpico_schedule_recv(s, out, count, t, base);
}

/* Cost: lg P (L + 2 o + n G + n c); one message more when the operation does not commute and the root is not
 * rank 0. */
void mpico_reduce_binomial(struct schedule *s, const struct coll_call *call)
{
    const void *in = call->in_place ? call->recv.buf : call->send.buf;
    mpico_coll_reduce_tree(s, in, call->recv.buf, call->recv.count, call->recv.type, call->root, call->op->commutative);
}

/* The root takes vectors from the highest rank down and puts each on the left of the sum: exactly the
 * canonical order, a op (b op (c op d)). Cost: L + (P - 1) (2 o + n G + n c). */
void mpico_reduce_linear(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    const void *in = call->in_place ? b->buf : call->send.buf;
    if (s->rank != call->root) {
        mpico_schedule_send(s, in, b->count, b->type, call->root);
        return;
    }
    char *sum = mpico_schedule_array(s, b->type, b->count), *next = mpico_schedule_array(s, b->type, b->count);
    int last = s->size - 1;
    if (last == s->rank)
        mpico_schedule_copy(s, in, b->count, b->type, sum, b->count, b->type);
    else
        mpico_schedule_recv(s, sum, b->count, b->type, last);
    for (int i = last - 1; i >= 0; i--) {
        mpico_schedule_round(s);
        if (i != s->rank)
            mpico_schedule_recv(s, next, b->count, b->type, i);
        mpico_schedule_round(s);
        mpico_schedule_reduce(s, i == s->rank ? in : next, sum, b->count, b->type);
    }
    mpico_schedule_round(s);
    mpico_schedule_copy(s, sum, b->count, b->type, b->buf, b->count, b->type);
}

/* R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004: reduce-scatter by
 * halving, then the blocks up a binomial tree to the root.
 * Cost: 2 lg P (L + 2 o) + 2 (P - 1)/P n G + (P - 1)/P n c; n (G + c) more unless P is a power of two. */
void mpico_reduce_halving(struct schedule *s, const struct coll_call *call)
{
    struct halving h;
    const void *in = call->in_place ? call->recv.buf : call->send.buf;
    void *out = s->rank == call->root ? call->recv.buf : mpico_schedule_array(s, call->recv.type, call->recv.count);
    mpico_halving_reduce(s, &h, in, out, call->recv.count, call->recv.type);
    mpico_halving_gather(s, &h, call->root);
}
