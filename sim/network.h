/* network.h: networks that carry whole messages between nodes by themselves: mesh, crossbar, loggp. (A ring's wires
 * carry to the neighbour only; see ports/sim/wire.c.) Knows no MPI: bytes have a length and no contents.
 */
#ifndef MPICO_SIM_NETWORK_H
#define MPICO_SIM_NETWORK_H

#include "description.h"
#include "engine.h"

struct network;

/* One message on its way. The memory is the sender's until `arrived` is called; zero it first. */
struct transfer {
    int from, to;
    size_t bytes;
    /* The node's interface can take the next message of this node; may be NULL. Always before `arrived`. */
    void (*sent)(struct engine *, struct transfer *);
    /* The last byte is at its destination. */
    void (*arrived)(struct engine *, struct transfer *);
    void *owner;
    /* The network's own. */
    struct event event;
    struct transfer *next;
    uint64_t state[6];
};

/* What a network reports for a trace: a physical channel was busy. */
struct network_watch {
    void (*busy)(void *context, int link, sim_time from, sim_time to, const struct transfer *);
    void *context;
};

/* What handles, in a node, each packet that its interface puts into the network (`out`) or takes from it: one after the other of each
 * direction. `handled` is called when the turn of a packet of that transfer has come, and says when the node is through with it: at
 * engine->now or later. */
struct network_software {
    sim_time (*handled)(void *context, const struct transfer *, size_t bytes, int out);
    void *context;
};

/* NULL with the reason in `why`: an impossible topology, too many nodes, no memory. */
struct network *network_alloc(struct engine *, const struct description *, int nodes, char *why, size_t room);
void network_free(struct network *);
/* Start at engine->now. Messages of one pair arrive in the order in which they were sent. from != to. */
void network_send(struct network *, struct transfer *);
/* The name of physical channel `link` for a trace ("3>4"), and how many there are. */
int network_links(const struct network *);
void network_link_name(const struct network *, int link, char *text, size_t room);
/* Before the first message; only the packet-switched mesh has packets to show it. */
void network_handle(struct network *, const struct network_software *);
void network_watch(struct network *, const struct network_watch *);

#endif
