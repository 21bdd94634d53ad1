/* Wrong arguments of neighbourhood collectives; communicators without neighbours. */
#include "check.h"

int main(int argc, char **argv)
{
    int x[2] = {1, 2}, y[2] = {-1, -1}, wrap = 1;
    MPI_Comm ring, empty;
    MPI_Request request;
    check_start(&argc, &argv);
    check_return_errors();
    CHECK_CLASS(MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_CLASS(MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_NULL), MPI_ERR_COMM);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &wrap, 0, &ring);
    CHECK_CLASS(MPI_Neighbor_alltoall(x, -1, MPI_INT, y, 1, MPI_INT, ring), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Neighbor_alltoall(x, 1, MPI_DATATYPE_NULL, y, 1, MPI_INT, ring), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, y, 1, MPI_INT, ring), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Neighbor_allgather(NULL, 1, MPI_INT, y, 1, MPI_INT, ring), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Neighbor_alltoallv(x, NULL, NULL, MPI_INT, y, NULL, NULL, MPI_INT, ring), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Ineighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, ring, NULL), MPI_ERR_ARG);
    CHECK_OK(MPI_Ineighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, ring, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(y[0] == 2 && y[1] == 1, "%d %d", y[0], y[1]);
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &empty));
    CHECK_OK(MPI_Neighbor_allgather(x, 1, MPI_INT, NULL, 1, MPI_INT, empty));
    CHECK_OK(MPI_Neighbor_alltoallv(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, empty));
    MPI_Comm_free(&empty);
    MPI_Comm_free(&ring);
    return check_finish();
}
