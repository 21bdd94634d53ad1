/* A rank that alone has no memory for a graph: all get the error, at once, and go on together afterwards. Where the machine's wires are
 * known the order of the processes is tried, too, which takes more memory than the graph. */
#include "../check.h"

enum {
    NODES_MOST = 64,
    EDGES = 3000 /* of each node */,
    FILLERS = 400,
    LEFT = 8 << 10 /* less than any graph takes */
};

static MPI_Comm world, graph;
static int indx[NODES_MOST], edges[NODES_MOST * EDGES], targets[EDGES];
static void *filler[FILLERS];
static int fillers;

static int takes(MPI_Aint bytes)
{
    return fillers < FILLERS && MPI_Alloc_mem(bytes, MPI_INFO_NULL, &filler[fillers]) == MPI_SUCCESS && ++fillers;
}

/* Only so many bytes stay free, in one piece. */
static void fill_up(MPI_Aint left)
{
    void *kept;
    fillers = 0;
    if (me != np - 1)
        return;
    CHECK_OK(MPI_Alloc_mem(left, MPI_INFO_NULL, &kept));
    for (MPI_Aint bytes = (MPI_Aint)1 << (sizeof bytes > 4 ? 40 : 28); bytes >= 64; bytes /= 2)
        while (takes(bytes))
            continue;
    MPI_Free_mem(kept);
}

static void give_back(void)
{
    while (fillers)
        MPI_Free_mem(filler[--fillers]);
}

static void describe(void)
{
    for (int i = 0; i < EDGES; i++)
        targets[i] = right_of(me);
    for (int i = 0; i < np; i++)
        indx[i] = EDGES * (i + 1);
    for (int i = 0; i < EDGES * np; i++)
        edges[i] = right_of(i / EDGES);
}

static int make(int kind, int reorder)
{
    int degree = EDGES;
    switch (kind) {
    case 0:
        return MPI_Graph_create(world, np, indx, edges, reorder, &graph);
    case 1:
        return MPI_Dist_graph_create_adjacent(world, 0, NULL, MPI_UNWEIGHTED, EDGES, targets, MPI_UNWEIGHTED,
                                              MPI_INFO_NULL, reorder, &graph);
    default:
        return MPI_Dist_graph_create(world, 1, &me, &degree, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, &graph);
    }
}

/* A piece that holds the graph. As much again holds what a new communicator takes, but not three times the graph. */
static MPI_Aint graph_bytes(void)
{
    MPI_Aint least = (MPI_Aint)sizeof(int) * (EDGES + 10) * np, bytes = 1;
    while (bytes < least)
        bytes *= 2;
    return bytes;
}

/* Where it is enough after all, for all of them it is. */
static int attempt(int kind, int reorder, MPI_Aint left)
{
    char sentence[MPI_MAX_ERROR_STRING];
    int length, worst, least;
    fill_up(left);
    int code = make(kind, reorder), class = class_of(code);
    give_back();
    MPI_Error_string(code, sentence, &length);
    MPI_Allreduce(&class, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&class, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(worst == least && (class == MPI_SUCCESS || class == MPI_ERR_NO_MEM), "kind %d: classes %d and %d: %s", kind,
          least, worst, sentence);
    if (class == MPI_SUCCESS)
        MPI_Comm_free(&graph);
    return class;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    if (CHECK_SMALL || np > NODES_MOST) /* small builds do not ask each other */
        return check_skip();
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    describe();
    for (int kind = 0; kind < 3; kind++)
        for (int reorder = 0; reorder < 2; reorder++) {
            CHECK_OK(make(kind, reorder)); /* what lives on is made */
            MPI_Comm_free(&graph);
            CHECK(attempt(kind, reorder, LEFT) == MPI_ERR_NO_MEM, "kind %d was made of nothing", kind);
            attempt(kind, reorder, 2 * graph_bytes());
        }
    MPI_Comm_free(&world);
    return check_finish();
}
