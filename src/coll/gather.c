/* gather.c: every rank's part to the root. */
#include "coll.h"

static void own_part(struct schedule *s, const struct coll_call *call)
{
    struct part to = coll_part(&call->recv, s->rank);
    if (!call->in_place)
        mpico_schedule_copy(s, call->send.buf, call->send.count, call->send.type, to.buf, to.count, to.type);
}

/* Each rank sends to the root, also the vector form. Nobody stores another's data.
 * Cost: L + (P - 1) max(o, g, n G). */
void mpico_gather_linear(struct schedule *s, const struct coll_call *call)
{
    if (s->rank != call->root) {
        if (call->send.count * call->send.type->size > 0)
            mpico_schedule_send(s, call->send.buf, call->send.count, call->send.type, call->root);
        return;
    }
    own_part(s, call);
    for (int i = 1; i < s->size; i++) {
        int peer = (call->root + i) % s->size;
        struct part p = coll_part(&call->recv, peer);
        if (part_bytes(p))
            mpico_schedule_recv(s, p.buf, p.count, p.type, peer);
    }
}

/* The root's packed parts, in order from its own rank, into the receive buffer: two runs of ranks. */
static void unpack_parts(struct schedule *s, const struct coll_call *call, const char *packed, size_t each)
{
    struct part mine = coll_part(&call->recv, s->rank), zero = coll_part(&call->recv, 0);
    size_t after = (size_t)(s->size - s->rank - 1), before = (size_t)s->rank;
    mpico_schedule_round(s);
    mpico_schedule_copy(s, packed + each, after * each, &mpico_type_byte, element(mine.buf, mine.count, mine.type),
                        after * mine.count, mine.type);
    mpico_schedule_copy(s, packed + each * (after + 1), before * each, &mpico_type_byte, zero.buf, before * mine.count,
                        mine.type);
}

/* Up a binomial tree; an inner rank collects its subtree's parts, packed, in order.
 * Cost: lg P (L + 2 o) + (P - 1) n G. */
void mpico_gather_binomial(struct schedule *s, const struct coll_call *call)
{
    int size = s->size, v = (s->rank - call->root + size) % size, top = 1;
    size_t each = v ? call->send.count * call->send.type->size : call->recv.count * call->recv.type->size;
    while (top < size && !(v & top))
        top *= 2;
    int parts = v + top < size ? top : size - v;
    if (parts == 1 && v) {
        mpico_schedule_send(s, call->send.buf, call->send.count, call->send.type, (v - top + call->root) % size);
        return;
    }
    char *packed = mpico_schedule_buffer(s, (size_t)parts * each);
    if (v)
        mpico_schedule_copy(s, call->send.buf, call->send.count, call->send.type, packed, each, &mpico_type_byte);
    else
        own_part(s, call);
    for (int bit = 1; bit < top && v + bit < size; bit *= 2) {
        int theirs = v + 2 * bit < size ? bit : size - v - bit;
        mpico_schedule_recv(s, packed + (size_t)bit * each, (size_t)theirs * each, &mpico_type_byte,
                            (v + bit + call->root) % size);
    }
    if (v == 0) {
        unpack_parts(s, call, packed, each);
        return;
    }
    mpico_schedule_round(s);
    mpico_schedule_send(s, packed, (size_t)parts * each, &mpico_type_byte, (v - top + call->root) % size);
}
