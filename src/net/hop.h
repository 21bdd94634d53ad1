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

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "lane.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "heads go as they lie in memory, which is the wire's order");

enum {
    HOP_VERSION = 1,
    HOP_HEAD = 12,                                   /* bytes before the payload of a frame */
    HOP_TAIL = 4,                                    /* and behind it */
    HOP_SLOTS_MAX = 8,                               /* frames under way in one direction */
    HOP_NEWS_BYTES = 12,                             /* what a control frame carries for the layer above */
    HOP_SMALL = HOP_HEAD + HOP_NEWS_BYTES + HOP_TAIL /* a frame that carries no data, in bytes */
};

enum hop_state { HOP_OPENING, HOP_OPEN, HOP_CUT };

/* Why it is cut, or does not open. */
enum hop_trouble {
    HOP_FINE,
    HOP_SILENT,  /* nothing valid has come for `dead` ticks */
    HOP_BABBLES, /* and much that is not a frame */
    HOP_NEWER,   /* the neighbour speaks another version of the wire; it is in peer_version */
    HOP_RESTART, /* the neighbour has started again */
    HOP_SIZES    /* its slots are not as long as ours */
};

/* Ticks of about a millisecond (2^20 ns). `heartbeat` is a small part of `dead`. */
struct hop_times {
    uint16_t resend;    /* unacknowledged frames go again after this */
    uint16_t heartbeat; /* a control frame is sent so often */
    uint16_t dead;      /* silence for this long: cut */
};

struct hop; /* members: private to hop.c but for those named here */

/* Open a link over `lane`. `memory` holds mpico_hop_bytes(slots_out, slots_in, slot_bytes) bytes, aligned to 4, for ever; `nonce`
 * is not 0 and differs from the one of the last start. Slots: powers of two up to HOP_SLOTS_MAX; a slot is the longest payload
 * of a frame, the same at both ends. Payloads lie at multiples of 8 bytes from `memory`. */
void mpico_hop_open(struct hop *, struct lane *, void *memory, unsigned slots_out, unsigned slots_in,
                    unsigned slot_bytes, uint32_t nonce, const struct hop_times *, uint32_t now);
size_t mpico_hop_bytes(unsigned slots_out, unsigned slots_in, unsigned slot_bytes);

/* How many more frames may be given to mpico_hop_send() now. */
unsigned mpico_hop_room(const struct hop *);
/* Send one frame: `head` and then `body`, together up to slot_bytes; copies both. 0; MPICO_AGAIN without room. Works while
 * opening as well: the frame waits. */
int mpico_hop_send(struct hop *, const void *head, size_t head_len, const void *body, size_t body_len);
/* The same in two steps: room for a frame of `len` bytes, or NULL; and, before any other call of this hop, it is filled. */
uint8_t *mpico_hop_slot(struct hop *, size_t len);
static inline void hop_filled(struct hop *);

/* The oldest frames that have come in order and are not taken, oldest first: the i-th of them (from 0), or NULL. Stays valid until
 * mpico_hop_take() of it. They may be taken in any order; room for the neighbour comes back with the oldest. */
const uint8_t *mpico_hop_peek(const struct hop *, unsigned i, size_t *len);
void mpico_hop_take(struct hop *, unsigned i);

/* Read what has come, answer, send, send again. How many frames came or were acknowledged (0: nothing has moved). */
int mpico_hop_turn(struct hop *, uint32_t now);
/* Ticks until it must be called again though nothing comes; UINT32_MAX when it is cut. */
uint32_t mpico_hop_sleep(const struct hop *, uint32_t now);

/* For the layer above, when this link is cut: frames that the neighbour has not acknowledged, oldest first, the i-th or NULL. Its
 * sequence number is acked + i: what the neighbour has beyond its `expected` it does not deliver. */
const uint8_t *mpico_hop_unsent(const struct hop *, unsigned i, size_t *len);

/* A head as it is on the wire, where numbers are little-endian. */
struct hop_head {
    uint8_t sync, kind;
    uint16_t sequence, ack;
    uint8_t ahead, room;
    uint16_t length, check;
};
static_assert(sizeof(struct hop_head) == HOP_HEAD, "the head has no holes");

/* The payload of a HELLO, and room for its check sum. A nonce is four bytes that nobody reads as a number. */
struct hop_hello {
    uint32_t nonce, echo;
    uint16_t slot_bytes;
    uint8_t open, spare;
    uint32_t check;
};
static_assert(sizeof(struct hop_hello) == HOP_NEWS_BYTES + HOP_TAIL, "a HELLO is as long as a control frame");

struct hop {
    uint8_t state, trouble, peer_version;
    uint8_t news_due; /* 1: send a control frame at the next turn */

    /* hop.c's own, but for expected, acked, the counters and the news. Small members come first: the instructions that
     * reach them are short. */
    uint8_t met;                    /* a frame of this session has come: its HELLO was not an old one */
    uint8_t hello_due, ack_due;     /* a HELLO, a head is to be sent soon */
    uint8_t mask_out, mask_in;      /* slots - 1 */
    uint8_t again, held, hurried;   /* bit i: frame acked + i goes again; the neighbour has it; it went again early */
    uint8_t flying, given, allowed; /* how many from `acked` on: have been sent, were given to us, may be sent */
    uint8_t ready;      /* how many before `expected` keep their slots: since the oldest that is not taken */
    uint8_t freed;      /* how many slots the neighbour does not know to be free */
    uint8_t here;       /* bit i: frame expected - ready + i has come and is not taken */
    uint8_t rx_payload; /* a head has come, its payload comes */
    struct hop_head rx, tx;

    uint16_t expected; /* the next sequence number from the neighbour: below, everything has come */
    uint16_t acked;    /* our oldest frame that is not acknowledged */

    uint16_t stride; /* bytes from slot to slot */
    struct lane *lane;
    const struct hop_times *times;
    size_t rx_left, tx_left;                     /* bytes to come of this head or payload; to go of this frame */
    uint32_t damaged, resent, duplicates, noise; /* counters: frames, frames, frames, bytes */

    uint32_t start_in, start_out; /* of the check sums of this session */
    uint32_t heard, said, pushed; /* when: the last valid frame, HELLO or CONTROL begun, DATA sent or acknowledged */
    uint32_t rx_since, rx_check, noise_heard;
    uint8_t *memory, *memory_in; /* outgoing slots, incoming slots */
    uint8_t *rx_end, *tx_end;    /* of what comes (NULL: it is read and forgotten), of the payload that goes */

    /* Goes out with every control frame, and came with the last: for what must reach the neighbour though all slots are
     * full. Lost and repeated like the frames that carry it: set news_due after a change. */
    uint8_t news[HOP_NEWS_BYTES + HOP_TAIL]; /* the tail is hop.c's */
    uint8_t peer_news[HOP_NEWS_BYTES];

    struct hop_hello hello; /* ours; echo: the neighbour's nonce */
    union {
        struct hop_hello hello;
        uint8_t bytes[HOP_NEWS_BYTES + HOP_TAIL];
    } rx_small; /* the payload that comes, if it is not data */
};

static inline void hop_filled(struct hop *h) { h->given++; }

#endif
