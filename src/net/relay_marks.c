/* relay_marks.c: what was lost in a node that has died.
 *
 * The dead node has acknowledged frames and not passed them on. The rank where they should have come sees a gap in the numbers of their
 * source when a later frame comes. So that one does, every rank that loses another sends each rank a mark, which is numbered as packets are. When the
 * program has listened for so long that all else must have come, what is still missing never will.
 *
 * What it was nobody knows: a message, or a packet that somebody needs to go on. So the two ranks give each other up, as if dead, and
 * whatever they want of each other ends with an error. A mark says whom its sender has given up: the source learns of it by that,
 * and the others that a collective to which both belong will not end.
 */
#include <string.h>

#include "relay_parts.h"

void mpico_relay_lost(struct relay *g)
{
    g->unmarked = g->size;
    g->listened = 0;
}

static void give_up(struct relay *g, int rank)
{
    g->given_up[rank / 8] |= (uint8_t)(1u << rank % 8);
    mpico_relay_say_lost(g, rank, LOSS_GIVEN_UP);
    mpico_relay_lost(g);
}

static void mark(struct relay *g)
{
    size_t len = relay_mark_bytes(g) - RELAY_HEAD;
    for (; g->unmarked; g->unmarked--) {
        uint8_t *f;
        if (g->unmarked - 1 == g->rank)
            continue;
        if (!(f = mpico_relay_begin(g, g->unmarked - 1, RELAY_MARK, len)))
            return;
        memcpy(f, g->given_up, len);
        mpico_relay_end(g);
    }
}

int mpico_relay_marked(struct relay *g, const struct relay_head *h)
{
    const uint8_t *given_up = (const uint8_t *)(h + 1);
    if (!g->link.rank->lost)
        return MPICO_AGAIN; /* the news of the death is still on its way */
    mpico_torn(g->link.rank, h->source, given_up);
    if (given_up[g->rank / 8] >> g->rank % 8 & 1)
        give_up(g, h->source);
    return 0;
}

static int is_next(const struct relay *g, const uint8_t *f, const struct relay_head *next)
{
    const struct relay_head *h = (const struct relay_head *)(const void *)f;
    return h->dest == (unsigned)g->rank && h->source == next->source && h->number == next->number;
}

/* The next frame is here: core has put it off, or it is yet to be looked at. */
static int waits(const struct relay *g, const struct relay_head *next)
{
    const struct hop *const hops[] = {&g->left, &g->right};
    size_t len;
    const uint8_t *f;
    for (const struct relay_kept *k = g->kept; k; k = k->next)
        if (is_next(g, k->frame, next))
            return 1;
    for (int way = 0; way < 2; way++)
        for (unsigned i = 0; (f = mpico_hop_peek(hops[way], i, &len)) != NULL; i++)
            if (is_next(g, f, next))
                return 1;
    return 0;
}

int mpico_relay_gap(struct relay *g, unsigned source, unsigned number)
{
    const struct relay_head next = {.source = (uint16_t)source, .number = (uint16_t)number};
    if (!g->link.rank->lost || g->listened < g->right.times->dead || waits(g, &next))
        return 0;
    g->missing++;
    give_up(g, (int)source);
    return 1;
}

/* While the program computes nothing is taken out of the slots, and what comes stands behind them: that time counts little. */
void mpico_relay_listen(struct relay *g)
{
    const struct hop_times *t = g->right.times;
    uint32_t now = mpico_relay_now(g), pause = now - g->polled;
    g->polled = now;
    if (pause > t->heartbeat)
        pause = t->heartbeat;
    if (g->listened < t->dead)
        g->listened += pause;
    g->cramped = g->full ? g->cramped + pause : 0;
    if (g->cramped > 2u * t->dead)
        g->link.rank->machine->halt(g->link.rank, 1,
                                    "no memory for messages that come early round the ring that is cut");
    g->full = 0;
    mark(g);
}
