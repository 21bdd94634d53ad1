/* relay_roll.c: the nodes of a ring find each other before anybody starts, and nobody leaves before all do.
 *
 * When both links of a node are open it waits for the roll, a frame that rank 0 sends round: each node compares its rank with
 * the count, and the size with its own belief, or takes its rank from the count. Back at rank 0 the roll goes
 * round once more, as the start signal or with the error found. So nobody starts before all are there, and everybody knows
 * why when nobody does. A link that does not open is told of by the news (relay_news.c), like one that is cut later.
 */
#include <string.h>

#include "relay_parts.h"

static int is_over(const struct relay *g, uint32_t since, uint32_t ticks)
{
    return mpico_relay_now(g) - since >= ticks;
}

static int turn(struct relay *g) { return mpico_relay_turn(g, mpico_relay_now(g)); }

/* Turn, or wait when nothing moves. */
static void rest(struct relay *g, uint32_t idle)
{
    struct rank *r = g->link.rank;
    if (!turn(g))
        r->machine->wait(r, idle);
}

/* Nothing more is to be told to this neighbour. */
static int knows(const struct relay *g, const struct hop *h)
{
    return h->state == HOP_CUT || h->peer_news[NEWS_LEAVING] > g->size;
}

/* Stay for so long, or until all know that all leave. */
static void linger(struct relay *g, uint32_t ticks, int leaving)
{
    uint32_t since = mpico_relay_now(g), idle = 0;
    while (!is_over(g, since, ticks) &&
           !(leaving && g->stage == STAGE_LEFT && knows(g, &g->left) && knows(g, &g->right)))
        rest(g, idle++);
}

/* ---- What may go wrong ---- */

/* The ring does not come up. The port is about to end the node: let what it has to tell reach the neighbours. */
static int give_up(struct relay *g, const struct relay_roll *m, int unopened)
{
    if (unopened)
        mpico_relay_say_unopened(g);
    else
        mpico_relay_say_fault(g, m);
    linger(g, 3u * g->left.times->heartbeat, 0);
    return -1;
}

/* Negative: the ring does not come up. Links have open_ticks, and the roll as much again, so that a node whose links are
 * open hears first of those that are not. When another node's link has failed this node's own, if it is silent, is named before. */
static int unopened(struct relay *g, const struct relay_node *node, uint32_t since)
{
    unsigned failed = cut_left(g) | cut_right(g);
    uint32_t waited = mpico_relay_now(g) - since;
    int known = failed && g->late; /* there has been a turn since */
    if (known || waited >= 2 * node->open_ticks)
        return give_up(g, NULL, known);
    g->late |= failed || waited >= node->open_ticks;
    return 0;
}

/* ---- The roll ---- */

/* Turn and wait until a frame comes, and there is room for one to the right: 0; negative when the ring does not come up. */
static int await(struct relay *g, const struct relay_node *node, struct relay_roll *m)
{
    uint32_t since = mpico_relay_now(g), idle = 0;
    size_t len = 0;
    do {
        const uint8_t *f = mpico_hop_room(&g->right) ? mpico_hop_peek(&g->left, 0, &len) : NULL;
        if (f) {
            memcpy(m, f, sizeof *m); /* no slot is shorter */
            mpico_hop_take(&g->left, 0);
            if (len == sizeof *m)
                return 0;
        }
        rest(g, idle++);
    } while (!unopened(g, node, since));
    return -1;
}

static void pass_on(struct relay *g, const struct relay_roll *m)
{
    mpico_hop_send(&g->right, m, sizeof *m, NULL, 0);
    turn(g); /* it goes at once, though start() may be over */
}

/* This node's word on the roll. */
static void answer(struct relay *g, struct relay_roll *m)
{
    unsigned size = (unsigned)g->size;
    int back = g->rank == 0 && m->nonce == g->nonce, wrong = !m->fault;
    if (g->rank < 0)
        g->rank = (int)m->count;
    if (back)
        wrong = wrong && ((size && size != m->count) || m->count > RELAY_NODES);
    else
        wrong = (wrong && ((unsigned)g->rank != m->count || size != m->size)) || g->rank == 0;
    if (wrong) {
        m->fault = ROLL_WRONG;
        m->who = (uint16_t)g->rank;
        m->at = m->count;
        m->believes = (uint16_t)size;
    }
    if (back) {
        m->kind = RELAY_GO;
        m->size = m->count;
    } else {
        m->count++;
    }
}

int mpico_relay_roll(struct relay *g, const struct relay_node *node)
{
    struct relay_roll m = {.count = 1,
                           .size = (uint16_t)g->size,
                           .kind = g->rank < 0 ? RELAY_ELECT : RELAY_ROLL,
                           .serial = node->serial,
                           .nonce = g->nonce};
    int send = g->rank <= 0;
    for (;;) {
        if (send)
            pass_on(g, &m);
        if (m.kind == RELAY_GO)
            break;
        if (await(g, node, &m))
            return -1;
        if (m.kind == RELAY_ROLL)
            answer(g, &m);
        send = m.kind != RELAY_ELECT || (mpico_relay_elect && mpico_relay_elect(g, node, &m));
    }
    g->size = (int)m.size;
    return m.fault ? give_up(g, &m, 0) : 0;
}

void mpico_relay_leave(struct relay *g, uint32_t ticks)
{
    if (g->size == 1)
        return;
    g->stage = STAGE_LEAVING;
    linger(g, ticks, 1);
    linger(g, g->left.times->heartbeat, 0); /* for neighbours whose news were lost */
}
