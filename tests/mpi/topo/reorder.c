/* A grid or a graph with reordering is one all the same: every rank has one place in it, and messages along its edges come from the
 * neighbour.
 */
#include "check.h"

static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

/* The neighbours in a ring that goes through all nodes in steps of more than one; `turn` 1: the one before. */
static int other(int node, int turn)
{
    int step = np > 4 ? np / 2 - 1 : 1;
    while (gcd(step, np) > 1)
        step--;
    return (turn ? node + np - step : node + step) % np;
}

static void exchange(MPI_Comm graph, int wanted_edges)
{
    int rank, sum, out[2], in[2] = {-1, -1};
    MPI_Comm_rank(graph, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == np * (np - 1) / 2, "%d", sum);
    out[0] = out[1] = rank;
    CHECK_OK(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph));
    for (int i = 0; i < wanted_edges; i++)
        CHECK(in[i] == other(rank, i), "node %d, edge %d: %d, wanted %d", rank, i, in[i], other(rank, i));
    MPI_Comm_free(&graph);
}

static void graphs(void)
{
    int *indx = check_alloc((size_t)np * sizeof *indx), *edges = check_alloc(2 * (size_t)np * sizeof *edges), node,
        mine;
    for (int i = 0; i < np; i++) {
        indx[i] = 2 * (i + 1);
        edges[2 * i] = other(i, 0);
        edges[2 * i + 1] = other(i, 1);
    }
    MPI_Comm graph;
    CHECK_OK(MPI_Graph_map(MPI_COMM_WORLD, np, indx, edges, &node));
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, np, indx, edges, 1, &graph));
    MPI_Comm_rank(graph, &mine);
    CHECK(node == mine, "node %d by the map, %d in the graph", node, mine);
    exchange(graph, 2);
    const int weights[2] = {3, 3}, degree = 2, here[2] = {other(me, 0), other(me, 1)};
    CHECK_OK(
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, here, weights, 2, here, weights, MPI_INFO_NULL, 1, &graph));
    exchange(graph, 2);
    /* Edges given by another process. */
    const int source = right_of(me), to[2] = {other(source, 0), other(source, 1)};
    CHECK_OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph));
    int in, outgoing, weighted, sources[2], targets[2], at;
    MPI_Comm_rank(graph, &at);
    CHECK_OK(MPI_Dist_graph_neighbors_count(graph, &in, &outgoing, &weighted));
    CHECK(in == 2 && outgoing == 2 && !weighted, "%d %d %d", in, outgoing, weighted);
    CHECK_OK(MPI_Dist_graph_neighbors(graph, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED));
    CHECK(targets[0] == other(at, 0) && targets[1] == other(at, 1), "node %d: to %d and %d", at, targets[0],
          targets[1]);
    exchange(graph, 0);
    free(indx);
    free(edges);
}

int main(int argc, char **argv)
{
    int dims[2] = {0, 0}, periods[2] = {0, 1}, rank, coords[2], at, out[4], in[4], source[4], sum;
    MPI_Comm grid;
    check_start(&argc, &argv);
    MPI_Dims_create(np, 2, dims);
    for (int turn = 0; turn < 2; turn++) {
        int sizes[2] = {dims[turn], dims[!turn]};
        CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 1, &grid));
        MPI_Comm_rank(grid, &rank);
        MPI_Cart_coords(grid, rank, 2, coords);
        MPI_Cart_rank(grid, coords, &at);
        CHECK(at == rank, "%d %d", at, rank);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(sum == np * (np - 1) / 2, "%d", sum);
        MPI_Cart_shift(grid, 0, 1, &source[0], &source[1]);
        MPI_Cart_shift(grid, 1, 1, &source[2], &source[3]);
        for (int i = 0; i < 4; i++) {
            out[i] = 10 * rank + i;
            in[i] = -1;
        }
        CHECK_OK(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid));
        for (int i = 0; i < 4; i++) {
            int wanted = source[i] < 0 ? -1 : 10 * source[i] + (i ^ 1);
            CHECK(in[i] == wanted, "edge %d: %d, wanted %d", i, in[i], wanted);
        }
        MPI_Comm_free(&grid);
    }
    graphs();
    return check_finish();
}
