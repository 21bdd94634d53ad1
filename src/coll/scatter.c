/* scatter.c: a part of the root's data to every rank. */
#include "coll.h"

static void own_part(struct schedule *s, const struct coll_call *call)
{
    struct part from = coll_part(&call->send, s->rank);
    if (!call->in_place)
        mpico_schedule_copy(s, from.buf, from.count, from.type, call->recv.buf, call->recv.count, call->recv.type);
}

/* The root sends to each rank, also the vector form. Cost: L + (P - 1) max(o, g, n G). */
void mpico_scatter_linear(struct schedule *s, const struct coll_call *call)
{
    if (s->rank != call->root) {
        if (call->recv.count * call->recv.type->size > 0)
            mpico_schedule_recv(s, call->recv.buf, call->recv.count, call->recv.type, call->root);
        return;
    }
    for (int i = 1; i < s->size; i++) {
        int peer = (call->root + i) % s->size;
        struct part p = coll_part(&call->send, peer);
        if (part_bytes(p))
            mpico_schedule_send(s, p.buf, p.count, p.type, peer);
    }
    own_part(s, call);
}

/* The root's parts packed in order from its own rank: two runs of ranks. */
static void pack_parts(struct schedule *s, const struct coll_call *call, char *packed, size_t each)
{
    struct part mine = coll_part(&call->send, s->rank), zero = coll_part(&call->send, 0);
    size_t after = (size_t)(s->size - s->rank - 1), before = (size_t)s->rank;
    mpico_schedule_copy(s, element(mine.buf, mine.count, mine.type), after * mine.count, mine.type, packed + each,
                        after * each, &mpico_type_byte);
    mpico_schedule_copy(s, zero.buf, before * mine.count, mine.type, packed + each * (after + 1), before * each,
                        &mpico_type_byte);
}

/* Down a binomial tree: a rank takes its subtree's parts, packed, and hands halves on.
 * Cost: lg P (L + 2 o) + (P - 1) n G. */
void mpico_scatter_binomial(struct schedule *s, const struct coll_call *call)
{
    int size = s->size, v = (s->rank - call->root + size) % size, top = 1;
    size_t each = v ? call->recv.count * call->recv.type->size : call->send.count * call->send.type->size;
    while (top < size && !(v & top))
        top *= 2;
    int parts = v + top < size ? top : size - v, parent = (v - top + size + call->root) % size;
    if (parts == 1 && v) {
        mpico_schedule_recv(s, call->recv.buf, call->recv.count, call->recv.type, parent);
        return;
    }
    char *packed = mpico_schedule_buffer(s, (size_t)parts * each);
    if (v)
        mpico_schedule_recv(s, packed, (size_t)parts * each, &mpico_type_byte, parent);
    else
        pack_parts(s, call, packed, each);
    mpico_schedule_round(s);
    for (int bit = top / 2; bit; bit /= 2)
        if (v + bit < size) {
            int theirs = v + 2 * bit < size ? bit : size - v - bit;
            mpico_schedule_send(s, packed + (size_t)bit * each, (size_t)theirs * each, &mpico_type_byte,
                                (v + bit + call->root) % size);
        }
    if (v)
        mpico_schedule_copy(s, packed, each, &mpico_type_byte, call->recv.buf, call->recv.count, call->recv.type);
    else
        own_part(s, call);
}
