/* neighbor.c: see neighbor.h. Cost: L + 2 o + (d - 1) g + d n G, with d edges each way and n bytes an edge.
 *
 * The messages of one schedule have one tag, so that those between the same two ranks match in the order in which they are
 * started. Where a pair's both neighbours are the same rank (a periodic dimension of one or two), what is sent first must be
 * what the other side receives first: the sends of each pair start in opposite order.
 */
#include "neighbor.h"

/* As many messages as the engine has under way at a time; with more, those that wait need an order. */
enum { FEW = 32 };

static void receive(struct schedule *s, const struct part *p, int from)
{
    if (from >= 0 && part_bytes(*p))
        mpico_schedule_recv(s, p->buf, p->count, p->type, from);
}

static void send(struct schedule *s, const struct part *p, int to)
{
    if (to >= 0 && part_bytes(*p))
        mpico_schedule_send(s, p->buf, p->count, p->type, to);
}

/* The place of the i-th send. */
static int turn(const struct neighbors *n, int i) { return n->mirrored ? i ^ 1 : i; }

/* Edges by their length, the way from source to destination in ranks; those of one length in their order. */
struct lengths {
    int *first, *next; /* of each length the first edge; the one after each edge; -1: none */
};

static int lengths_init(struct schedule *s, struct lengths *l, int edges)
{
    l->first = mpico_schedule_temp(s, (size_t)s->size * sizeof *l->first);
    l->next = mpico_schedule_temp(s, (size_t)edges * sizeof *l->next);
    for (int i = 0; l->next && i < s->size; i++)
        l->first[i] = -1;
    return l->next ? 0 : -1;
}

static void lengths_add(struct lengths *l, int edge, int length)
{
    l->next[edge] = l->first[length];
    l->first[length] = edge;
}

/* All ranks take the edges in the order of their lengths: whoever waits for room waits for an edge that is not longer, and the
 * shortest edge that is not done has both its ends started. */
static void by_length(struct schedule *s, const struct neighbors *n, const struct part *out, const struct part *in)
{
    struct lengths to, from;
    if (lengths_init(s, &to, n->out) || lengths_init(s, &from, n->in))
        return;
    for (int i = n->out; i-- > 0;)
        if (n->destination[turn(n, i)] >= 0)
            lengths_add(&to, turn(n, i), (n->destination[turn(n, i)] - s->rank + s->size) % s->size);
    for (int i = n->in; i-- > 0;)
        if (n->source[i] >= 0)
            lengths_add(&from, i, (s->rank - n->source[i] + s->size) % s->size);
    for (int k = 0; k < s->size; k++)
        for (int i = to.first[k], j = from.first[k]; i >= 0 || j >= 0;) {
            if (j >= 0) {
                receive(s, &in[j], n->source[j]);
                j = from.next[j];
            }
            if (i >= 0) {
                send(s, &out[i], n->destination[i]);
                i = to.next[i];
            }
        }
}

void mpico_neighbor_build(struct schedule *s, const struct neighbors *n, const struct part *out, const struct part *in)
{
    if (n->in > FEW || n->out > FEW) {
        by_length(s, n, out, in);
        return;
    }
    for (int i = 0; i < n->in; i++)
        receive(s, &in[i], n->source[i]);
    for (int i = 0; i < n->out; i++)
        send(s, &out[turn(n, i)], n->destination[turn(n, i)]);
}
