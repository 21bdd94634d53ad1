/* topo_graph.c: graphs that every rank knows wholly (MPI 5.0, section 8.5.3). index[i] is where the edges of node i end. */
#include <string.h>

#include "topo.h"

static int check_graph(struct rank *r, int nnodes, const int *indx, const int *edges, int most)
{
    int e, before = 0;
    if (nnodes < 0 || nnodes > most)
        return mpico_fault(r, MPI_ERR_TOPOLOGY, topo_text("nnodes: %d is not possible on %d ranks"), nnodes, most);
    if (nnodes && (e = check_pointer(r, indx, "index")))
        return e;
    for (int i = 0; i < nnodes; before = indx[i++])
        if (indx[i] < before)
            return mpico_fault(r, MPI_ERR_TOPOLOGY, topo_text("index: %d follows %d"), indx[i], before);
    if (before && (e = check_pointer(r, edges, "edges")))
        return e;
    for (int i = 0; i < before; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return mpico_fault(r, MPI_ERR_TOPOLOGY, topo_text("edges: %d is none of the %d nodes"), edges[i], nnodes);
    return MPI_SUCCESS;
}

/* The arguments of the calls that make a graph, and the node this process gets. NULL: the sentence is in the rank. */
static struct topology *graph_of(struct rank *r, const struct comm *c, int nnodes, const int *indx, const int *edges,
                                 int reorder, int *node)
{
    int nedges = nnodes ? indx[nnodes - 1] : 0;
    struct topology *t = api_topo_alloc(r, MPI_GRAPH, nnodes, nedges, 0);
    if (!t)
        return NULL;
    if (nnodes)
        memcpy(t->list, indx, (size_t)nnodes * sizeof(int));
    if (nedges)
        memcpy(t->list + nnodes, edges, (size_t)nedges * sizeof(int));
    *node = c->rank;
    if (!topo_may_reorder(r, reorder) || api_graph_reorder(r, c, t, node) == MPI_SUCCESS)
        return t;
    mpico_heap_free(&r->heap, t);
    return NULL;
}

#pragma weak MPI_Graph_create = PMPI_Graph_create
int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                      MPI_Comm *comm_graph)
{
    struct rank *r = api_enter("MPI_Graph_create");
    struct comm *c = NULL;
    int e, node;
    if ((e = check_topo_parent(r, comm_old, &c)) || (e = check_graph(r, nnodes, indx, edges, c->size)) ||
        (e = check_pointer(r, comm_graph, "comm_graph")))
        return api_error(r, c, e);
    struct topology *t = graph_of(r, c, nnodes, indx, edges, reorder, &node);
    if ((e = topo_agree(r, c, t ? MPI_SUCCESS : MPI_ERR_NO_MEM))) {
        mpico_heap_free(&r->heap, t);
        return api_error(r, c, e);
    }
    return api_topo_make(r, c, t, c->rank < nnodes ? 0 : -1, node, comm_graph);
}

#pragma weak MPI_Graph_map = PMPI_Graph_map
int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank)
{
    struct rank *r = api_enter("MPI_Graph_map");
    struct comm *c = NULL;
    int e;
    if ((e = check_topo_parent(r, comm, &c)) || (e = check_graph(r, nnodes, indx, edges, c->size)) ||
        (e = check_pointer(r, newrank, "newrank")))
        return api_error(r, c, e);
    *newrank = c->rank < nnodes ? c->rank : MPI_UNDEFINED;
    if (c->rank >= nnodes || !topo_may_reorder(r, 1))
        return MPI_SUCCESS;
    struct topology *t = graph_of(r, c, nnodes, indx, edges, 1, newrank);
    mpico_heap_free(&r->heap, t);
    return t ? MPI_SUCCESS : api_error(r, c, MPI_ERR_NO_MEM);
}

#pragma weak MPI_Graphdims_get = PMPI_Graphdims_get
int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    struct rank *r = api_enter("MPI_Graphdims_get");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_topo(r, comm, MPI_GRAPH, &c, &t)) || (e = check_pointer(r, nnodes, "nnodes")) ||
        (e = check_pointer(r, nedges, "nedges")))
        return api_error(r, c, e);
    *nnodes = t->n;
    *nedges = t->m;
    return MPI_SUCCESS;
}

/* As many of `have` entries as there is room for. */
static int give(struct rank *r, int *to, int room, const int *from, int have, const char *name)
{
    int n = room < have ? room : have;
    int e = n > 0 ? check_pointer(r, to, name) : MPI_SUCCESS;
    if (!e && n > 0)
        memcpy(to, from, (size_t)n * sizeof(int));
    return e;
}

#pragma weak MPI_Graph_get = PMPI_Graph_get
int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
    struct rank *r = api_enter("MPI_Graph_get");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_topo(r, comm, MPI_GRAPH, &c, &t)) || (e = give(r, indx, maxindex, t->list, t->n, "index")) ||
        (e = give(r, edges, maxedges, t->list + t->n, t->m, "edges")))
        return api_error(r, c, e);
    return MPI_SUCCESS;
}

/* The edges of one node. */
static int neighbors(struct rank *r, MPI_Comm comm, int rank, struct comm **c, const int **edges, int *count)
{
    const struct topology *t;
    int e = check_topo(r, comm, MPI_GRAPH, c, &t);
    if (e)
        return e;
    if (rank < 0 || rank >= t->n)
        return mpico_fault(r, MPI_ERR_RANK, topo_text("rank: %d is none of the %d nodes"), rank, t->n);
    int from = rank ? t->list[rank - 1] : 0;
    *edges = t->list + t->n + from;
    *count = t->list[rank] - from;
    return MPI_SUCCESS;
}

#pragma weak MPI_Graph_neighbors_count = PMPI_Graph_neighbors_count
int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    struct rank *r = api_enter("MPI_Graph_neighbors_count");
    struct comm *c = NULL;
    const int *edges;
    int e, count;
    if ((e = neighbors(r, comm, rank, &c, &edges, &count)) || (e = check_pointer(r, nneighbors, "nneighbors")))
        return api_error(r, c, e);
    *nneighbors = count;
    return MPI_SUCCESS;
}

#pragma weak MPI_Graph_neighbors = PMPI_Graph_neighbors
int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int list[])
{
    struct rank *r = api_enter("MPI_Graph_neighbors");
    struct comm *c = NULL;
    const int *edges;
    int e, count;
    if ((e = neighbors(r, comm, rank, &c, &edges, &count)) ||
        (e = give(r, list, maxneighbors, edges, count, "neighbors")))
        return api_error(r, c, e);
    return MPI_SUCCESS;
}
