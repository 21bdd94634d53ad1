/* Messages of every border length that arrive before their receives are posted. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    unsigned char *out[BORDERS], *in = check_alloc((size_t)border_bytes[BORDERS - 1]);
    MPI_Request requests[BORDERS];
    for (int i = 0; i < BORDERS; i++) {
        out[i] = check_alloc((size_t)border_bytes[i]);
        fill_bytes(out[i], (size_t)border_bytes[i], me * 3 + i);
        MPI_Isend(out[i], border_bytes[i], MPI_BYTE, right_of(me), i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = BORDERS - 1; i >= 0; i--) { /* the last first: all others wait unexpected */
        MPI_Status status;
        MPI_Recv(in, border_bytes[BORDERS - 1], MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, &status);
        CHECK(bytes_of(&status) == border_bytes[i], "%d bytes instead of %d", bytes_of(&status), border_bytes[i]);
        long wrong = wrong_byte(in, (size_t)border_bytes[i], left_of(me) * 3 + i);
        CHECK(wrong < 0, "byte %ld of %d", wrong, border_bytes[i]);
    }
    MPI_Waitall(BORDERS, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < BORDERS; i++) {
        free(out[i]);
    }
    free(in);
    return check_finish();
}
