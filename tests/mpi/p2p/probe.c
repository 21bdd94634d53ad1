/* MPI_Probe tells source, tag and length, and leaves the message where it is. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    size_t room = (size_t)border_bytes[BORDERS - 1];
    unsigned char *out = check_alloc(room), *in = check_alloc(room);
    for (int i = 0; i < BORDERS; i++) {
        MPI_Request request;
        MPI_Status seen, again, status;
        fill_bytes(out, (size_t)border_bytes[i], i);
        MPI_Isend(out, border_bytes[i], MPI_BYTE, right_of(me), i, MPI_COMM_WORLD, &request);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &seen);
        MPI_Probe(left_of(me), i, MPI_COMM_WORLD, &again);
        MPI_Probe(left_of(me), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(seen.MPI_SOURCE == left_of(me) && seen.MPI_TAG == i && bytes_of(&seen) == border_bytes[i],
              "source %d, tag %d, %d bytes of %d", seen.MPI_SOURCE, seen.MPI_TAG, bytes_of(&seen), border_bytes[i]);
        CHECK(bytes_of(&again) == border_bytes[i], "%d bytes of %d", bytes_of(&again), border_bytes[i]);
        MPI_Recv(in, bytes_of(&seen), MPI_BYTE, seen.MPI_SOURCE, seen.MPI_TAG, MPI_COMM_WORLD, &status);
        CHECK(wrong_byte(in, (size_t)border_bytes[i], i) < 0, "length %d", border_bytes[i]);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(out);
    free(in);
    return check_finish();
}
