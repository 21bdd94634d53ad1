/* topo_dist.c: distributed graphs (MPI 5.0, section 8.5.4): each rank knows the edges that come to it and go from it. Where the
 * edges are given anywhere, they are sent to both their ends; each end has them in the order of the ranks that gave them, so that
 * several edges between two ranks stand in the same order at both.
 */
#include <string.h>

#include "topo.h"

enum { RECORD = 3 }; /* an edge on its way: which end this is, the other end, the weight */
enum end { END_SOURCE, END_DESTINATION };

/* ---- Arguments ---- */

static int check_list(struct rank *r, int count, const int *list, int most, const char *name)
{
    int e;
    if (count < 0)
        return mpico_fault(r, MPI_ERR_ARG, "%s: %d of them", name, count);
    if (count && (e = check_pointer(r, list, name)))
        return e;
    for (int i = 0; i < count; i++)
        if (list[i] < 0 || list[i] >= most)
            return mpico_fault(r, MPI_ERR_RANK, "%s: rank %d is not in the communicator of %d ranks", name, list[i],
                               most);
    return MPI_SUCCESS;
}

static int has_weights(const int *weights) { return weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY; }

static int check_weights(struct rank *r, int count, const int *weights, const char *name)
{
    if (count && weights == MPI_WEIGHTS_EMPTY)
        return mpico_fault(r, MPI_ERR_ARG, "%s: MPI_WEIGHTS_EMPTY for %d edges", name, count);
    int e = count && has_weights(weights) ? check_pointer(r, weights, name) : MPI_SUCCESS;
    for (int i = 0; i < count && !e && has_weights(weights); i++)
        if (weights[i] < 0)
            e = mpico_fault(r, MPI_ERR_ARG, "%s: %d is negative", name, weights[i]);
    return e;
}

/* ---- Edges given where they end ---- */

/* A side without edges may say what it likes. */
static int are_weighted(int n, const int *in, int m, const int *out)
{
    return (in != MPI_UNWEIGHTED || out != MPI_UNWEIGHTED) && (n == 0 || in != MPI_UNWEIGHTED) &&
           (m == 0 || out != MPI_UNWEIGHTED);
}

static void put(int *to, const int *from, int count)
{
    if (count)
        memcpy(to, from, (size_t)count * sizeof(int));
}

/* With `t`, which it takes; NULL: no memory, with the sentence. An error has been raised already. */
static int make(struct rank *r, struct comm *c, struct topology *t, int reorder, MPI_Comm *newcomm)
{
    int node = c->rank;
    int e = topo_agree(r, c, t ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (e)
        e = api_error(r, c, e);
    else if (topo_may_reorder(r, reorder))
        e = api_dist_reorder(r, c, &t, &node);
    if (!e)
        return api_topo_make(r, c, t, 0, node, newcomm);
    mpico_heap_free(&r->heap, t);
    return e;
}

#pragma weak MPI_Dist_graph_create_adjacent = PMPI_Dist_graph_create_adjacent
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int *sourceweights,
                                    int outdegree, const int destinations[], const int *destweights, MPI_Info info,
                                    int reorder, MPI_Comm *comm_dist_graph)
{
    struct rank *r = api_enter("MPI_Dist_graph_create_adjacent");
    struct comm *c = NULL;
    int e;
    if ((e = check_topo_parent(r, comm_old, &c)) || (e = check_hints(r, info)) ||
        (e = check_list(r, indegree, sources, c->size, "sources")) ||
        (e = check_list(r, outdegree, destinations, c->size, "destinations")) ||
        (e = check_weights(r, indegree, sourceweights, "sourceweights")) ||
        (e = check_weights(r, outdegree, destweights, "destweights")) ||
        (e = check_pointer(r, comm_dist_graph, "comm_dist_graph")))
        return api_error(r, c, e);
    int n = indegree, m = outdegree, weighted = are_weighted(n, sourceweights, m, destweights);
    struct topology *t = api_topo_alloc(r, MPI_DIST_GRAPH, n, m, weighted);
    if (t) {
        put(t->list, sources, n);
        put(t->list + n, destinations, m);
    }
    if (t && weighted) {
        put(t->list + n + m, sourceweights, n);
        put(t->list + 2 * n + m, destweights, m);
    }
    return make(r, c, t, reorder, comm_dist_graph);
}

