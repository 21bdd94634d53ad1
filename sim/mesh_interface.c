/* mesh_interface.c: the interface between a node and its router: a queue of messages that are cut into packets one
 * after another, and the order of arrivals. Packets of one pair may overtake each other on virtual channels; here
 * messages wait for earlier ones of their pair, as they would in the memory of a receiving interface, at no cost in
 * time.
 *
 * Invariant: the list of a node holds its transfers from send to arrival, in the order they were sent. Those before
 * the cursor are cut to the end; a transfer without missing packets is there only while an earlier one of its pair
 * is.
 */
#include "mesh.h"

#include <assert.h>

static uint64_t packet_max(const struct mesh *m, uint64_t bytes)
{
    uint64_t most = m->d.packet_max_bytes > 0 ? (uint64_t)m->d.packet_max_bytes : bytes;
    return bytes < most ? bytes : most;
}

void mesh_interface_queue(struct mesh *m, struct transfer *t)
{
    struct mesh_node *n = &m->node[t->from];
    uint64_t part = packet_max(m, t->bytes);
    t->state[MESH_UNCUT_BYTES] = t->bytes;
    t->state[MESH_MISSING_PACKETS] = part ? (t->bytes + part - 1) / part : 1;
    t->state[MESH_FIRST_CYCLE] = clock_cycle(m->clock, m->engine->now);
    t->next = NULL;
    if (n->last)
        n->last->next = t;
    else
        n->first = t;
    n->last = t;
    if (!n->cursor)
        n->cursor = t;
}

int mesh_interface_cut(struct mesh *m, int node)
{
    struct transfer *t = m->node[node].cursor;
    uint64_t part = packet_max(m, t->state[MESH_UNCUT_BYTES]), flit = (uint64_t)m->d.flit_bytes;
    t->state[MESH_UNCUT_BYTES] -= part;
    return (int)(1 + (part + flit - 1) / flit);
}

struct transfer *mesh_interface_injected(struct mesh *m, int node)
{
    struct mesh_node *n = &m->node[node];
    struct transfer *t = n->cursor;
    if (t->state[MESH_UNCUT_BYTES])
        return NULL;
    n->cursor = t->next;
    return t;
}

void mesh_interface_sent(struct mesh *m, struct transfer *t)
{
    if (t->sent)
        t->sent(m->engine, t);
}

static struct transfer *oldest_to(const struct mesh_node *n, int to)
{
    struct transfer *t = n->first;
    while (t && t != n->cursor && t->to != to)
        t = t->next;
    return t && t->to == to ? t : NULL;
}

static void leave(struct mesh_node *n, struct transfer *t)
{
    struct transfer *before = NULL;
    for (struct transfer *u = n->first; u != t; u = u->next)
        before = u;
    if (before)
        before->next = t->next;
    else
        n->first = t->next;
    if (n->last == t)
        n->last = before;
    t->next = NULL;
}

void mesh_interface_arrived(struct mesh *m, struct transfer *t)
{
    struct mesh_node *n = &m->node[t->from];
    int to = t->to;
    assert(t->state[MESH_MISSING_PACKETS] > 0);
    if (--t->state[MESH_MISSING_PACKETS])
        return;
    while ((t = oldest_to(n, to)) && !t->state[MESH_MISSING_PACKETS]) {
        leave(n, t);
        t->arrived(m->engine, t);
    }
}
