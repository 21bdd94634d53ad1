/* topo_graph_place.c: which process takes which node of a graph, when MPI_Graph_create, MPI_Dist_graph_create or
 * MPI_Dist_graph_create_adjacent may choose.
 *
 * Where the machine says how many wires lie between two processes, two orders are tried: that of the old ranks, and a walk through
 * the graph along its heaviest edges. In each, two nodes exchange their processes as long as that makes the edges, by their weights,
 * cross fewer wires. The first order that is best wins, so that nothing changes without a gain. All processes know the same graph,
 * and compute the same.
 */
#include <string.h>

#include "topo.h"

/* Edges that one turn through all pairs may look at; larger graphs keep their order. A few turns do. */
static const int64_t turn_most = INT64_C(1) << 22;
enum { TURNS = 8 };
static int is_tried(int nodes, int edges) { return (int64_t)nodes * nodes * edges <= turn_most; }

static uint64_t cost_of(struct rank *r, const struct comm *old, const struct edge *e, const int *place)
{
    return (uint64_t)e->weight *
           (uint64_t)r->machine->hops(r, comm_world(old, place[e->from]), comm_world(old, place[e->to]));
}

/* Wires that messages on the edges of nodes `a` and `b` cross; a negative: on all edges. */
static uint64_t wires(struct rank *r, const struct comm *old, const struct graph *g, const int *place, int a, int b)
{
    uint64_t sum = 0;
    for (int i = 0; i < g->edges; i++) {
        const struct edge *e = &g->edge[i];
        if (a < 0 || e->from == a || e->from == b || e->to == a || e->to == b)
            sum += cost_of(r, old, e, place);
    }
    return sum;
}

static void exchange(int *place, int a, int b)
{
    int kept = place[a];
    place[a] = place[b];
    place[b] = kept;
}

/* One turn through all pairs; whether one of them has gained. */
static int turn(struct rank *r, const struct comm *old, const struct graph *g, int *place)
{
    int gains = 0;
    for (int a = 0; a < g->nodes; a++)
        for (int b = a + 1; b < g->nodes; b++) {
            uint64_t before = wires(r, old, g, place, a, b);
            exchange(place, a, b);
            if (wires(r, old, g, place, a, b) < before)
                gains++;
            else
                exchange(place, a, b);
        }
    return gains;
}

/* All wires in the end. */
static uint64_t improve(struct rank *r, const struct comm *old, const struct graph *g, int *place)
{
    for (int i = 0; i < TURNS && turn(r, old, g, place); i++)
        ;
    return wires(r, old, g, place, -1, -1);
}

/* Where the heaviest edge from a node leads, of those to nodes without a place; else the first such node. */
static int next_of(const struct graph *g, const int *place, int node)
{
    int best = -1, most = -1, first = 0;
    for (int i = 0; i < g->edges; i++) {
        const struct edge *e = &g->edge[i];
        if (e->from == node && place[e->to] < 0 && e->weight > most) {
            best = e->to;
            most = e->weight;
        }
    }
    while (best < 0 && place[first] >= 0)
        first++;
    return best < 0 ? first : best;
}

static void walk(const struct graph *g, int *place)
{
    for (int i = 0; i < g->nodes; i++)
        place[i] = -1;
    for (int i = 0, node = 0; i < g->nodes; i++) {
        place[node] = i;
        if (i + 1 < g->nodes)
            node = next_of(g, place, node);
    }
}

void api_graph_place(struct rank *r, const struct comm *old, const struct graph *g, int *place)
{
    int *other = place + g->nodes;
    for (int i = 0; i < g->nodes; i++)
        place[i] = i;
    if (!is_tried(g->nodes, g->edges))
        return;
    walk(g, other);
    uint64_t same = improve(r, old, g, place);
    if (improve(r, old, g, other) < same)
        memcpy(place, other, (size_t)g->nodes * sizeof *place);
}

/* The node of process `mine`, who may be none of them. */
static int place_among(struct rank *r, const struct comm *old, const struct graph *g, int mine, int *node)
{
    int *place = mpico_heap_alloc(&r->heap, 2 * (size_t)g->nodes * sizeof *place + 1);
    if (!place)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the places of %d nodes", g->nodes);
    api_graph_place(r, old, g, place);
    *node = mine;
    for (int i = 0; i < g->nodes; i++)
        if (place[i] == mine)
            *node = i;
    mpico_heap_free(&r->heap, place);
    return MPI_SUCCESS;
}

