/* Topologies without nodes: nobody is in them. */
#include "check.h"

int main(int argc, char **argv)
{
    int dims[3] = {0, 0, 7}, flags[3] = {1, 1, 0}, rank = -1, none[1] = {0};
    MPI_Comm comm = MPI_COMM_WORLD;
    check_start(&argc, &argv);
    check_return_errors();
    dims[0] = 2 * np; /* more than there are, but for the next */
    CHECK_OK(MPI_Cart_map(MPI_COMM_WORLD, 1, &dims[1], flags, &rank));
    CHECK(rank == MPI_UNDEFINED, "rank %d", rank);
    rank = -1;
    CHECK_OK(MPI_Cart_map(MPI_COMM_WORLD, 2, &dims[1], flags, &rank));
    CHECK(rank == MPI_UNDEFINED, "rank %d", rank);
    CHECK_CLASS(MPI_Cart_map(MPI_COMM_WORLD, 3, dims, flags, &rank), MPI_ERR_DIMS);
    for (int reorder = 0; reorder < 2; reorder++) {
        comm = MPI_COMM_WORLD;
        CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 2, &dims[1], flags, reorder, &comm));
        CHECK(comm == MPI_COMM_NULL, "reorder %d", reorder);
        comm = MPI_COMM_WORLD;
        CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, 0, none, none, reorder, &comm));
        CHECK(comm == MPI_COMM_NULL, "reorder %d", reorder);
    }
    rank = -1;
    CHECK_OK(MPI_Graph_map(MPI_COMM_WORLD, 0, none, none, &rank));
    CHECK(rank == MPI_UNDEFINED, "rank %d", rank);
    CHECK_OK(MPI_Cart_map(MPI_COMM_WORLD, 0, NULL, NULL, &rank)); /* without dimensions: one node */
    CHECK(rank == (me ? MPI_UNDEFINED : 0), "rank %d", rank);
    return check_finish();
}