/* ---- Edges given anywhere ---- */

struct given {
    int n;
    const int *sources, *degrees, *destinations, *weights;
};

static int check_given(struct rank *r, const struct given *g, int most)
{
    int e, edges = 0;
    if ((e = check_list(r, g->n, g->sources, most, "sources")) ||
        (g->n && (e = check_pointer(r, g->degrees, "degrees"))))
        return e;
    for (int i = 0; i < g->n; i++)
        if (g->degrees[i] < 0 || __builtin_add_overflow(edges, g->degrees[i], &edges))
            return mpico_fault(r, MPI_ERR_ARG, "degrees: %d is not possible", g->degrees[i]);
    int64_t all = edges;
    if (all > INT32_MAX / (2 * RECORD))
        return mpico_fault(r, MPI_ERR_ARG, "degrees: %d edges are too many", edges);
    e = check_list(r, edges, g->destinations, most, "destinations");
    return e ? e : check_weights(r, edges, g->weights, "weights");
}

int api_topo_line_up(const int *count, int *at, int size)
{
    int sum = 0;
    for (int i = 0; i < size; i++) {
        at[i] = sum;
        if (__builtin_add_overflow(sum, count[i], &sum))
            return -1;
    }
    return sum;
}

/* Of each rank: how many integers, and from where on; sent and received. */
struct exchange {
    int size;
    int *out_count, *out_at, *in_count, *in_at;
    int *out, *in;
};

static void to_ends(const struct given *g, struct exchange *x, int counting)
{
    const int *destination = g->destinations;
    for (int i = 0, k = 0; i < g->n; i++)
        for (int j = 0; j < g->degrees[i]; j++, k++) {
            int ends[2] = {g->sources[i], destination[k]};
            for (int end = END_SOURCE; end <= END_DESTINATION; end++) {
                int to = ends[end];
                if (!counting) {
                    int *record = x->out + x->out_at[to] + x->out_count[to];
                    record[0] = end;
                    record[1] = ends[!end];
                    record[2] = has_weights(g->weights) ? g->weights[k] : 0;
                }
                x->out_count[to] += RECORD;
            }
        }
}

/* Both of these have raised their errors already. */
static int exchange(struct rank *r, struct comm *c, const struct given *g, struct exchange *x, int *received)
{
    MPI_Comm handle = api_comm_handle(c);
    to_ends(g, x, 1);
    int e = PMPI_Alltoall(x->out_count, 1, MPI_INT, x->in_count, 1, MPI_INT, handle);
    int sent = api_topo_line_up(x->out_count, x->out_at, x->size);
    *received = e ? 0 : api_topo_line_up(x->in_count, x->in_at, x->size);
    if (e)
        return e;
    x->out = *received < 0 ? NULL : mpico_heap_alloc(&r->heap, (size_t)sent * sizeof(int) + 1);
    x->in = *received < 0 ? NULL : mpico_heap_alloc(&r->heap, (size_t)*received * sizeof(int) + 1);
    if (!x->out || !x->in)
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the edges of a graph");
    else if (!SMALL)
        e = api_topo_room(r, c);
    if ((e = topo_agree(r, c, e)))
        return api_error(r, c, e);
    memset(x->out_count, 0, (size_t)x->size * sizeof(int));
    to_ends(g, x, 0);
    return PMPI_Alltoallv(x->out, x->out_count, x->out_at, MPI_INT, x->in, x->in_count, x->in_at, MPI_INT, handle);
}

static struct topology *from_records(struct rank *r, const int *record, int count, int weighted)
{
    int outgoing = 0;
    for (int i = 0; i < count; i++)
        outgoing += record[RECORD * i] == END_SOURCE;
    int n = count - outgoing, at[2] = {n, 0};
    struct topology *t = api_topo_alloc(r, MPI_DIST_GRAPH, n, outgoing, weighted);
    for (int i = 0; t && i < count; i++, record += RECORD) {
        int k = at[record[0]]++;
        t->list[k] = record[1];
        if (weighted)
            t->list[count + k] = record[2];
    }
    return t;
}

