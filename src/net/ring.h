/* ring.h: a unidirectional ring of nodes, each with a wire to its right neighbour, made into one link to all ranks.
 *
 * Nodes store and forward. A frame that is not for this node waits in a cell for the outgoing wire. What is sent when, and
 * what is allowed before what, is the discipline's; there are two:
 *   stop-and-wait  a message is sent when its receiver has asked for it; one packet at a time; at most 32 nodes
 *   windowed       several packets under way, payloads forwarded while they are received, check sums and resending
 *                  where the wire needs them
 *
 * No deadlock: transit cells are finite, and a ring of full ones would stand still. A node begins to send a frame of its own
 * only when two of its transit cells are free, and holds one of them until the frame has left: so somewhere in the
 * ring a transit cell stays free, and everything can move (the bubble condition: C. Carrion et al., "A flow control mechanism
 * to avoid message deadlock in k-ary n-cube networks", HiPC 1997). Frames for this node leave their cells when the rank
 * polls; core takes every packet it has memory for.
 */
#ifndef MPICO_NET_RING_H
#define MPICO_NET_RING_H

#include "../base/list.h"
#include "../port.h"
#include "frame.h"
#include "wire.h"

enum {
    RING_TRANSIT_CELLS = 12,
    RING_OWN_CELLS = 6,
    RING_CHUNK = 384,    /* bytes after which a payload in transit is sent on */
    RING_PAYLOAD = 4096, /* longest payload of the windowed discipline */
    RING_PLACES = 4,     /* streams that the wire may write straight to their destination */
    RING_MASK_NODES = 32 /* one bit a node */
};

enum cell_flag {
    CELL_OWN = 1,     /* of a frame that starts here */
    CELL_ARRIVED = 2, /* its payload is complete */
    CELL_SENDING = 4, /* the outgoing wire still reads it */
    CELL_MINE = 8,    /* waits for the rank to poll */
    CELL_LENT = 16,   /* `from` is the program's memory: return it when sent (and acknowledged) */
    CELL_RESENT = 32  /* has gone out more than once */
};

/* A frame and its payload. */
struct cell {
    struct list node; /* in the out queue, or the free list, or what the discipline keeps */
    struct list in;   /* in the inbox: a frame to all is in both */
    struct frame head;
    uint8_t flags;
    uint8_t *room;       /* RING_PAYLOAD bytes of its own */
    uint8_t *into;       /* where an arriving payload goes: room, or its final place */
    const uint8_t *from; /* what is sent: into, or lent memory */
    size_t have, sent;   /* bytes of the payload that arrived, and that went out */
    void *token;         /* of the loan */
    uint64_t sent_ns;    /* windowed, unreliable wires: when it last went out */
};

/* A stream whose pieces may go straight to the program's memory. */
struct place {
    uint64_t stream;
    int32_t source;
    size_t from, to; /* from == to: unused */
    uint8_t *base;
};

enum rx_state { RX_HEAD, RX_PAYLOAD, RX_STALLED, RX_RAW, RX_IDLE };
enum tx_state { TX_IDLE, TX_FRAME, TX_RAW };

struct ring;

struct discipline {
    const char *name;
    size_t head_bytes;
    /* A packet of this node to rank `dest` (-1: all): fill in kind, nodes and sequence. MPICO_AGAIN: not now. Locked. */
    int (*prepare)(struct ring *, struct frame *, int dest);
    /* A head has come: what to do with its frame. Interrupt context. */
    unsigned (*route)(struct ring *, struct frame *);
    /* An own frame has left, a cell is free: send what waits (requests, acknowledgements). Any context, locked. */
    void (*next)(struct ring *);
    /* A whole frame for this node: keep it for the rank (1), or it was dealt with (0). Interrupt context. */
    int (*take)(struct ring *, struct cell *);
    /* The rank took it. Locked. */
    void (*taken)(struct ring *, const struct frame *);
    /* An own frame has left. 1: the discipline keeps its cell. Interrupt context. */
    int (*left)(struct ring *, struct cell *);
    /* Which rank sent it. */
    int (*origin)(const struct frame *);
};
enum route { ROUTE_DROP = 0, ROUTE_MINE = 1, ROUTE_ON = 2, ROUTE_DONE = 4 /* dealt with, no cell needed */ };

