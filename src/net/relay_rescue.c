/* relay_rescue.c: a ring that closes when a link is cut, and says so.
 *
 * At the cut what would go to the right turns round. Where the distances to a cut on either side are known, the ranks between them
 * cannot be reached: one, if a node has died; none, where one link alone is cut.
 */
#include "relay_parts.h"

/* What the cut link has left goes to the left before anything else does: while it cannot, there is no room for others either. */
static struct hop *turn_round(struct relay *g)
{
    struct hop *to = relay_backward(g);
    size_t len;
    const uint8_t *f;
    for (; (f = mpico_hop_unsent(&g->right, g->turned, &len)) != NULL; g->turned++)
        if (mpico_relay_pass(g, to, f, len))
            break;
    return to;
}

static void report(struct relay *g)
{
    unsigned right = cut_right(g), left = cut_left(g), size = (unsigned)g->size;
    if (!right || !left || (right == g->told_right && left == g->told_left))
        return;
    for (unsigned k = right; k + left <= size; k++)
        if (k < g->told_right || k + g->told_left > size) {
            mpico_relay_say_lost(g, relay_rank(g, k), right + left == size);
            g->lost = 1;
            g->lost_since = mpico_relay_now(g);
        }
    if (right + left > size && (right == 1 || left == 1))
        mpico_relay_say_closed(g);
    g->told_right = right;
    g->told_left = left;
}

/* A frame of the same source that comes before `h`, and is not older than `got`: core has put it off, or it is yet to be looked at. */
static int precedes(const struct relay *g, const uint8_t *f, size_t len, const struct relay_head *h, unsigned got)
{
    const struct relay_head *x = (const struct relay_head *)(const void *)f;
    return len >= RELAY_HEAD && x->kind == RELAY_PACKET && x->dest == (unsigned)g->rank && x->source == h->source &&
           (int16_t)(uint16_t)(x->number - got) >= 0 && (int16_t)(uint16_t)(x->number - h->number) < 0;
}

static int one_waits(const struct relay *g, const struct hop *hop, const struct relay_head *h, unsigned got)
{
    size_t len;
    const uint8_t *f;
    for (unsigned i = 0; (f = mpico_hop_peek(hop, i, &len)) != NULL; i++)
        if (precedes(g, f, len, h, got))
            return 1;
    return 0;
}

/* What was under way through a rank that has died has had the time in which the others learn of it to come. */
static int gap(struct relay *g, const struct relay_head *h, unsigned got)
{
    if (!g->lost || mpico_relay_now(g) - g->lost_since < g->right.times->dead)
        return 0;
    for (const struct relay_kept *k = g->kept; k; k = k->next)
        if (precedes(g, k->frame, k->len, h, got))
            return 0;
    if (one_waits(g, &g->left, h, got) || one_waits(g, &g->right, h, got))
        return 0;
    g->missing++;
    mpico_relay_say_gap(g, h->source);
    return 1;
}

static const struct relay_rescue rescue = {.onward = turn_round,
                                           .report = report,
                                           .gap = gap,
                                           .gossip = mpico_relay_gossip,
                                           .gather = mpico_relay_roll,
                                           .leave = mpico_relay_linger};

int mpico_relay_start(struct relay *g, struct rank *r, const struct relay_node *n, void *arena, size_t arena_bytes)
{
    return mpico_relay_join(g, r, n, arena, arena_bytes, &rescue);
}
