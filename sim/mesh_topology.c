/* mesh_topology.c: the routers and channels of a mesh or torus, counted once. Channels are numbered router by router:
 * those that leave by ports 0, 1, ..., then ejection and injection where there is a node. A torus axis of extent 2
 * has one channel each way between its two routers, not two.
 */
#include "mesh.h"

#include <stdlib.h>

static void place_routers(struct mesh *m)
{
    for (int r = 0; r < m->routers; r++)
        for (int axis = 0, rest = r; axis < m->d.axes; axis++) {
            m->coordinate[r * m->d.axes + axis] = rest % m->d.extent[axis];
            rest /= m->d.extent[axis];
        }
}

/* The router one step away; MESH_NONE at an edge. */
static int neighbour(const struct mesh *m, int router, int axis, int down)
{
    int extent = m->d.extent[axis], at = m->coordinate[router * m->d.axes + axis], stride = 1;
    for (int a = 0; a < axis; a++)
        stride *= m->d.extent[a];
    if (m->d.torus && (extent == 1 || (extent == 2 && down)))
        return MESH_NONE;
    int to = down ? at - 1 : at + 1;
    if (!m->d.torus && (to < 0 || to >= extent))
        return MESH_NONE;
    to = (to + extent) % extent;
    return router + (to - at) * stride;
}

static void join(struct mesh *m, int from, int from_port, int to, int to_port)
{
    int c = m->channels++;
    m->channel[c] = (struct mesh_channel){.from = from, .to = to, .port = to_port};
    if (from != MESH_NONE)
        m->out[from * m->ports + from_port] = c;
    if (to != MESH_NONE)
        m->in[to * m->ports + to_port] = c;
}

static void join_all(struct mesh *m)
{
    int local = mesh_local_port(m);
    for (int r = 0; r < m->routers; r++) {
        for (int port = 0; port < local; port++) {
            int to = neighbour(m, r, port / 2, port % 2);
            if (to != MESH_NONE)
                join(m, r, port, to, port);
        }
        if (r >= m->nodes)
            continue;
        join(m, r, local, MESH_NONE, 0);
        join(m, MESH_NONE, 0, r, local);
    }
}

int mesh_topology_init(struct mesh *m)
{
    size_t routers = (size_t)m->routers, ends = routers * (size_t)m->ports;
    m->coordinate = calloc(routers * (size_t)m->d.axes, sizeof(int));
    m->out = malloc(ends * sizeof(int));
    m->in = malloc(ends * sizeof(int));
    m->channel = calloc(ends + routers, sizeof *m->channel);
    if (!m->coordinate || !m->out || !m->in || !m->channel)
        return -1;
    for (size_t i = 0; i < ends; i++)
        m->out[i] = m->in[i] = MESH_NONE;
    place_routers(m);
    join_all(m);
    return 0;
}

void mesh_topology_fini(struct mesh *m)
{
    free(m->coordinate);
    free(m->out);
    free(m->in);
    free(m->channel);
}
