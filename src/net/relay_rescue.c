/* relay_rescue.c: a ring that closes when a link is cut, and says so.
 *
 * At the cut what would go to the right turns round. Where the distances to a cut on either side are known, the ranks between them
 * cannot be reached: one, if a node has died; none, where one link alone is cut.
 */
#include "relay_parts.h"

/* What the cut link has left goes to the left before anything else does: while it cannot, there is no room for others either. */
struct hop *mpico_relay_turn_round(struct relay *g)
{
    struct hop *to = relay_backward(g);
    size_t len;
    const uint8_t *f;
    for (; (f = mpico_hop_unsent(&g->right, g->turned, &len)) != NULL; g->turned++)
        if (mpico_relay_pass(g, to, f, len))
            break;
    return to;
}

void mpico_relay_report(struct relay *g)
{
    unsigned right = cut_right(g), left = cut_left(g), size = (unsigned)g->size;
    if (!right || !left || (right == g->told_right && left == g->told_left))
        return;
    for (unsigned k = right; k + left <= size; k++)
        if (k < g->told_right || k + g->told_left > size) {
            mpico_relay_say_lost(g, relay_rank(g, k), right + left == size ? LOSS_DEAD : LOSS_CUT_OFF);
            mpico_relay_lost(g);
        }
    if (right + left > size && (right == 1 || left == 1))
        mpico_relay_say_closed(g);
    g->told_right = right;
    g->told_left = left;
}
