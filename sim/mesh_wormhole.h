/* mesh_wormhole.h: the state of the wormhole routers, for the files mesh_wormhole*.c.
 *
 * A lane is a virtual channel: the buffer at the far end of a physical channel, and the right to fill it, which one
 * packet at a time has from its head to its tail. A pipe is the physical channel. A stay is a packet's time in one
 * lane.
 */
#ifndef MPICO_SIM_MESH_WORMHOLE_H
#define MPICO_SIM_MESH_WORMHOLE_H

#include "mesh.h"

struct stay {
    struct stay *next; /* the packet behind it in the buffer */
    struct transfer *transfer;
    uint64_t ready;        /* cycle in which the head may ask for its next lane */
    int flits, here, left; /* of the packet; in this buffer now; that must still leave it */
    int pipe;              /* the channel it wants */
    int lane;              /* of that channel, once it has one; else MESH_NONE */
    enum mesh_class class;
};

struct lane {
    struct stay *front, *last;
    uint64_t bit; /* stands for this lane in the masks of the channels that leave its router */
    int pipe;     /* whose lane it is */
    int credits;  /* free places of its buffer */
    int owner;    /* the lane whose front packet fills this one; MESH_NONE: none */
};

struct pipe {
    uint64_t waiting; /* input lanes whose front packet asks for a lane here */
    uint64_t able;    /* input lanes that own a lane here, have a flit, and room for it on the other side */
    uint32_t unowned; /* lanes */
    int active;       /* is in the list */
    const int *input; /* [bit]: the lane that it stands for */
    struct mesh_turn granted, moved;
    /* For the watch: the last flits, of one packet in cycles [from, to). */
    const struct transfer *run;
    uint64_t run_from, run_to;
};

struct injector {
    int lane, flits, left; /* of the packet being injected; left 0: none */
    int moves;             /* flits, in this cycle */
    int active;
};

struct move {
    int pipe, lane; /* from the front of `lane` into `pipe` */
};

/* Heads on their way through a router, all equally long: first in, first out. */
struct pending {
    uint64_t cycle;
    int lane;
};

struct wormhole {
    struct event event; /* first: an event is cast to this. At the end of `cycle`. */
    struct mesh *mesh;
    uint64_t cycle;
    int lanes; /* per channel */
    uint32_t class_lanes[MESH_CLASSES];
    struct lane *lane; /* [channel * lanes + i] */
    int *input;        /* [(router * ports + port) * lanes + i]: the i-th lane that enters there */
    struct pipe *pipe; /* [channel] */
    struct injector *injector;
    int *active, actives;       /* channels that may move a flit */
    int *injecting, injectings; /* nodes that may */
    struct move *move;
    int moves;
    struct pending *pending;
    size_t pending_first, pending_count, pending_room; /* room: a power of two */
    struct transfer **sent, **arrived; /* in this cycle: packets that are whole, messages that are gone */
    int sents, arriveds;
    struct stay *spare;
    struct stay_block *blocks;
};

/* mesh_wormhole_state.c: tables, spare stays, heads under way. */
struct stay *wormhole_stay_alloc(struct wormhole *);
static inline void wormhole_stay_free(struct wormhole *w, struct stay *s)
{
    s->next = w->spare;
    w->spare = s;
}
void wormhole_pending_add(struct wormhole *, uint64_t cycle, int lane);

#endif
