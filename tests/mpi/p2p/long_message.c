/* Five megabytes, both ways at once between neighbours, by blocking and by non-blocking calls. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { LENGTH = 5000000 };
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(LENGTH), *in = check_alloc(LENGTH);
    int peer = (me ^ 1) < np ? me ^ 1 : MPI_PROC_NULL;
    MPI_Status status;
    MPI_Request requests[2];
    fill_bytes(out, LENGTH, me);
    MPI_Sendrecv(out, LENGTH, MPI_BYTE, peer, 1, in, LENGTH, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &status);
    if (peer != MPI_PROC_NULL) {
        CHECK(bytes_of(&status) == LENGTH, "%d bytes", bytes_of(&status));
        CHECK(wrong_byte(in, LENGTH, peer) < 0, "byte %ld", wrong_byte(in, LENGTH, peer));
        memset(in, 0, LENGTH);
        MPI_Isend(out, LENGTH, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in, LENGTH, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(wrong_byte(in, LENGTH, peer) < 0, "byte %ld", wrong_byte(in, LENGTH, peer));
    }
    free(out);
    free(in);
    return check_finish();
}
