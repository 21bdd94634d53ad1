/* A send whose request was freed before its receive was posted is delivered all the same, and its slot comes back. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { LONG = CHECK_SMALL ? 5000 : 1000000 };
    const int lengths[] = {10, CHECK_SMALL ? 2000 : 6000, LONG};
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(LONG), *in = check_alloc(LONG);
    for (int k = 0; k < 9; k++) {
        int length = lengths[k % 3];
        MPI_Request q;
        fill_bytes(out, (size_t)length, me + k);
        memset(in, 0, (size_t)length);
        if (k < 6)
            MPI_Isend(out, length, MPI_BYTE, right_of(me), k, MPI_COMM_WORLD, &q);
        else
            MPI_Issend(out, length, MPI_BYTE, right_of(me), k, MPI_COMM_WORLD, &q);
        MPI_Request_free(&q);
        CHECK(q == MPI_REQUEST_NULL, "%d bytes", length);
        MPI_Barrier(MPI_COMM_WORLD); /* every send is under way and no receive posted */
        MPI_Recv(in, length, MPI_BYTE, left_of(me), k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(wrong_byte(in, (size_t)length, left_of(me) + k) < 0, "%d bytes", length);
        MPI_Barrier(MPI_COMM_WORLD); /* received, so the buffer may be written again */
    }
    MPI_Request q;
    fill_bytes(out, LONG, me);
    MPI_Isend(out, LONG, MPI_BYTE, right_of(me), 99, MPI_COMM_WORLD, &q);
    MPI_Request_free(&q);
    MPI_Recv(in, LONG, MPI_BYTE, left_of(me), 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(wrong_byte(in, LONG, left_of(me)) < 0, "last of %d", np);
    MPI_Finalize(); /* completes what is left of the send; only then is its buffer free */
    free(out);
    free(in);
    return 0;
}
