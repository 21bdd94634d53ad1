/* relay.h: a ring of nodes that are wired to two neighbours by reliable hops (hop.h), made into one link to all ranks.
 *
 * Nodes stand in the order of their ranks. Frames go to the right and are stored and forwarded. When a link is cut or a node
 * dies, the ring closes over the other direction: what could not go on to the right turns round and goes to the left.
 * docs/wire-format.md has the format, docs/reliable-ring.md why nothing is lost, doubled or overtaken.
 *
 * Contexts: the program's calls of the link (send, poll), mpico_relay_start() and mpico_relay_leave() come from one context.
 * mpico_relay_turn() may come from interrupts as well, at any time: it does nothing while the program is inside.
 */
#ifndef MPICO_NET_RELAY_H
#define MPICO_NET_RELAY_H

#include "../port.h"
#include "hop.h"

enum {
    RELAY_HEAD = 8,   /* bytes before the packet in a frame */
    RELAY_NODES = 120 /* in one ring, at most: distances and hops are bytes */
};

/* What a port says of its node. Read by mpico_relay_start() alone, but `times` and the lanes are used for ever. */
struct relay_node {
    struct lane *left, *right; /* not looked at in a ring of one */
    int rank, size;            /* rank < 0: the ring elects (needs mpico_relay_elect linked in) */
    uint32_t serial;           /* different in each node of a ring that elects */
    uint32_t nonce;            /* another at each start of this node; 0: made from serial, rank and time */
    uint8_t slots;             /* frames under way in the usual direction: 1, 2, 4, 8 */
    uint8_t spare_slots;       /* in the other, used when the ring is cut: 1, 2, 4, 8 */
    uint16_t slot_bytes;       /* longest frame, RELAY_HEAD + 32 + payload; the same in all nodes */
    uint32_t open_ticks;       /* how long to wait for the neighbours at start-up */
    const struct hop_times *times;
};

struct relay_kept;

struct relay {
    struct link link;
    /* The relay's own; whole words, and before the hops: the instructions that reach them are short. */
    int rank, size;          /* -1 and 0 until the ring has said which */
    int stage, late;         /* late: at the start, links that are not open count as cut */
    volatile int busy;       /* so many are inside: a turn that comes in an interrupt does nothing */
    struct hop *to;          /* over which the frame goes that is made now; NULL: it is to oneself, or lost */
    uint16_t *sent;          /* [2 * size]: the number of the next frame to each rank, and then from each */
    uint8_t *given_up;       /* a bit a rank: messages between it and this one are lost (relay_marks.c) */
    struct relay_kept *kept; /* messages to oneself, and frames that have overtaken others */
    unsigned turned;         /* of the frames that the cut right hop has left, those that have gone to the left */
    unsigned told_left, told_right; /* distances of cuts that the program has been told of */
    int unmarked;                   /* so many ranks are to be sent a mark */
    uint32_t polled;                /* when the program was last here, */
    uint32_t listened;              /* for how long it has been since the last loss, */
    uint32_t cramped;               /* and since anything has moved, with */
    int full;                       /* a frame in a slot that there is no memory for */
    uint32_t nonce;                 /* of this node at this start */
    uint32_t dropped;               /* counters, frames: with nowhere to go; */
    uint32_t damaged;               /* that no node of this ring sends; */
    uint32_t duplicates;            /* that came both ways; */
    uint32_t missing;               /* gaps that a dead node has left */
    struct hop left, right;
};

/* Bytes of the rank's arena that a relay takes, beside the tables of mpico_rank_place(); a multiple of 8. */
size_t mpico_relay_bytes(const struct relay_node *);

/* Open the links, find or check rank and size, place the rank (mpico_rank_place(); a call before this one does no harm) and attach
 * the link to it. `arena`, aligned to 8, is the rank's for ever: its first mpico_relay_bytes() hold the slots of the links.
 * Waits with machine.wait. 0, or negative with the reason said through machine.say: the port then ends the node. Of an
 * error that one node sees the others know soon after; each says it. */
int mpico_relay_start(struct relay *, struct rank *, const struct relay_node *, void *arena, size_t arena_bytes);

/* Move frames: poll() does it, and an interrupt may, so that a node that computes still forwards. How many moved. Never calls
 * mpico_arrive() or machine.say. */
int mpico_relay_turn(struct relay *, uint32_t now);

/* Before the port leaves, after the ranks have synchronised: forward for others until all have come here and the neighbours know,
 * or `ticks` are over. What still comes for this rank is dropped. */
void mpico_relay_leave(struct relay *, uint32_t ticks);

#endif
