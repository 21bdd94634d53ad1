/* relay_start.c: nodes become a ring, and leave it.
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

static void turn(struct relay *g) { mpico_relay_turn(g, mpico_relay_now(g)); }

/* Turn and wait. */
static void rest(struct relay *g, uint32_t idle)
{
    struct rank *r = g->link.rank;
    turn(g);
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

static int say(const struct relay *g, const char *line)
{
    struct rank *r = g->link.rank;
    if (r->machine->say)
        r->machine->say(r, line);
    return -1;
}

/* The ring does not come up. The port is about to end the node: let what it has to tell reach the neighbours. */
static int give_up(struct relay *g, const struct relay_roll *m, int unopened)
{
    if (!g->rescue)
        say(g, "the ring does not come up");
    else if (unopened)
        g->rescue->unopened(g);
    else
        g->rescue->fault(g, m);
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

static int roll(struct relay *g, const struct relay_node *node)
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

/* ---- Start and end ---- */

size_t mpico_relay_bytes(const struct relay_node *n)
{
    return n->size == 1 ? 0 : 2 * mpico_hop_bytes(n->slots, n->spare_slots, n->slot_bytes);
}

static void open_links(struct relay *g, const struct relay_node *n, uint8_t *memory)
{
    uint32_t now = mpico_relay_now(g);
    /* Without a nonce of the port's: what differs from node to node, and from start to start if the clock does. */
    g->nonce = n->nonce;
    if (!g->nonce)
        g->nonce = ((n->serial ^ (uint32_t)n->rank << 16) + (uint32_t)g->link.rank->machine->now()) | 1;
    mpico_hop_open(&g->right, n->right, memory, n->slots, n->spare_slots, n->slot_bytes, g->nonce, n->times, now);
    mpico_hop_open(&g->left, n->left, memory + mpico_relay_bytes(n) / 2, n->spare_slots, n->slots, n->slot_bytes,
                   g->nonce, n->times, now);
}

static int too_small(const struct relay *g)
{
    return say(g, "the arena is too small for the links and the tables of this ring");
}

static int attach(struct relay *g, const struct relay_node *n, void *memory, size_t bytes)
{
    struct rank *r = g->link.rank;
    size_t table = (size_t)g->size * sizeof *g->sent;
    if (mpico_rank_place(r, g->rank, g->size, memory, bytes) || !(g->sent = mpico_heap_alloc(&r->heap, 2 * table)))
        return too_small(g);
    memset(g->sent, 0, 2 * table);
    g->told_right = g->told_left = (unsigned)g->size;
    g->link.mtu = g->link.eager_max_bytes = n->slot_bytes - RELAY_HEAD - sizeof(struct packet);
    g->link.get_min_bytes = SIZE_MAX;
    g->link.reliable = g->link.ordered = 1;
    g->stage = STAGE_RUNNING;
    mpico_rank_attach(r, &g->link, 0, g->size - 1);
    return 0;
}

int mpico_relay_join(struct relay *g, struct rank *r, const struct relay_node *n, void *arena, size_t arena_bytes,
                     const struct relay_rescue *rescue)
{
    size_t links = mpico_relay_bytes(n);
    memset(g, 0, sizeof *g);
    g->link.ops = &mpico_relay_ops;
    g->rescue = rescue;
    g->link.rank = r;
    g->rank = n->rank;
    g->size = n->rank < 0 ? 0 : n->size;
    if (links >= arena_bytes)
        return too_small(g);
    if (g->size != 1) {
        open_links(g, n, arena);
        if (roll(g, n))
            return -1;
    }
    return attach(g, n, (uint8_t *)arena + links, arena_bytes - links);
}

void mpico_relay_leave(struct relay *g, uint32_t ticks)
{
    if (g->size == 1)
        return;
    g->stage = STAGE_LEAVING;
    linger(g, ticks, 1);
    linger(g, g->left.times->heartbeat, 0); /* for neighbours whose news were lost */
}
