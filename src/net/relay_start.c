/* relay_start.c: the links of a node are opened, the ring is attached to its rank, and left.
 *
 * A ring that is careful (relay.h) waits until all are there (relay_roll.c). Another one starts at once: what a rank sends waits in
 * its slots until the links are open.
 */
#include <string.h>

#include "relay_parts.h"

static int say(const struct relay *g, const char *line)
{
    struct rank *r = g->link.rank;
    if (r->machine->say)
        r->machine->say(r, line);
    return -1;
}

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
        g->open_until = mpico_relay_now(g) + n->open_ticks;
        if (rescue && rescue->gather(g, n))
            return -1;
    }
    return attach(g, n, (uint8_t *)arena + links, arena_bytes - links);
}

/* Without news nobody knows whether the others still need this node: it stays until nothing has come for some time. */
static void leave_quietly(struct relay *g)
{
    uint32_t quiet = 3u * g->left.times->resend, last = mpico_relay_now(g), idle = 0;
    while (mpico_relay_now(g) - last < quiet) {
        if (mpico_relay_turn(g, mpico_relay_now(g)))
            last = mpico_relay_now(g);
        g->link.rank->machine->wait(g->link.rank, idle++);
    }
}

void mpico_relay_leave(struct relay *g, uint32_t ticks)
{
    if (g->size == 1)
        return;
    if (g->rescue)
        g->rescue->leave(g, ticks);
    else
        leave_quietly(g);
}
