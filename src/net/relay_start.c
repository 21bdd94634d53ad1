/* relay_start.c: the links of a node are opened, the ring is attached to its rank, and left.
 * Between opening and attaching all wait for each other (relay_roll.c).
 */
#include <string.h>

#include "relay_parts.h"

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
    return mpico_relay_say(g, "the arena is too small for the links and the tables of this ring");
}

static int attach(struct relay *g, const struct relay_node *n, void *memory, size_t bytes)
{
    struct rank *r = g->link.rank;
    size_t numbers = 2 * (size_t)g->size * sizeof *g->sent, table = numbers + (size_t)g->size / 8 + 1;
    if (mpico_rank_place(r, g->rank, g->size, memory, bytes) || !(g->sent = mpico_heap_alloc(&r->heap, table)))
        return too_small(g);
    memset(g->sent, 0, table);
    g->given_up = (uint8_t *)g->sent + numbers;
    g->told_right = g->told_left = (unsigned)g->size;
    g->link.mtu = g->link.eager_max_bytes = n->slot_bytes - RELAY_HEAD - sizeof(struct packet);
    g->link.get_min_bytes = SIZE_MAX;
    g->stage = STAGE_RUNNING;
    mpico_rank_attach(r, &g->link, 0, g->size - 1);
    return 0;
}

int mpico_relay_start(struct relay *g, struct rank *r, const struct relay_node *n, void *arena, size_t arena_bytes)
{
    size_t links = mpico_relay_bytes(n);
    memset(g, 0, sizeof *g);
    g->link.ops = &mpico_relay_ops;
    g->link.rank = r;
    g->rank = n->rank;
    g->size = n->rank < 0 ? 0 : n->size;
    if (links >= arena_bytes)
        return too_small(g);
    if (g->size != 1) {
        open_links(g, n, arena);
        if (mpico_relay_roll(g, n))
            return -1;
    }
    return attach(g, n, (uint8_t *)arena + links, arena_bytes - links);
}
