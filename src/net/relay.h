/* relay.h: a ring of nodes that are wired to two neighbours by reliable hops (hop.h), made into one link to all ranks.
 *
 * Nodes stand in the order of their ranks. Frames go to the right and are stored and forwarded. When a link is cut or a node
 * dies, the ring closes over the other direction: what could not go on to the right turns round and goes to the left.
 * docs/wire-format.md has the format, docs/reliable-ring.md why nothing is lost, doubled or overtaken.
 */
#ifndef MPICO_NET_RELAY_H
#define MPICO_NET_RELAY_H

#include "../port.h"
#include "hop.h"

enum { RELAY_HEAD = 8 /* bytes before the packet in a frame */ };

/* What a port says of its node. */
struct relay_node {
    struct lane *left, *right;
    int rank, size;      /* rank < 0: the ring elects (needs mpico_relay_elect linked in) */
    uint32_t serial;     /* different in each node of a ring that elects */
    uint8_t slots;       /* frames under way in the usual direction: 1, 2, 4, 8 */
    uint8_t spare_slots; /* in the other, used when the ring is cut: 1, 2, 4, 8 */
    uint16_t slot_bytes; /* longest frame, RELAY_HEAD + 32 + payload; the same in all nodes */
    uint32_t open_ticks; /* how long to wait for the neighbours at start-up */
    const struct hop_times *times;
};

struct relay {
    struct link link;
    struct hop left, right;
    /* The rest is relay.c's. */
};

/* Bytes of the rank's arena that a relay takes. */
size_t mpico_relay_bytes(const struct relay_node *);

/* Open the links, find or check rank and size, attach the link to the rank (mpico_rank_place() first where rank and size are
 * known; an election calls it with `arena`). Waits with machine.wait. 0, or negative with the reason said through machine.say.
 */
int mpico_relay_start(struct relay *, struct rank *, const struct relay_node *, void *arena, size_t arena_bytes);

/* Move frames: from poll() and, in a port that locks, from an interrupt. How many moved. */
int mpico_relay_turn(struct relay *, uint32_t now);

/* Before the port leaves: stay until all that this node has to forward and to send is acknowledged, or `ticks` are over. */
void mpico_relay_leave(struct relay *, uint32_t ticks);

#endif
