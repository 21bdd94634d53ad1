/* mesh_software.c: nodes whose software handles every packet, as that of a message coprocessor does: it makes one ready
 * while the interface injects the one before, and takes one from the interface while the next one comes. So the slowest of
 * sender, wire and receiver says how fast a message goes. What the software takes, network_software says.
 *
 * Invariant: at most one packet of a node is being made, and at most one is ready. Packets that came stand in line
 * with their places in the interface kept, so that a node that is slow holds the network back.
 */
#include "mesh_packet.h"

#include <stdlib.h>

struct side {
    struct event done; /* first: an event is cast to this */
    struct mesh *mesh;
    int node;
    struct packet *packet; /* that it handles; NULL: idle */
};

struct mesh_software {
    struct side out, in;
    struct packet *ready;
    struct packet *first, **last; /* behind in.packet */
};

static struct mesh_software *at(const struct mesh *m, int node) { return &m->software[node]; }

static void handle(struct side *s, struct packet *p, int out)
{
    struct mesh *m = s->mesh;
    const struct network_software *w = &m->network.software;
    size_t bytes = (size_t)(p->flits - 1) * (size_t)m->d.flit_bytes;
    s->packet = p;
    engine_schedule(m->engine, &s->done, w->handled(w->context, p->transfer, bytes, out));
}

void software_send(struct mesh *m, int node)
{
    struct mesh_software *s = at(m, node);
    if (!s->out.packet && !s->ready && m->node[node].cursor)
        handle(&s->out, packets_cut(m, node), 1);
}

static void made(struct engine *e, struct event *ev)
{
    struct side *s = (struct side *)ev;
    (void)e;
    at(s->mesh, s->node)->ready = s->packet;
    s->packet = NULL;
    packets_offer(s->mesh, s->node);
}

struct packet *software_ready(const struct mesh *m, int node) { return at(m, node)->ready; }

void software_injected(struct mesh *m, int node)
{
    at(m, node)->ready = NULL;
    software_send(m, node);
}

static void taken(struct engine *e, struct event *ev)
{
    struct side *s = (struct side *)ev;
    struct mesh_software *w = at(s->mesh, s->node);
    struct packet *p = s->packet;
    (void)e;
    s->packet = NULL;
    if (w->first) {
        struct packet *next = w->first;
        w->first = next->next;
        if (!w->first)
            w->last = &w->first;
        handle(s, next, 0);
    }
    packets_taken(s->mesh, s->node, p);
}

void software_take(struct mesh *m, int node, struct packet *p)
{
    struct mesh_software *s = at(m, node);
    if (!s->in.packet) {
        handle(&s->in, p, 0);
        return;
    }
    p->next = NULL;
    *s->last = p;
    s->last = &p->next;
}

void software_init(struct mesh *m)
{
    if (m->software || !software_is_there(m))
        return;
    m->software = mesh_memory((size_t)m->nodes * sizeof *m->software);
    for (int node = 0; node < m->nodes; node++) {
        struct mesh_software *s = at(m, node);
        s->out = (struct side){.done.run = made, .mesh = m, .node = node};
        s->in = (struct side){.done.run = taken, .mesh = m, .node = node};
        s->last = &s->first;
    }
}

void software_fini(struct mesh *m)
{
    for (int node = 0; m->software && node < m->nodes; node++) {
        engine_cancel(m->engine, &at(m, node)->out.done);
        engine_cancel(m->engine, &at(m, node)->in.done);
    }
    free(m->software);
}
