/* mesh_packet.h: what the packet-switched routers (mesh_packet.c) and the software of nodes beside them
 * (mesh_software.c) share. Private to the mesh.
 */
#ifndef MPICO_SIM_MESH_PACKET_H
#define MPICO_SIM_MESH_PACKET_H

#include "mesh.h"

struct packet {
    struct event ready; /* first: an event is cast to this */
    struct packet *next;
    struct mesh *mesh;
    struct transfer *transfer;
    struct transfer *last_of; /* a transfer that is all in the network with this packet; NULL: none */
    int flits, buffer;
    int asks; /* the router's delay is over, and it has not begun to leave */
};

/* ---- mesh_packet.c ---- */

/* The next packet of the message under the node's cursor, cut. */
struct packet *packets_cut(struct mesh *, int node);
/* The node's interface has a packet to inject now. */
void packets_offer(struct mesh *, int node);
/* The node has handled a packet that came to it: its place in the interface is free. May call `arrived`. */
void packets_taken(struct mesh *, int node, struct packet *);

/* ---- mesh_software.c ---- */

static inline int software_is_there(const struct mesh *m) { return m->network.software.handled != NULL; }
/* Memory for all nodes, but for networks without software: once, before the first packet. Never fails. */
void software_init(struct mesh *);
void software_fini(struct mesh *);
/* The node has something to send. */
void software_send(struct mesh *, int node);
/* The packet that is ready to be injected, and then to begin with the next; NULL: there is none. */
struct packet *software_ready(const struct mesh *, int node);
void software_injected(struct mesh *, int node);
/* A packet has come to the node. */
void software_take(struct mesh *, int node, struct packet *);

#endif