static int distribute(struct rank *r, struct comm *c, const struct given *g, int reorder, MPI_Comm *newcomm)
{
    const char *call = r->call;
    size_t size = (size_t)c->size;
    int *tables = mpico_heap_alloc(&r->heap, 4 * size * sizeof(int)), received;
    int e = tables ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the edges of %d ranks", c->size);
    if (!SMALL && !e)
        e = api_topo_room(r, c);
    if ((e = topo_agree(r, c, e))) {
        mpico_heap_free(&r->heap, tables);
        return api_error(r, c, e);
    }
    memset(tables, 0, 4 * size * sizeof(int));
    struct exchange x = {.size = c->size,
                         .out_count = tables,
                         .out_at = tables + size,
                         .in_count = tables + 2 * size,
                         .in_at = tables + 3 * size};
    e = exchange(r, c, g, &x, &received);
    r->call = call;
    struct topology *t = e ? NULL : from_records(r, x.in, received / RECORD, g->weights != MPI_UNWEIGHTED);
    mpico_heap_free(&r->heap, x.out);
    mpico_heap_free(&r->heap, x.in);
    mpico_heap_free(&r->heap, tables);
    return e ? e : make(r, c, t, reorder, newcomm);
}

#pragma weak MPI_Dist_graph_create = PMPI_Dist_graph_create
int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                           const int *weights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)
{
    struct rank *r = api_enter("MPI_Dist_graph_create");
    const struct given g = {n, sources, degrees, destinations, weights};
    struct comm *c = NULL;
    int e;
    if ((e = check_topo_parent(r, comm_old, &c)) || (e = check_hints(r, info)) || (e = check_given(r, &g, c->size)) ||
        (e = check_pointer(r, comm_dist_graph, "comm_dist_graph")))
        return api_error(r, c, e);
    return distribute(r, c, &g, reorder, comm_dist_graph);
}

/* ---- Asking ---- */

#pragma weak MPI_Dist_graph_neighbors_count = PMPI_Dist_graph_neighbors_count
int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    struct rank *r = api_enter("MPI_Dist_graph_neighbors_count");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_topo(r, comm, MPI_DIST_GRAPH, &c, &t)) || (e = check_pointer(r, indegree, "indegree")) ||
        (e = check_pointer(r, outdegree, "outdegree")) || (e = check_pointer(r, weighted, "weighted")))
        return api_error(r, c, e);
    *indegree = t->n;
    *outdegree = t->m;
    *weighted = t->weighted;
    return MPI_SUCCESS;
}

/* As many as there is room for; weights only where there are any, and are wanted. */
static int give(struct rank *r, int room, const int *list, const int *list_weights, int have, int *to, int *weights)
{
    int n = room < have ? room : have;
    int e = n > 0 ? check_pointer(r, to, "neighbors") : MPI_SUCCESS;
    if (e || n <= 0)
        return e;
    put(to, list, n);
    if (list_weights && has_weights(weights) && !(e = check_pointer(r, weights, "weights")))
        put(weights, list_weights, n);
    return e;
}

#pragma weak MPI_Dist_graph_neighbors = PMPI_Dist_graph_neighbors
int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int *sourceweights, int maxoutdegree,
                              int destinations[], int *destweights)
{
    struct rank *r = api_enter("MPI_Dist_graph_neighbors");
    struct comm *c = NULL;
    const struct topology *t;
    int e = check_topo(r, comm, MPI_DIST_GRAPH, &c, &t);
    if (e)
        return api_error(r, c, e);
    const int *weights = t->weighted ? t->list + t->n + t->m : NULL;
    if ((e = give(r, maxindegree, t->list, weights, t->n, sources, sourceweights)) ||
        (e = give(r, maxoutdegree, t->list + t->n, weights ? weights + t->n : NULL, t->m, destinations, destweights)))
        return api_error(r, c, e);
    return MPI_SUCCESS;
}
