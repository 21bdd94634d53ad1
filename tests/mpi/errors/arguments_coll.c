/* Each bad argument of a collective call, given on all ranks alike, gives the class the standard names. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    int x = 1, y = 2, sum = 0;
    MPI_Comm w = MPI_COMM_WORLD, comm;
    MPI_Request q;
    CHECK_CLASS(MPI_Bcast(&x, -1, MPI_INT, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, w), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Bcast(&x, 1, MPI_INT, np, w), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast(&x, 1, MPI_INT, -9, w), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Reduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, 0, w), MPI_ERR_OP);
    CHECK_CLASS(MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, np, w), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Allreduce(&x, &y, -1, MPI_INT, MPI_SUM, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Allreduce(&x, &y, 1, MPI_DATATYPE_NULL, MPI_SUM, w), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, w), MPI_ERR_OP);
    CHECK_CLASS(MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, w, &q), MPI_ERR_OP);
    CHECK_CLASS(MPI_Scan(&x, &y, -1, MPI_INT, MPI_SUM, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Gather(&x, 1, MPI_INT, &y, 1, MPI_INT, np, w), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Comm_split(w, -9, 0, &comm), MPI_ERR_ARG);
    CHECK_OK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, w));
    CHECK(sum == np * (np - 1) / 2, "%d", sum);
    return check_finish();
}
