/* MPI_Comm_disconnect waits for what is under way on the communicator, and leaves the null handle. */
#include "check.h"

enum { MANY = 20000 };

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request requests[2];
    int *out = check_alloc(MANY * sizeof *out), *in = check_alloc(MANY * sizeof *in);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < MANY; i++)
        out[i] = me * 7 + i;
    MPI_Irecv(in, MANY, MPI_INT, left_of(me), 3, comm, &requests[0]);
    MPI_Isend(out, MANY, MPI_INT, right_of(me), 3, comm, &requests[1]);
    CHECK_OK(MPI_Comm_disconnect(&comm));
    CHECK(comm == MPI_COMM_NULL, "the handle is left");
    for (int i = 0; i < MANY; i++)
        CHECK(in[i] == left_of(me) * 7 + i, "place %d holds %d before the wait", i, in[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check_return_errors();
    CHECK_CLASS(MPI_Comm_disconnect(&comm), MPI_ERR_COMM);
    comm = MPI_COMM_WORLD;
    CHECK_CLASS(MPI_Comm_disconnect(&comm), MPI_ERR_COMM);
    free(in);
    free(out);
    return check_finish();
}
