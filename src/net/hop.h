/* hop.h: a reliable link to one neighbour over a lane (lane.h), both ways at once: what is sent comes once, undamaged and in
 * order, or the link is reported as cut.
 *
 * Frames have sequence numbers and check sums; the receiver acknowledges, also those that came after a missing one, and
 * says how many more it has room for, so that a slow node stops its neighbour and nothing is thrown away. A
 * frame that is not acknowledged in time is sent again. The format of the wire is in docs/wire-format.md.
 *
 * Nothing here blocks, allocates, or knows a clock: mpico_hop_turn() is called often, with the time. All functions of one hop
 * are called from one context at a time (a port that also calls from interrupts locks around the others).
 */
#ifndef MPICO_NET_HOP_H
#define MPICO_NET_HOP_H

#include <stddef.h>
#include <stdint.h>

#include "lane.h"

enum {
    HOP_VERSION = 1,
    HOP_HEAD = 12,      /* bytes before the payload of a frame */
    HOP_SLOTS_MAX = 8,  /* frames under way in one direction */
    HOP_NEWS_BYTES = 12 /* what a control frame carries for the layer above */
};

enum hop_state { HOP_OPENING, HOP_OPEN, HOP_CUT };

/* Why it is cut, or does not open. */
enum hop_trouble {
    HOP_FINE,
    HOP_SILENT,  /* nothing valid has come for `dead` ticks */
    HOP_BABBLES, /* and much that is not a frame */
    HOP_NEWER,   /* the neighbour speaks a newer version of the wire; it is in peer_version */
    HOP_RESTART, /* the neighbour has started again */
    HOP_SIZES    /* its slots are shorter than ours: its frames and ours do not fit */
};

/* Ticks of about a millisecond (2^20 ns). */
struct hop_times {
    uint16_t resend;    /* an unacknowledged frame goes again after this */
    uint16_t heartbeat; /* something is sent at least so often */
    uint16_t dead;      /* silence for this long: cut */
};

struct hop; /* members: private to hop.c but for those named here */

/* Open a link over `lane`. `memory` holds mpico_hop_bytes(slots_out, slots_in, slot_bytes) bytes, aligned to 4, for ever; `nonce`
 * is not 0 and differs from the one of the last start. Slots: powers of two up to HOP_SLOTS_MAX; a slot is the longest payload
 * of a frame, the same at both ends. */
void mpico_hop_open(struct hop *, struct lane *, void *memory, unsigned slots_out, unsigned slots_in,
                    unsigned slot_bytes, uint32_t nonce, const struct hop_times *, uint32_t now);
size_t mpico_hop_bytes(unsigned slots_out, unsigned slots_in, unsigned slot_bytes);

/* How many more frames may be given to mpico_hop_send() now. */
unsigned mpico_hop_room(const struct hop *);
/* Send one frame: `head` and then `body`, together up to slot_bytes; copies both. 0; MPICO_AGAIN without room. Works while
 * opening as well: the frame waits. */
int mpico_hop_send(struct hop *, const void *head, size_t head_len, const void *body, size_t body_len);

/* The oldest frames that have come in order and are not taken, oldest first: the i-th of them (from 0), or NULL. Stays valid until
 * mpico_hop_take() of it. They may be taken in any order; room for the neighbour comes back with the oldest. */
const uint8_t *mpico_hop_peek(const struct hop *, unsigned i, size_t *len);
void mpico_hop_take(struct hop *, unsigned i);

/* Read what has come, answer, send, send again. How many frames came or were acknowledged (0: nothing has moved). */
int mpico_hop_turn(struct hop *, uint32_t now);
/* Ticks until it must be called again though nothing comes. */
uint32_t mpico_hop_sleep(const struct hop *, uint32_t now);

/* For the layer above, when this link is cut: frames that the neighbour has not acknowledged, oldest first, the i-th or NULL. */
const uint8_t *mpico_hop_unsent(const struct hop *, unsigned i, size_t *len);

struct hop {
    struct lane *lane;
    const struct hop_times *times;
    uint8_t state, trouble, peer_version;
    /* Goes out with every control frame, and came with the last: for what must reach the neighbour though all slots are
     * full. Lost and repeated like the frames that carry it. */
    uint8_t news[HOP_NEWS_BYTES], peer_news[HOP_NEWS_BYTES];
    uint8_t news_due;  /* 1: send a control frame at the next turn */
    uint16_t expected; /* the next sequence number from the neighbour: below, everything has come */
    uint32_t damaged, resent, duplicates, noise; /* counters: frames, frames, frames, bytes */
    /* The rest is hop.c's; change it as needed. */
    uint32_t heard, said, nonce, peer_nonce;
};

#endif
