/* network.c: from the description to the kind of network it names. The kinds stand behind struct network_ops; nothing
 * else knows which one it is.
 */
#include "network_kind.h"

#include <assert.h>
#include <stdio.h>

static const struct network_ops *ops_of(enum network_kind kind)
{
    switch (kind) {
    case NETWORK_MESH:
        return &network_mesh_ops;
    case NETWORK_CROSSBAR:
        return &network_crossbar_ops;
    case NETWORK_LOGGP:
        return &network_loggp_ops;
    case NETWORK_RING:
        break; /* its wires reach the neighbour only */
    }
    return NULL;
}

struct network *network_alloc(struct engine *e, const struct description *d, int nodes, char *why, size_t room)
{
    const struct network_ops *ops = ops_of(d->network);
    if (!ops || nodes < 1) {
        snprintf(why, room, ops ? "a network needs at least one node" : "a ring is no network that carries by itself");
        return NULL;
    }
    struct network *n = ops->alloc(e, d, nodes, why, room);
    if (!n)
        return NULL;
    n->ops = ops;
    n->engine = e;
    n->nodes = nodes;
    n->watch = (struct network_watch){0};
    n->software = (struct network_software){0};
    return n;
}

void network_free(struct network *n)
{
    if (n)
        n->ops->free(n);
}

void network_send(struct network *n, struct transfer *t)
{
    assert(t->from != t->to && t->from >= 0 && t->from < n->nodes && t->to >= 0 && t->to < n->nodes);
    n->ops->send(n, t);
}

int network_links(const struct network *n) { return n->ops->links(n); }

void network_link_name(const struct network *n, int link, char *text, size_t room)
{
    n->ops->link_name(n, link, text, room);
}

void network_handle(struct network *n, const struct network_software *s) { n->software = *s; }

void network_watch(struct network *n, const struct network_watch *w) { n->watch = w ? *w : (struct network_watch){0}; }
