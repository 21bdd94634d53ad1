/* Five megabytes (where ranks are many, fewer), both ways at once between neighbours, by blocking and by non-blocking calls. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int length = check_bearable(5000000);
    unsigned char *out = check_alloc((size_t)length), *in = check_alloc((size_t)length);
    int peer = (me ^ 1) < np ? me ^ 1 : MPI_PROC_NULL;
    MPI_Status status;
    MPI_Request requests[2];
    fill_bytes(out, (size_t)length, me);
    MPI_Sendrecv(out, length, MPI_BYTE, peer, 1, in, length, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &status);
    if (peer != MPI_PROC_NULL) {
        CHECK(bytes_of(&status) == length, "%d bytes", bytes_of(&status));
        CHECK(wrong_byte(in, (size_t)length, peer) < 0, "byte %ld", wrong_byte(in, (size_t)length, peer));
        memset(in, 0, (size_t)length);
        MPI_Isend(out, length, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in, length, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(wrong_byte(in, (size_t)length, peer) < 0, "byte %ld", wrong_byte(in, (size_t)length, peer));
    }
    free(out);
    free(in);
    return check_finish();
}
