/* mesh.c: a k-ary n-mesh or torus as a kind of network: checks the description, and joins topology, interfaces and
 * one of two ways to move packets.
 *
 * A packet is a head flit and its payload in flits of flit_bytes, rounded up; a message is cut into packets of at
 * most packet_max_bytes and has at least one. The interface of a node injects one packet at a time, inject_flits a
 * cycle; a message sent between two edges of the clock begins at the next one. Ejection takes one flit a cycle.
 *
 * A packet of F flits over H channels between routers, alone in the network, arrives after (R: router_cycles):
 *     wormhole, two or more flits of buffer:     (H + 1) (R + 1) + F cycles,
 *     packet-switched:                           ceil(F / inject_flits) + (H + 1) (R + F) cycles.
 * A stream of packets fills a channel if the buffers hide the router's delay: R + 2 flits are always enough, three
 * packets where R is at most F.
 */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUTERS_MAX = 1 << 20, CHOICES_MAX = 64, CYCLES_MAX = 1 << 20 };

void *mesh_memory(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p) {
        fprintf(stderr, "the simulated mesh has so many packets that this host has no memory for more\n");
        exit(1);
    }
    return p;
}

/* The number of routers; 0: not between 1 and ROUTERS_MAX. */
static int routers_of(const struct mesh_description *d)
{
    int routers = d->axes >= 1 && d->axes <= DESCRIPTION_AXES;
    for (int axis = 0; routers && axis < d->axes; axis++)
        routers = d->extent[axis] < 1 || d->extent[axis] > ROUTERS_MAX / routers ? 0 : routers * d->extent[axis];
    return routers;
}

static int has_long_ring(const struct mesh_description *d)
{
    int long_ring = 0;
    for (int axis = 0; d->torus && axis < d->axes; axis++)
        long_ring |= d->extent[axis] > 2;
    return long_ring;
}

static int refused(const struct mesh_description *d, int nodes, char *why, size_t room)
{
    int routers = routers_of(d), lanes = d->wormhole ? d->virtual_channels : 1;
    if (!routers)
        return snprintf(why, room, "a mesh has 1 to %d axes and at most %d routers", DESCRIPTION_AXES, ROUTERS_MAX);
    if (nodes > routers)
        return snprintf(why, room, "%d nodes do not fit on a mesh of %d", nodes, routers);
    if (!(d->cycle_hz >= 1e3 && d->cycle_hz <= 1e12) || d->flit_bytes < 1 || d->buffer_flits < 1 || d->inject_flits < 1)
        return snprintf(why, room,
                        "clock, flit, buffers and injection of a mesh must be at least 1, its clock 1 kHz to 1 THz");
    if (d->router_cycles < 0 || d->router_cycles > CYCLES_MAX)
        return snprintf(why, room, "router_cycles is %d; it must be 0 to %d", d->router_cycles, CYCLES_MAX);
    if (lanes < 1 || lanes * (2 * d->axes + 1) > CHOICES_MAX)
        return snprintf(why, room, "%d virtual channels: with %d axes there must be 1 to %d", lanes, d->axes,
                        CHOICES_MAX / (2 * d->axes + 1));
    if (d->wormhole && lanes < 2 && has_long_ring(d))
        return snprintf(why, room, "a torus with one virtual channel would deadlock: give it two or more");
    return 0;
}

static void mesh_free(struct network *n)
{
    struct mesh *m = (struct mesh *)n;
    if (m->wormhole)
        wormhole_fini(m);
    if (m->packets)
        packets_fini(m);
    mesh_topology_fini(m);
    free(m->node);
    free(m);
}

static struct network *mesh_alloc(struct engine *e, const struct description *d, int nodes, char *why, size_t room)
{
    if (refused(&d->mesh, nodes, why, room))
        return NULL;
    struct mesh *m = calloc(1, sizeof *m);
    if (m) {
        m->engine = e;
        m->d = d->mesh;
        m->clock = clock_of(d->mesh.cycle_hz);
        m->nodes = nodes;
        m->routers = routers_of(&d->mesh);
        m->ports = 2 * d->mesh.axes + 1;
        m->node = calloc((size_t)nodes, sizeof *m->node);
        if (m->node && !mesh_topology_init(m) && !(m->d.wormhole ? wormhole_init(m) : packets_init(m)))
            return &m->network;
        mesh_free(&m->network);
    }
    snprintf(why, room, "no memory for a mesh of %d routers", routers_of(&d->mesh));
    return NULL;
}

static void mesh_send(struct network *n, struct transfer *t)
{
    struct mesh *m = (struct mesh *)n;
    mesh_interface_queue(m, t);
    if (m->node[t->from].cursor != t)
        return;
    if (m->wormhole)
        wormhole_start(m, t->from, t->state[MESH_FIRST_CYCLE]);
    else
        packets_start(m, t->from, t->state[MESH_FIRST_CYCLE]);
}

static int mesh_links(const struct network *n) { return ((const struct mesh *)n)->channels; }

/* "3>4"; "node 3>3" for injection, "3>node 3" for ejection. */
static void mesh_link_name(const struct network *n, int link, char *text, size_t room)
{
    const struct mesh *m = (const struct mesh *)n;
    const struct mesh_channel *c = &m->channel[link];
    if (mesh_injects(m, link))
        snprintf(text, room, "node %d>%d", c->to, c->to);
    else if (mesh_ejects(m, link))
        snprintf(text, room, "%d>node %d", c->from, c->from);
    else
        snprintf(text, room, "%d>%d", c->from, c->to);
}

const struct network_ops network_mesh_ops = {
    .alloc = mesh_alloc,
    .free = mesh_free,
    .send = mesh_send,
    .links = mesh_links,
    .link_name = mesh_link_name,
};