/* Stop-and-wait: a collective between the nodes' wires, without heads (raw.c). */
struct raw {
    uint8_t what;    /* enum direct; 0: none under way here */
    uint8_t through; /* this node has passed the barrier */
    uint8_t held;    /* a token waits here until the program enters */
    uint8_t quiet;   /* of the token held: so far no node has other business */
    uint8_t token;   /* round of the token to be sent on; 0: none */
    uint8_t token_quiet;
    uint8_t token_out; /* it is queued or being sent */
    int result;        /* MPICO_AGAIN: under way; 0; -1: not now */
    int root;
    uint8_t *buf;
    size_t bytes;                   /* of a block */
    size_t received, sending, sent; /* bytes (broadcast) or blocks (allgather) */
    uint64_t mark;                  /* what all nodes must agree on; of the token held */
};

struct ring {
    struct link link;
    struct wire *wire;
    struct rank *rank;
    int self, size;
    const struct discipline *discipline;
    size_t inline_max; /* a payload up to here is in the head */
    int cut_through;   /* forward while receiving */
    int starved;       /* send() has refused since the last own frame left: wake the rank at the next */

    struct cell transit[RING_TRANSIT_CELLS], own[RING_OWN_CELLS];
    struct list free_transit, free_own;
    struct cell *filling;     /* between reserve() and commit() */
    int free_count, reserved; /* transit cells; of them held by own frames that are being sent */

    enum rx_state rx;
    unsigned rx_route;
    struct cell *rx_cell; /* for the frame that comes */
    int buffer_used;      /* by the last payload: another one is needed */

    enum tx_state tx;
    struct list out_transit, out_own; /* cells that wait for the outgoing wire */
    struct cell *tx_cell;
    int tx_programmed;           /* blocks that the wire has not finished: */
    int tx_head;                 /* the first is the head, */
    size_t tx_block[WIRE_SENDS]; /* the others are of the payload, */
    size_t tx_ahead;             /* up to here */
    int own_turn;                /* a transit frame went last: an own one may go before the next */

    struct list in;       /* cells for the rank, oldest first */
    struct list returned; /* own cells whose lent memory goes back to its request */
    struct place place[RING_PLACES];
    int oldest_place;

    /* Stop-and-wait. */
    uint32_t credit;                  /* nodes that asked for a message of ours */
    uint32_t granted;                 /* nodes asked for one */
    uint32_t wanted[RING_MASK_NODES]; /* receives that name each node */
    uint32_t wanted_any;              /* and any */
    uint16_t sequence;
    int packets_out; /* own packets queued or being sent */
    struct raw raw;

    /* Windowed, on wires that lose: one a node, NULL where they do not. */
    struct flow *flow;
    int cells_kept; /* own cells until they are acknowledged */
    uint64_t round_trip_ns;

    uint64_t frames, forwarded, damaged, resent, duplicates; /* counters */
};

/* Make the ring of `size` nodes, of which this is node `self`, over `wire`, and attach it to the rank. 0; or negative with
 * the reason in `why`. The ring lives as long as the rank. */
int mpico_ring_start(struct ring *, struct rank *, int self, int size, struct wire *, const char *discipline,
                     const char **why);
/* Is it possible at all? NULL, or the reason. Before any rank is started. */
const char *mpico_ring_refuse(const char *discipline, int size, int reliable);

/* ---- Between the parts of the ring; locked, or in interrupt context ---- */

/* Queue a frame of this node; `cell` is one of own[] with head and payload set. */
void mpico_ring_queue(struct ring *, struct cell *);
/* A free cell for a frame of this node, or NULL. */
struct cell *mpico_ring_cell(struct ring *);
void mpico_ring_release(struct ring *, struct cell *);
/* Give the outgoing wire work if it is idle. */
void mpico_ring_kick(struct ring *);
void mpico_ring_arm(struct ring *);
int mpico_ring_right(const struct ring *);

extern const struct discipline mpico_stop_and_wait, mpico_windowed;
int mpico_stop_and_wait_start(struct ring *);
int mpico_windowed_start(struct ring *);
/* raw.c: link->ops->direct and direct_state, and the token and the wires' turns while it runs. */
int mpico_raw_start(struct link *, enum direct what, void *buf, size_t bytes, int root, int quiet);
int mpico_raw_state(struct link *);
void mpico_raw_token(struct ring *, const struct frame *);
int mpico_raw_token_due(struct ring *, struct frame *);
void mpico_raw_received(struct ring *);
void mpico_raw_sent(struct ring *);
/* The incoming wire is free for the next block (1: it was armed), the outgoing one (1: it was started). */
int mpico_raw_arm(struct ring *);
int mpico_raw_kick(struct ring *);
void mpico_stop_and_wait_want(struct link *, int source, int change);
/* More of a payload in transit has come. */
void mpico_ring_more(struct ring *, struct cell *);
/* ring_rx.c, ring_tx.c */
void mpico_ring_on_sent(struct wire *);
void mpico_ring_on_received(struct wire *, size_t so_far);

#endif
