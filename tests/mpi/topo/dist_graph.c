/* Distributed graphs: edges given where they end, and edges given by ranks that have no part in them. */
#include "check.h"

enum { MOST = 8 };

struct edges {
    int in, out, weighted, source[MOST], source_weight[MOST], destination[MOST], destination_weight[MOST];
};

static struct edges edges_of(MPI_Comm graph)
{
    struct edges e;
    int kind;
    CHECK_OK(MPI_Topo_test(graph, &kind));
    CHECK(kind == MPI_DIST_GRAPH, "%d", kind);
    CHECK_OK(MPI_Dist_graph_neighbors_count(graph, &e.in, &e.out, &e.weighted));
    CHECK(e.in <= MOST && e.out <= MOST, "%d %d", e.in, e.out);
    memset(e.source_weight, -1, sizeof e.source_weight);
    CHECK_OK(
        MPI_Dist_graph_neighbors(graph, e.in, e.source, e.source_weight, e.out, e.destination, e.destination_weight));
    return e;
}

static void check_adjacent(void)
{
    const int sources[2] = {left_of(left_of(me)), left_of(me)},
              destinations[2] = {right_of(me), right_of(right_of(me))};
    const int in[2] = {2 * me, 2 * me + 1}, out[2] = {3, 4};
    MPI_Comm graph, twin;
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 1, &graph));
    struct edges e = edges_of(graph);
    CHECK(e.in == 2 && e.out == 2 && !e.weighted && e.source[0] == sources[0] && e.source[1] == sources[1] &&
              e.destination[0] == destinations[0] && e.destination[1] == destinations[1] && e.source_weight[0] == -1,
          "%d %d %d", e.in, e.out, e.weighted);
    MPI_Comm_free(&graph);
    CHECK_OK(
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, in, 2, destinations, out, MPI_INFO_NULL, 0, &graph));
    MPI_Comm_dup(graph, &twin);
    MPI_Comm_free(&graph);
    e = edges_of(twin);
    CHECK(e.in == 2 && e.out == 2 && e.weighted && e.source_weight[0] == 2 * me && e.source_weight[1] == 2 * me + 1 &&
              e.destination_weight[0] == 3 && e.destination_weight[1] == 4,
          "%d %d", e.source_weight[0], e.destination_weight[1]);
    MPI_Comm_free(&twin);
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY,
                                            MPI_INFO_NULL, 0, &graph));
    e = edges_of(graph);
    CHECK(e.in == 0 && e.out == 0 && e.weighted, "%d %d %d", e.in, e.out, e.weighted);
    MPI_Comm_free(&graph);
}

/* Rank 0 tells the whole ring, the last rank adds an edge from each rank to rank 0 a second time. */
static void check_anywhere(int weighted)
{
    int n = me == 0 ? np : 0, extra = me == np - 1 ? np : 0, total = n + extra;
    int *list = check_alloc((size_t)(4 * total + 1) * sizeof(int));
    int *sources = list, *degrees = list + total, *destinations = degrees + total, *weights = destinations + total;
    for (int i = 0; i < total; i++) {
        sources[i] = i % np;
        degrees[i] = 1;
        destinations[i] = i < n ? right_of(i) : 0;
        weights[i] = i < n ? 100 + i : 200 + i - n;
    }
    MPI_Comm graph;
    CHECK_OK(MPI_Dist_graph_create(MPI_COMM_WORLD, total, sources, degrees, destinations,
                                   !weighted ? MPI_UNWEIGHTED
                                   : total   ? weights
                                             : MPI_WEIGHTS_EMPTY,
                                   MPI_INFO_NULL, 0, &graph));
    struct edges e;
    int room = np + 1;
    int *in = check_alloc((size_t)room * sizeof(int)), *in_weights = check_alloc((size_t)room * sizeof(int));
    CHECK_OK(MPI_Dist_graph_neighbors_count(graph, &e.in, &e.out, &e.weighted));
    CHECK(e.weighted == weighted && e.out == 2 && e.in == (me == 0 ? 1 + np : 1), "%d %d %d", e.in, e.out, e.weighted);
    CHECK_OK(MPI_Dist_graph_neighbors(graph, e.in, in, in_weights, e.out, e.destination, e.destination_weight));
    CHECK(e.destination[0] == right_of(me) && e.destination[1] == 0 && in[0] == left_of(me), "%d %d %d",
          e.destination[0], e.destination[1], in[0]);
    CHECK(!weighted || (e.destination_weight[0] == 100 + me && e.destination_weight[1] == 200 + me &&
                        in_weights[0] == 100 + left_of(me)),
          "%d %d %d", e.destination_weight[0], e.destination_weight[1], in_weights[0]);
    for (int i = 1; i < e.in; i++) {
        CHECK(in[i] == i - 1 && (!weighted || in_weights[i] == 200 + i - 1), "%d: %d", i, in[i]);
    }
    MPI_Comm_free(&graph);
    free(in);
    free(in_weights);
    free(list);
}

static void check_errors(void)
{
    MPI_Comm graph;
    const int bad = np, good = 0, negative = -1, one = 1;
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &bad, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                               MPI_INFO_NULL, 0, &graph),
                MPI_ERR_RANK);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &good, &negative, 0, NULL, MPI_WEIGHTS_EMPTY,
                                               MPI_INFO_NULL, 0, &graph),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, -1, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                               MPI_INFO_NULL, 0, &graph),
                MPI_ERR_ARG);
    CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &good, &one, &bad, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
                MPI_ERR_RANK);
    CHECK_CLASS(
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &good, &negative, &good, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_ARG);
    int n;
    CHECK_CLASS(MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &n, &n, &n), MPI_ERR_TOPOLOGY);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    check_adjacent();
    check_anywhere(0);
    check_anywhere(1);
    check_errors();
    return check_finish();
}
