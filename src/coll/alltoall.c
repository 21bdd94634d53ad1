/* alltoall.c: a part from every rank to every rank (complete exchange). Pairwise and linear serve the
 * vector forms too.
 */
#include "coll.h"

/* What goes to rank i. In place, the parts are taken out of the receive buffer, packed, before anything
 * arrives there: `packed` walks over them. */
static struct part out_part(const struct coll_call *call, char *const *packed, int i)
{
    if (!call->in_place)
        return coll_part(&call->send, i);
    size_t bytes = part_bytes(coll_part(&call->recv, i));
    return (struct part){packed[i], bytes, &mpico_type_byte};
}

static char **save_parts(struct schedule *s, const struct coll_call *call)
{
    size_t bytes = 0;
    if (!call->in_place)
        return NULL;
    for (int i = 0; i < s->size; i++)
        bytes += i == s->rank ? 0 : part_bytes(coll_part(&call->recv, i));
    char **saved = mpico_schedule_temp(s, (size_t)s->size * sizeof *saved);
    char *at = mpico_schedule_buffer(s, bytes);
    for (int i = 0; at && i < s->size; i++) {
        struct part p = coll_part(&call->recv, i);
        saved[i] = at;
        if (i == s->rank)
            continue;
        mpico_schedule_copy(s, p.buf, p.count, p.type, at, part_bytes(p), &mpico_type_byte);
        at += part_bytes(p);
    }
    return saved;
}

static void exchange(struct schedule *s, const struct coll_call *call, int in_rounds)
{
    char **saved = save_parts(s, call);
    if (s->error)
        return;
    struct part mine = coll_part(&call->recv, s->rank);
    if (!call->in_place) {
        struct part from = coll_part(&call->send, s->rank);
        mpico_schedule_copy(s, from.buf, from.count, from.type, mine.buf, mine.count, mine.type);
    }
    for (int k = 1; k < s->size; k++) {
        int to = (s->rank + k) % s->size, from = (s->rank - k + s->size) % s->size;
        struct part out = out_part(call, saved, to), in = coll_part(&call->recv, from);
        if (in_rounds)
            mpico_schedule_round(s);
        if (part_bytes(in))
            mpico_schedule_recv(s, in.buf, in.count, in.type, from);
        if (part_bytes(out))
            mpico_schedule_send(s, out.buf, out.count, out.type, to);
    }
}

/* In step k each rank sends to the k-th after it and receives from the k-th before: one message each way
 * at a time. Cost: (P - 1) (L + 2 o + n G). */
void mpico_alltoall_pairwise(struct schedule *s, const struct coll_call *call) { exchange(s, call, 1); }

/* The same order, but nobody waits for a step to end. Cost: L + 2 o + (P - 2) g + (P - 1) n G, without
 * contention. */
void mpico_alltoall_linear(struct schedule *s, const struct coll_call *call) { exchange(s, call, 0); }

static int in_round(int i, int bit) { return i & bit; }

/* Pack the parts that move in this round, send, receive, put what came in their places. */
static void bruck_round(struct schedule *s, char *parts, char *out, char *in, size_t each, int bit)
{
    size_t moving = 0;
    mpico_schedule_round(s);
    for (int i = 0; i < s->size; i++)
        if (in_round(i, bit))
            mpico_schedule_copy(s, parts + (size_t)i * each, each, &mpico_type_byte, out + each * moving++, each,
                                &mpico_type_byte);
    mpico_schedule_recv(s, in, each * moving, &mpico_type_byte, (s->rank - bit + s->size) % s->size);
    mpico_schedule_send(s, out, each * moving, &mpico_type_byte, (s->rank + bit) % s->size);
    mpico_schedule_round(s);
    moving = 0;
    for (int i = 0; i < s->size; i++)
        if (in_round(i, bit))
            mpico_schedule_copy(s, in + each * moving++, each, &mpico_type_byte, parts + (size_t)i * each, each,
                                &mpico_type_byte);
}

/* J. Bruck et al. (see allgather.c): a part that must travel i ranks moves in the rounds of i's set bits.
 * Cost: lg P (L + 2 o + P/2 n G), and copies of P n (2 + lg P) bytes. */
void mpico_alltoall_bruck(struct schedule *s, const struct coll_call *call)
{
    const struct side *from = call->in_place ? &call->recv : &call->send;
    size_t each = part_bytes(coll_part(from, 0)), half = (size_t)(s->size / 2 + 1);
    char *parts = mpico_schedule_buffer(s, each * (size_t)s->size);
    char *out = mpico_schedule_buffer(s, each * half), *in = mpico_schedule_buffer(s, each * half);
    for (int i = 0; i < s->size; i++) {
        struct part p = coll_part(from, (s->rank + i) % s->size);
        mpico_schedule_copy(s, p.buf, p.count, p.type, parts + (size_t)i * each, each, &mpico_type_byte);
    }
    for (int bit = 1; bit < s->size; bit *= 2)
        bruck_round(s, parts, out, in, each, bit);
    for (int i = 0; i < s->size; i++) {
        struct part p = coll_part(&call->recv, (s->rank - i + s->size) % s->size);
        mpico_schedule_copy(s, parts + (size_t)i * each, each, &mpico_type_byte, p.buf, p.count, p.type);
    }
}
