/* bcast.c: one rank's data to all. */
#include "coll.h"

static const size_t segment = (size_t)32 * 1024; /* bytes: o and g of a segment are then small against its n G */

/* A number's lowest set bit spans its subtree in a binomial tree; the root's spans all. */
static int span_of(int v, int size)
{
    int span = 1;
    while (span < size && !(v & span))
        span *= 2;
    return span;
}

/* Cost: lg P (L + 2 o + n G). */
void mpico_bcast_binomial(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int v = (s->rank - call->root + s->size) % s->size;
    int span = span_of(v, s->size);
    if (v)
        mpico_schedule_recv(s, b->buf, b->count, b->type, (v - span + call->root) % s->size);
    mpico_schedule_round(s);
    for (int bit = span / 2; bit; bit /= 2)
        if (v + bit < s->size)
            mpico_schedule_send(s, b->buf, b->count, b->type, (v + bit + call->root) % s->size);
}

char *mpico_coll_flat(struct schedule *s, void *buf, size_t count, const struct type *t, int fill)
{
    if (t->contiguous)
        return buf;
    size_t bytes = count * t->size;
    char *flat = mpico_schedule_buffer(s, bytes);
    if (fill)
        mpico_schedule_copy(s, buf, count, t, flat, bytes, &mpico_type_byte);
    return flat;
}

static void unflatten(struct schedule *s, const struct side *b, const char *flat)
{
    if (b->type->contiguous)
        return;
    mpico_schedule_round(s);
    mpico_schedule_copy(s, flat, b->count * b->type->size, &mpico_type_byte, b->buf, b->count, b->type);
}

struct scatter {
    char *flat;
    size_t bytes;
    int v, root;
};

static void blocks(struct schedule *s, const struct scatter *x, int first, int end, int peer_v, int sending)
{
    size_t from = coll_cut(x->bytes, first, s->size), to = coll_cut(x->bytes, end < s->size ? end : s->size, s->size);
    int peer = (peer_v + x->root) % s->size;
    if (sending)
        mpico_schedule_send(s, x->flat + from, to - from, &mpico_type_byte, peer);
    else
        mpico_schedule_recv(s, x->flat + from, to - from, &mpico_type_byte, peer);
}

/* Scatter P blocks down a binomial tree, then pass them round a ring
 * (M. Barnett et al., "Interprocessor collective communication library", SHPCC 1994).
 * Cost: (lg P + P - 1) (L + 2 o) + 2 (P - 1)/P n G. */
void mpico_bcast_scatter(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int size = s->size, v = (s->rank - call->root + size) % size, span = span_of(v, size);
    struct scatter x = {mpico_coll_flat(s, b->buf, b->count, b->type, v == 0), b->count * b->type->size, v, call->root};
    if (v)
        blocks(s, &x, v, v + span, v - span, 0);
    mpico_schedule_round(s);
    for (int bit = span / 2; bit; bit /= 2)
        if (v + bit < size)
            blocks(s, &x, v + bit, v + 2 * bit, v + bit, 1);
    for (int k = 0; k < size - 1; k++) {
        mpico_schedule_round(s);
        int out = (v - k + size) % size, in = (v - k - 1 + size) % size;
        /* The root has everything, and what the scatter left here need not come again, but equal rounds keep
         * the ring in step; the root alone takes nothing. */
        if (v != size - 1)
            blocks(s, &x, out, out + 1, v + 1, 1);
        if (v)
            blocks(s, &x, in, in + 1, v - 1, 0);
    }
    if (v)
        unflatten(s, b, x.flat);
}

/* Segments down a chain of all ranks; each is passed on while the next arrives.
 * Cost: (P - 2 + n/m) (L + 2 o + m G) with segments of m bytes, (P - 2) (L + 2 o + m G) + n G when
 * a rank sends and receives at once. */
void mpico_bcast_chain(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    int size = s->size, v = (s->rank - call->root + size) % size;
    char *flat = mpico_coll_flat(s, b->buf, b->count, b->type, v == 0);
    size_t bytes = b->count * b->type->size;
    int left = (s->rank - 1 + size) % size, right = (s->rank + 1) % size;
    for (size_t at = 0; at < bytes; at += segment) {
        size_t len = bytes - at < segment ? bytes - at : segment;
        int got = v ? mpico_schedule_recv(s, flat + at, len, &mpico_type_byte, left) : -1;
        if (v != size - 1)
            mpico_schedule_after(s, mpico_schedule_send(s, flat + at, len, &mpico_type_byte, right), got);
    }
    if (v)
        unflatten(s, b, flat);
}

/* Where the network takes a message to all at once: one send a segment. Cost: L + 2 o + n G, with L that of the
 * farthest rank, and (n/m - 1) g for segments of m bytes. */
void mpico_bcast_spread(struct schedule *s, const struct coll_call *call)
{
    const struct side *b = &call->recv;
    size_t bytes = b->count * b->type->size, most = call->spread_bytes;
    int root = s->rank == call->root;
    if (bytes <= most) { /* in its own type: the receiver unpacks as it comes */
        if (root)
            mpico_schedule_spread(s, b->buf, b->count, b->type);
        else
            mpico_schedule_recv(s, b->buf, b->count, b->type, call->root);
        return;
    }
    char *flat = mpico_coll_flat(s, b->buf, b->count, b->type, root);
    for (size_t at = 0, len; at < bytes; at += len) {
        len = bytes - at < most ? bytes - at : most;
        if (root)
            mpico_schedule_spread(s, flat + at, len, &mpico_type_byte);
        else
            mpico_schedule_recv(s, flat + at, len, &mpico_type_byte, call->root);
    }
    if (!root)
        unflatten(s, b, flat);
}
