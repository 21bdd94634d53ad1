/* mesh.h: what the files of the mesh share: its topology, and the interface of a node, which cuts messages into packets
 * and puts arrivals in order. How packets move is in mesh_wormhole.c or mesh_packet.c. Private to the mesh.
 *
 * Node n is at router n, whose coordinate on axis 0 is n modulo extent[0], and so on. Routers without a node pass
 * packets on. A physical channel leads one way: from a router to the next, from a node's interface into its router
 * (injection), or from a router to its node (ejection).
 */
#ifndef MPICO_SIM_MESH_H
#define MPICO_SIM_MESH_H

#include "network_kind.h"

enum { MESH_PORTS_MAX = 2 * DESCRIPTION_AXES + 1, MESH_NONE = -1 };

/* Of transfer.state. */
enum { MESH_UNCUT_BYTES, MESH_MISSING_PACKETS, MESH_FIRST_CYCLE };

/* Which virtual channels a packet may take: see mesh_route.c. */
enum mesh_class { MESH_LOW, MESH_HIGH, MESH_ANY, MESH_CLASSES };

struct mesh_channel {
    int from, to; /* routers; MESH_NONE: the node at the other end */
    int port;     /* its input at `to`: 2 * axis + (1 if it leads down), or the last one for injection */
};

/* A node's messages in the order they were sent: on their way, then `cursor` (being cut), then not begun. */
struct mesh_node {
    struct transfer *first, *last, *cursor;
};

struct mesh_route {
    int port; /* output; the last one is ejection */
    enum mesh_class class;
};

struct wormhole;
struct packets;
struct mesh_software;

struct mesh {
    struct network network; /* first: a network is cast to this */
    struct engine *engine;
    struct mesh_description d;
    struct clock clock;
    int nodes, routers, ports, channels;
    int *coordinate; /* [router * axes + axis] */
    int *out, *in;   /* [router * ports + port]: the channel that leaves, that enters there; MESH_NONE */
    struct mesh_channel *channel;
    struct mesh_node *node;
    struct wormhole *wormhole; /* one of these two */
    struct packets *packets;
    struct mesh_software *software; /* of each node, beside packets; NULL: there is none */
};

static inline int mesh_local_port(const struct mesh *m) { return m->ports - 1; }
static inline int mesh_ejects(const struct mesh *m, int channel) { return m->channel[channel].to == MESH_NONE; }
static inline int mesh_injects(const struct mesh *m, int channel) { return m->channel[channel].from == MESH_NONE; }

/* mesh_topology.c: fill the tables of `m`. 0, or -1: no memory. */
int mesh_topology_init(struct mesh *m);
void mesh_topology_fini(struct mesh *m);

/* mesh_route.c: the way from `router` towards `to`. */
struct mesh_route mesh_route(const struct mesh *, int router, int to);

/* mesh_interface.c. */
void mesh_interface_queue(struct mesh *, struct transfer *);
/* Cut the next packet from the message under the node's cursor: its length in flits, the head flit included. */
int mesh_interface_cut(struct mesh *, int node);
/* When the packet that was cut last was its message's last one, the cursor moves on and that message is returned, for
 * mesh_interface_sent() when the packet is in the network and callbacks may run; otherwise NULL. */
struct transfer *mesh_interface_injected(struct mesh *, int node);
void mesh_interface_sent(struct mesh *, struct transfer *);
/* One more packet of the transfer is whole at its destination. May call `arrived`, of this transfer and later ones. */
void mesh_interface_arrived(struct mesh *, struct transfer *);

/* The two ways to move packets. `start`: the node's interface has work from clock cycle `cycle` on. */
int wormhole_init(struct mesh *);
void wormhole_fini(struct mesh *);
void wormhole_start(struct mesh *, int node, uint64_t cycle);
int packets_init(struct mesh *);
void packets_fini(struct mesh *);
void packets_start(struct mesh *, int node, uint64_t cycle);

/* Memory that a run cannot go on without. */
void *mesh_memory(size_t bytes);

/* Turns among the inputs of an output: the port after the last one served is first, and within a port the virtual
 * channel after the last one served. Bits of `mask` are port * lanes + lane. So a port with many virtual channels
 * waiting gets no more than a port with one. */
struct mesh_turn {
    uint8_t port, lane[MESH_PORTS_MAX];
};
static inline int mesh_turn_next(const struct mesh_turn *t, uint64_t mask, int lanes)
{
    int above = (t->port + 1) * lanes;
    uint64_t later = above < 64 ? mask >> above << above : 0;
    if (!later)
        later = mask;
    int first = __builtin_ctzll(later);
    if (lanes == 1 || !(later & (later - 1)))
        return first;
    int port = first / lanes;
    uint64_t own = mask >> port * lanes & ((1ull << lanes) - 1);
    uint64_t after = own >> (t->lane[port] + 1) << (t->lane[port] + 1);
    return port * lanes + __builtin_ctzll(after ? after : own);
}
static inline void mesh_turn_take(struct mesh_turn *t, int bit, int lanes)
{
    t->port = (uint8_t)(bit / lanes);
    t->lane[t->port] = (uint8_t)(bit - t->port * lanes);
}

#endif
