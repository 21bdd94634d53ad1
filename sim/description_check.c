/* description_check.c: what no row can say alone: keys that need, exclude or bound each other. Reports stand at the key
 * that is easiest to change.
 */
#include "description_reader.h"

#include <stdio.h>
#include <string.h>

#define PAUSES_MOST 0.5 /* share of the time */

enum { NODES_MOST = 1000000, ROUTER_LANES = 64 };

/* The line of a key; of its table's header when the file is silent about it. */
static int line_of(const struct reader *r, const char *table, const char *key)
{
    for (int i = 0; i < schema_rows(r->costs); i++) {
        struct row row = schema_row(r->cost_names, r->costs, i);
        if (!strcmp(row.table, table) && !strcmp(row.key, key) && schema_has(&row, r->kind) && r->row_line[i])
            return r->row_line[i];
    }
    for (int t = 1; t < READER_TABLES; t++)
        if (!strcmp(reader_tables[t], table))
            return r->table_line[t];
    return 1;
}

static int check_processor(struct reader *r)
{
    if (r->d.dma_channels > 0 && r->d.dma_copy_cycles <= 0)
        return reader_refuse(r, line_of(r, "processor", "dma_channels"),
                             "processor.dma_channels needs processor.dma_copy_cycles above 0: copies are not free");
    return 0;
}

static int check_ring(struct reader *r)
{
    const struct ring_description *ring = &r->d.ring;
    if (ring->reliable && ring->error_rate > 0)
        return reader_refuse(r, line_of(r, "network", "error_rate"),
                             "network.error_rate is for wires with reliable = false: change one of them");
    if (!ring->reliable && !strcmp(ring->discipline, "stop-and-wait"))
        return reader_refuse(r, line_of(r, "network", "discipline"),
                             "network.discipline \"stop-and-wait\" has no check sums: with reliable = false write "
                             "\"windowed\"");
    return 0;
}

/* Of the topology; above NODES_MOST when it is too large, however much. 0: there is no bound. */
static long long topology_nodes(const struct description *d)
{
    long long nodes = 1;
    if (d->network == NETWORK_CROSSBAR)
        return (long long)d->crossbar.ports << d->crossbar.cube_dimensions;
    if (d->network != NETWORK_MESH)
        return 0;
    for (int axis = 0; axis < d->mesh.axes && nodes <= NODES_MOST; axis++)
        nodes *= d->mesh.extent[axis];
    return nodes;
}

/* Packets that wait for each other around a ring would wait for ever: a second lane breaks the circle. */
static int check_lanes(struct reader *r)
{
    const struct mesh_description *m = &r->d.mesh;
    int line = line_of(r, "network", "virtual_channels"), most = ROUTER_LANES / (2 * m->axes + 1);
    int long_ring = 0;
    for (int axis = 0; axis < m->axes; axis++)
        long_ring |= m->torus && m->extent[axis] > 2;
    if (!m->wormhole && m->virtual_channels > 1)
        return reader_refuse(r, line, "network.virtual_channels is for wormhole = true: leave it out");
    if (m->wormhole && long_ring && m->virtual_channels < 2)
        return reader_refuse(r, line,
                             "network.virtual_channels must be at least 2 on a torus with wormhole routers: "
                             "with 1 its packets would wait for each other for ever");
    if (m->virtual_channels > most)
        return reader_refuse(
            r, line, "network.virtual_channels must be at most %d with %d axes: a router keeps no more", most, m->axes);
    return 0;
}

static int check_topology(struct reader *r)
{
    const char *key = r->d.network == NETWORK_MESH ? "extent" : "cube_dimensions";
    long long nodes = topology_nodes(&r->d);
    if (nodes > NODES_MOST)
        return reader_refuse(r, line_of(r, "network", key), "network.%s makes more than %d nodes: write less", key,
                             NODES_MOST);
    if (nodes && r->d.nodes_max > nodes)
        return reader_refuse(r, line_of(r, "", "nodes_max"),
                             "nodes_max is %d, and the network has places for %lld: write that, or leave it out",
                             r->d.nodes_max, nodes);
    return 0;
}

/* Software that handles packets, and a system that delivers messages. */
static int check_system(struct reader *r)
{
    const struct description *d = &r->d;
    int direct = d->delivery == DELIVERY_DIRECT;
    const char *paid = NULL; /* the first cost of a packet */
    for (int i = 0; i < r->costs && !paid; i++)
        if (!strncmp(r->cost_names[i], "packet", strlen("packet")) && d->cost[i] > 0)
            paid = r->cost_names[i];
    if (paid && (d->network != NETWORK_MESH || d->mesh.wormhole))
        return reader_refuse(r, line_of(r, "cost", paid),
                             "cost.%s is for a mesh with wormhole = false, which keeps packets whole: leave it out",
                             paid);
    if (paid && d->progress == PROGRESS_CALLS)
        return reader_refuse(r, line_of(r, "processor", "progress"),
                             "processor.progress is \"calls\", and cost.%s needs somebody who handles packets at any "
                             "time: write \"interrupts\" or \"processor\"",
                             paid);
    if (direct && d->network == NETWORK_RING)
        return reader_refuse(
            r, line_of(r, "processor", "delivery"),
            "processor.delivery \"direct\" is for networks that deliver by themselves, and a ring does "
            "not: leave it out");
    return 0;
}

static int check_pauses(struct reader *r)
{
    const struct pauses_description *p = &r->d.pauses;
    if (p->kinds != p->lengths)
        return reader_refuse(
            r, line_of(r, "pauses", "length_us"),
            "pauses.period_us holds %d numbers and pauses.length_us %d: write as many, one a kind of pause", p->kinds,
            p->lengths);
    double share = 0;
    for (int i = 0; i < p->kinds; i++)
        share += (double)p->length_us[i] / p->period_us[i];
    if (share > PAUSES_MOST)
        return reader_refuse(r, line_of(r, "pauses", "length_us"),
                             "the pauses take %.0f %% of the time, and may take %.0f: write longer periods",
                             100 * share, 100 * PAUSES_MOST);
    return 0;
}

int reader_check(struct reader *r)
{
    if (check_processor(r) || check_system(r) || check_pauses(r) || (r->d.network == NETWORK_RING && check_ring(r)) ||
        check_topology(r))
        return -1;
    return r->d.network == NETWORK_MESH ? check_lanes(r) : 0;
}

int description_fits(const struct description *d, int ranks, char *why, size_t room)
{
    long long most = d->nodes_max ? d->nodes_max : topology_nodes(d);
    if (ranks >= 1 && (!most || ranks <= most))
        return 0;
    if (ranks < 1)
        snprintf(why, room, "%s: %d ranks: a machine runs at least one", d->path, ranks);
    else
        snprintf(why, room, "%s: %d ranks do not fit on %s: it has %lld nodes", d->path, ranks, d->name, most);
    return -1;
}
