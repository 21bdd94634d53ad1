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

/* What was under way through a rank that has died has had the time in which the others learn of it to come. */
static int gap(struct relay *g, int source)
{
    if (!g->lost || mpico_relay_now(g) - g->lost_since < g->right.times->dead)
        return 0;
    g->missing++;
    mpico_relay_say_gap(g, source);
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
