/* A graph that every rank knows: a wheel, whose node 0 has an edge to every other one and back, and the others form a ring. */
#include "check.h"

static int ring_next(int i, int step) { return (i - 1 + step + np - 1) % (np - 1) + 1; }

/* Node i's edges; how many. */
static int edges_of(int i, int *edges)
{
    if (np == 1) {
        edges[0] = 0;
        return 1;
    }
    if (i == 0) {
        for (int k = 1; k < np; k++) {
            edges[k - 1] = k;
        }
        return np - 1;
    }
    edges[0] = 0;
    edges[1] = ring_next(i, -1);
    edges[2] = ring_next(i, 1);
    return 3;
}

static void check_graph(MPI_Comm graph, const int *indx, const int *edges, int total)
{
    int nodes, nedges, kind, count, rank;
    int *got = check_alloc((size_t)(np + total) * sizeof(int)), *list = check_alloc((size_t)(np + 3) * sizeof(int));
    MPI_Comm_rank(graph, &rank);
    CHECK_OK(MPI_Topo_test(graph, &kind));
    CHECK_OK(MPI_Graphdims_get(graph, &nodes, &nedges));
    CHECK(kind == MPI_GRAPH && nodes == np && nedges == total, "%d: %d and %d", kind, nodes, nedges);
    CHECK_OK(MPI_Graph_get(graph, np, total, got, got + np));
    CHECK(memcmp(got, indx, (size_t)np * sizeof(int)) == 0, "%d", got[0]);
    CHECK(memcmp(got + np, edges, (size_t)total * sizeof(int)) == 0, "%d", got[np]);
    for (int i = 0; i < np; i++) {
        int wanted = edges_of(i, got);
        CHECK_OK(MPI_Graph_neighbors_count(graph, i, &count));
        CHECK(count == wanted, "node %d: %d, wanted %d", i, count, wanted);
        CHECK_OK(MPI_Graph_neighbors(graph, i, count, list));
        CHECK(memcmp(list, got, (size_t)count * sizeof(int)) == 0, "node %d: %d", i, list[0]);
    }
    free(got);
    free(list);
}

int main(int argc, char **argv)
{
    int total = 0, newrank;
    MPI_Comm graph, twin;
    check_start(&argc, &argv);
    check_return_errors();
    int *indx = check_alloc((size_t)np * sizeof(int)), *edges = check_alloc((size_t)(4 * np + 4) * sizeof(int));
    for (int i = 0; i < np; i++) {
        total += edges_of(i, edges + total);
        indx[i] = total;
    }
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, np, indx, edges, 1, &graph));
    CHECK_OK(MPI_Graph_map(MPI_COMM_WORLD, np, indx, edges, &newrank));
    int rank;
    MPI_Comm_rank(graph, &rank);
    CHECK(rank == newrank, "%d and %d", rank, newrank);
    check_graph(graph, indx, edges, total);
    MPI_Comm_dup(graph, &twin);
    MPI_Comm_free(&graph);
    check_graph(twin, indx, edges, total);
    MPI_Comm_free(&twin);
    /* Fewer nodes than ranks. */
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){0, 0}, 0, &graph));
    CHECK((graph == MPI_COMM_NULL) == (me > 0), "np %d", np);
    if (graph != MPI_COMM_NULL) {
        MPI_Comm_free(&graph);
    }
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &graph));
    CHECK(graph == MPI_COMM_NULL, "np %d", np);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, np + 1, indx, edges, 0, &graph), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){1}, 0, &graph), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){-1}, edges, 0, &graph), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Graph_neighbors_count(MPI_COMM_WORLD, 0, &total), MPI_ERR_TOPOLOGY);
    free(indx);
    free(edges);
    return check_finish();
}