int api_graph_reorder(struct rank *r, const struct comm *old, const struct topology *t, int *node)
{
    struct edge *edge = mpico_heap_alloc(&r->heap, (size_t)t->m * sizeof *edge + 1);
    if (!edge)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d edges", t->m);
    for (int i = 0, k = 0; i < t->n; i++)
        for (; k < t->list[i]; k++)
            edge[k] = (struct edge){i, t->list[t->n + k], 1};
    const struct graph g = {t->n, t->m, edge};
    int e = place_among(r, old, &g, old->rank, node);
    mpico_heap_free(&r->heap, edge);
    return e;
}

/* ---- Graphs of which each process knows a part ---- */

/* What a process knows: how much of its part is sources, destinations, and the weights of both; and where it stands among all. */
struct part {
    int n, m, weighted;
};
static int part_ints(const struct part *p) { return (p->n + p->m) * (p->weighted ? 2 : 1); }

struct parts {
    struct part *part; /* of each process */
    int *ints, *at;    /* how many integers, and where they begin in: */
    int *list;         /* as the lists of their topologies */
    int edges;
};

/* Where each part stands, and the number of all integers; negative: too many to try. */
static int line_up(struct parts *p, int size)
{
    for (int i = 0; i < size; i++)
        p->ints[i] = part_ints(&p->part[i]);
    int all = api_topo_line_up(p->ints, p->at, size);
    p->edges = 0;
    for (int i = 0; i < size && all >= 0; i++)
        p->edges += p->part[i].m; /* of which there are no more than integers */
    return all >= 0 && is_tried(size, p->edges) ? all : -1;
}

/* Errors of collectives have been raised; MPI_ERR_NO_MEM has its sentence. */
static int gather(struct rank *r, struct comm *c, const struct topology *t, struct parts *p)
{
    MPI_Comm handle = api_comm_handle(c);
    const struct part own = {t->n, t->m, t->weighted};
    int e = PMPI_Allgather(&own, 3, MPI_INT, p->part, 3, MPI_INT, handle);
    int all = e ? 0 : line_up(p, c->size);
    if (e || all < 0)
        return e;
    p->list = mpico_heap_alloc(&r->heap, (size_t)all * sizeof *p->list + 1);
    if (!p->list)
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d edges", p->edges);
    else
        e = api_topo_room(r, c);
    if ((e = topo_agree(r, c, e)))
        return api_error(r, c, e);
    return PMPI_Allgatherv(t->list, part_ints(&own), MPI_INT, p->list, p->ints, p->at, MPI_INT, handle);
}

static void collect(const struct parts *p, int size, struct edge *edge)
{
    for (int i = 0; i < size; i++) {
        const struct part *own = &p->part[i];
        const int *to = p->list + p->at[i] + own->n, *weight = to + own->m + own->n;
        for (int k = 0; k < own->m; k++)
            *edge++ = (struct edge){i, to[k], own->weighted ? weight[k] : 1};
    }
}

/* The part of another node in place of the own one. */
static int take(struct rank *r, const struct parts *p, int node, struct topology **t)
{
    const struct part *its = &p->part[node];
    struct topology *other = api_topo_alloc(r, MPI_DIST_GRAPH, its->n, its->m, its->weighted);
    if (!other)
        return MPI_ERR_NO_MEM; /* with its sentence */
    memcpy(other->list, p->list + p->at[node], (size_t)p->ints[node] * sizeof(int));
    mpico_heap_free(&r->heap, *t);
    *t = other;
    return MPI_SUCCESS;
}

static int reorder(struct rank *r, struct comm *c, const struct parts *p, struct topology **t, int *node)
{
    struct edge *edge = mpico_heap_alloc(&r->heap, (size_t)p->edges * sizeof *edge + 1);
    if (!edge)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %d edges", p->edges);
    collect(p, c->size, edge);
    const struct graph g = {c->size, p->edges, edge};
    int e = place_among(r, c, &g, c->rank, node);
    mpico_heap_free(&r->heap, edge);
    return e || *node == c->rank ? e : take(r, p, *node, t);
}

int api_dist_reorder(struct rank *r, struct comm *c, struct topology **t, int *node)
{
    const char *call = r->call;
    size_t size = (size_t)c->size;
    struct parts p = {.part = mpico_heap_alloc(&r->heap, size * (sizeof *p.part + 2 * sizeof(int)))};
    int e =
        p.part ? api_topo_room(r, c) : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the edges of %d ranks", c->size);
    if ((e = topo_agree(r, c, e))) {
        mpico_heap_free(&r->heap, p.part);
        return api_error(r, c, e);
    }
    p.ints = (int *)(p.part + size);
    p.at = p.ints + size;
    e = gather(r, c, *t, &p);
    r->call = call;
    if (!e && p.list && (e = topo_agree(r, c, reorder(r, c, &p, t, node))))
        e = api_error(r, c, e);
    mpico_heap_free(&r->heap, p.list);
    mpico_heap_free(&r->heap, p.part);
    return e;
}
