/* A communicator freed with messages under way still delivers them. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { LENGTH = 100000 };
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(LENGTH), *in = check_alloc(LENGTH);
    MPI_Comm comm;
    MPI_Request requests[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    fill_bytes(out, LENGTH, me);
    MPI_Irecv(in, LENGTH, MPI_BYTE, left_of(me), 0, comm, &requests[0]);
    MPI_Isend(out, LENGTH, MPI_BYTE, right_of(me), 0, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(wrong_byte(in, LENGTH, left_of(me)) < 0, "byte %ld", wrong_byte(in, LENGTH, left_of(me)));
    free(out);
    free(in);
    return check_finish();
}
