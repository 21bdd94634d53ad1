/* Each bad argument of a point-to-point call gives the class the standard names, and communication goes on. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    int x = 1, flag;
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Status s;
    CHECK_CLASS(MPI_Send(&x, -1, MPI_INT, 0, 0, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, w), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, np, 0, w), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, -77, 0, w), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, w), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, 0, -55, w), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, 0, MPI_ANY_TAG, w), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Isend(&x, -1, MPI_INT, 0, 0, w, &q), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Ssend(&x, 1, MPI_INT, np, 0, w), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Recv(&x, -1, MPI_INT, 0, 0, w, &s), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Recv(&x, 1, MPI_DATATYPE_NULL, 0, 0, w, &s), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, np, 0, w, &s), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Recv(&x, 1, MPI_INT, 0, -55, w, &s), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Irecv(&x, 1, MPI_INT, np + 5, 0, w, &q), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &q), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Probe(np, 0, w, &s), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Iprobe(0, -55, w, &flag, &s), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Sendrecv(&x, 1, MPI_INT, np, 0, &x, 1, MPI_INT, 0, 0, w, &s), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send_init(&x, -1, MPI_INT, 0, 0, w, &q), MPI_ERR_COUNT);
    CHECK(MPI_Start(&q) != MPI_SUCCESS, "rank %d started a null request", me);
    CHECK(MPI_Comm_rank(MPI_COMM_NULL, &x) != MPI_SUCCESS, "rank of null: %d", x);
    int in = -1, out = me;
    CHECK_OK(MPI_Sendrecv(&out, 1, MPI_INT, right_of(me), 0, &in, 1, MPI_INT, left_of(me), 0, w, &s));
    CHECK(in == left_of(me), "%d", in);
    return check_finish();
}
