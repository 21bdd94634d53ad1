/* relay_parts.h: what the files of the relay share: relay.c moves frames, relay_news.c tells neighbours of cuts,
 * relay_rescue.c closes the ring and tells the program, relay_marks.c finds what was lost in a node that died,
 * relay_start.c and relay_roll.c make nodes a ring, relay_say.c has the sentences, relay_elect.c finds a rank 0 where none is given.
 */
#ifndef MPICO_NET_RELAY_PARTS_H
#define MPICO_NET_RELAY_PARTS_H

#include <assert.h>

#include "../base/optional.h"
#include "../core/lost.h"
#include "relay.h"

enum relay_stage {
    STAGE_STARTING,
    STAGE_RUNNING,
    STAGE_LEAVING, /* this rank has ended */
    STAGE_LEFT     /* and knows that all others have */
};

enum relay_kind {
    RELAY_PACKET = 1,
    RELAY_ROLL,  /* counts the nodes and compares what they believe */
    RELAY_GO,    /* the start signal, or the error that the roll has found */
    RELAY_ELECT, /* somebody wants to be rank 0 */
    RELAY_MARK   /* numbered as a packet, with none: behind the head a bit for each rank that the source has given up */
};

/* At the beginning of a frame with a packet. On the wire as in memory, like the packet behind it. */
struct relay_head {
    uint16_t dest, source; /* world ranks */
    uint8_t kind, hops;    /* hops: nodes that have passed it on, since it turned if it has */
    uint16_t number;       /* counts the frames from source to dest */
};
static_assert(sizeof(struct relay_head) == RELAY_HEAD, "the head has no holes");

static inline size_t relay_mark_bytes(const struct relay *g) { return RELAY_HEAD + (unsigned)g->size / 8 + 1; }

/* All of a frame of another kind; `kind` where a head has it. */
struct relay_roll {
    uint16_t count, size;       /* nodes so far; ROLL: what rank 0 believes; GO: nodes of the ring */
    uint8_t kind, fault;        /* fault: enum relay_fault. Of the first one, if it is ROLL_WRONG: */
    uint16_t who, at, believes; /* the node, what it was counted as, and its size */
    uint32_t serial, nonce;     /* of the node that sent this frame first */
};
static_assert(sizeof(struct relay_roll) == 20, "a roll has no holes");
static_assert(offsetof(struct relay_roll, kind) == offsetof(struct relay_head, kind), "one place for the kind");

enum relay_fault { ROLL_FINE, ROLL_WRONG, ROLL_SERIAL /* two nodes have the same */ };

/* The news of a hop (hop.h), each told to one neighbour of what is known of the other side. */
enum relay_news {
    NEWS_CUT,     /* 0: no cut is known; 1: the link on the sender's other side is cut; 2: the next one ... */
    NEWS_LEAVING, /* so many nodes in a row, the sender first, are leaving; size + 1: it knows that all are */
    NEWS_TROUBLE, /* of the cut: enum hop_trouble */
    NEWS_VERSION, /* and what hop.h says of it */
    NEWS_NOISE,   /* 4 bytes */
    NEWS_USED = NEWS_NOISE + 4
};

/* How far away the nearest cut is on that side: 0 none is known, 1 this node's own link. */
static inline unsigned cut_right(const struct relay *g) { return g->left.news[NEWS_CUT]; }
static inline unsigned cut_left(const struct relay *g) { return g->right.news[NEWS_CUT]; }

/* The rank `distance` nodes to the right. */
static inline int relay_rank(const struct relay *g, unsigned distance)
{
    int rank = g->rank + (int)distance;
    return rank < g->size ? rank : rank - g->size;
}

/* A frame for this rank that waits outside of the slots. */
struct relay_kept {
    struct relay_kept *next;
    size_t len;
    _Alignas(8) uint8_t frame[];
};

extern const struct link_ops mpico_relay_ops;

/* Ticks of 2^20 ns. */
uint32_t mpico_relay_now(const struct relay *);

/* To the left; NULL: nowhere. */
static inline struct hop *relay_backward(struct relay *g) { return g->left.state == HOP_CUT ? NULL : &g->left; }

/* Send a frame on, or drop it where there is nowhere to go: 0. MPICO_AGAIN. */
int mpico_relay_pass(struct relay *, struct hop *to, const uint8_t *frame, size_t len);

/* Room for `len` bytes behind the head of a frame of this node's own; NULL: there is none now. Nothing else moves until mpico_relay_end():
 * they are there. */
uint8_t *mpico_relay_begin(struct relay *, int dest, enum relay_kind, size_t len);
void mpico_relay_end(struct relay *);

/* relay_news.c. Exchange news between the hops: from a turn. */
void mpico_relay_gossip(struct relay *);

/* relay_roll.c. Wait until all nodes are there. Negative: they are not, which has been said. */
int mpico_relay_roll(struct relay *, const struct relay_node *);

/* relay_rescue.c. The link to the right is cut: where frames go that would go there, NULL: nowhere. */
struct hop *mpico_relay_turn_round(struct relay *);
/* Tell the program what has changed: from poll(). */
void mpico_relay_report(struct relay *);

/* relay_marks.c. The rank has lost another one. */
void mpico_relay_lost(struct relay *);
/* Send the marks that there is room for, and see how long the program has listened: from poll(). */
void mpico_relay_listen(struct relay *);
/* A mark has come. 0; MPICO_AGAIN: too early. */
int mpico_relay_marked(struct relay *, const struct relay_head *);
/* A frame has come of a source whose `number` is missing before it. 1: that will never come, and the source is given up. */
int mpico_relay_gap(struct relay *, unsigned source, unsigned number);

/* relay_elect.c, linked in when asked for. A node without rank has got a frame of the election, and it now is what is to be
 * passed on (1), or goes no further (0). */
OPTIONAL int mpico_relay_elect(struct relay *, const struct relay_node *, struct relay_roll *);

/* relay_say.c. */
int mpico_relay_say(const struct relay *, const char *line);                 /* -1 */
void mpico_relay_say_fault(const struct relay *, const struct relay_roll *); /* NULL: nobody has started a roll */
/* The nearest cut, while starting. */
void mpico_relay_say_unopened(const struct relay *);
void mpico_relay_say_closed(const struct relay *);
/* Tell core that it has lost a rank. */
enum relay_loss { LOSS_DEAD, LOSS_CUT_OFF, LOSS_GIVEN_UP };
void mpico_relay_say_lost(struct relay *, int rank, enum relay_loss);

#endif
