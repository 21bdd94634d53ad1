/* allgather.c: every rank's part to every rank. The parts stand in recv; ring and linear serve the vector
 * form too.
 */
#include "coll.h"

static void own_part(struct schedule *s, const struct coll_call *call)
{
    struct part to = coll_part(&call->recv, s->rank);
    if (!call->in_place)
        mpico_schedule_copy(s, call->send.buf, call->send.count, call->send.type, to.buf, to.count, to.type);
}

/* The own part where the program has it; then its copy in recv is for the program alone. */
static struct part own_source(const struct schedule *s, const struct coll_call *call)
{
    const struct side *send = &call->send;
    return call->in_place ? coll_part(&call->recv, s->rank) : (struct part){send->buf, send->count, send->type};
}

static void own_part_aside(struct schedule *s, const struct coll_call *call)
{
    struct part to = coll_part(&call->recv, s->rank);
    if (!call->in_place)
        mpico_schedule_copy_aside(s, call->send.buf, call->send.count, call->send.type, to.buf, to.count, to.type);
}

/* Pairs at doubling distance exchange all they have; the number of ranks is a power of two.
 * Cost: lg P (L + 2 o) + (P - 1) n G with n bytes a rank. */
void mpico_allgather_doubling(struct schedule *s, const struct coll_call *call)
{
    own_part(s, call);
    for (int bit = 1; bit < s->size; bit *= 2) {
        int peer = s->rank ^ bit;
        struct part mine = coll_part(&call->recv, s->rank & ~(bit - 1));
        struct part theirs = coll_part(&call->recv, peer & ~(bit - 1));
        mpico_schedule_round(s);
        mpico_schedule_recv(s, theirs.buf, theirs.count * (size_t)bit, theirs.type, peer);
        mpico_schedule_send(s, mine.buf, mine.count * (size_t)bit, mine.type, peer);
    }
}

/* J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
 * TPDS 8(11), 1997: own part first, parts of the ranks above behind it, turned into place at the end.
 * Cost: lg P (L + 2 o) + (P - 1) n G, and a copy of P n bytes. */
void mpico_allgather_bruck(struct schedule *s, const struct coll_call *call)
{
    int size = s->size, rank = s->rank;
    struct part mine = coll_part(&call->recv, rank), zero = coll_part(&call->recv, 0);
    size_t each = part_bytes(mine);
    char *packed = mpico_schedule_buffer(s, (size_t)size * each);
    if (call->in_place)
        mpico_schedule_copy(s, mine.buf, mine.count, mine.type, packed, each, &mpico_type_byte);
    else
        mpico_schedule_copy(s, call->send.buf, call->send.count, call->send.type, packed, each, &mpico_type_byte);
    for (int have = 1; have < size; have *= 2) {
        size_t bytes = (size_t)(have < size - have ? have : size - have) * each;
        mpico_schedule_round(s);
        mpico_schedule_recv(s, packed + (size_t)have * each, bytes, &mpico_type_byte, (rank + have) % size);
        mpico_schedule_send(s, packed, bytes, &mpico_type_byte, (rank - have + size) % size);
    }
    mpico_schedule_round(s);
    size_t above = (size_t)(size - rank), below = (size_t)rank;
    mpico_schedule_copy(s, packed, above * each, &mpico_type_byte, mine.buf, above * mine.count, mine.type);
    mpico_schedule_copy(s, packed + above * each, below * each, &mpico_type_byte, zero.buf, below * zero.count,
                        zero.type);
}

/* Each part travels once round the ring, to neighbours only. A part is passed on when it came, without
 * waiting for the rank's own sends. Cost: (P - 1) (L + 2 o + n G). */
void mpico_allgather_ring(struct schedule *s, const struct coll_call *call)
{
    int size = s->size, right = (s->rank + 1) % size, left = (s->rank - 1 + size) % size, got = -1;
    struct part mine = own_source(s, call);
    for (int k = 0; k < size - 1; k++) {
        struct part place = coll_part(&call->recv, (s->rank - k + size) % size), out = k ? place : mine;
        struct part in = coll_part(&call->recv, (s->rank - k - 1 + size) % size);
        if (part_bytes(place))
            mpico_schedule_after(s, mpico_schedule_send(s, out.buf, out.count, out.type, right), got);
        got = part_bytes(in) ? mpico_schedule_recv(s, in.buf, in.count, in.type, left) : -1;
        if (k == 0)
            own_part_aside(s, call);
    }
    if (size == 1)
        own_part_aside(s, call);
}

/* Where the network takes a message to all at once, each rank does that with its part.
 * Cost: L + 2 o + (P - 2) max(o, n G), with L that of the farthest rank. */
void mpico_allgather_spread(struct schedule *s, const struct coll_call *call)
{
    struct part mine = own_source(s, call);
    mpico_schedule_spread(s, mine.buf, mine.count, mine.type);
    own_part_aside(s, call);
    for (int k = 1; k < s->size; k++) {
        int from = (s->rank - k + s->size) % s->size;
        struct part in = coll_part(&call->recv, from);
        mpico_schedule_recv(s, in.buf, in.count, in.type, from);
    }
}

/* Each rank sends its part to all others. Cost: L + 2 o + (P - 2) g + (P - 1) n G. */
void mpico_allgather_linear(struct schedule *s, const struct coll_call *call)
{
    struct part mine = coll_part(&call->recv, s->rank);
    own_part(s, call);
    for (int k = 1; k < s->size; k++) {
        int from = (s->rank - k + s->size) % s->size;
        struct part in = coll_part(&call->recv, from);
        if (part_bytes(in))
            mpico_schedule_recv(s, in.buf, in.count, in.type, from);
        if (part_bytes(mine))
            mpico_schedule_send(s, mine.buf, mine.count, mine.type, (s->rank + k) % s->size);
    }
}
