/* Five megabytes wait while a later message overtakes them into its receive; then they are probed for and received. */
#include "check.h"

enum { LENGTH = 5 * 1024 * 1024 };

static void receive(int from, int round)
{
    MPI_Status status;
    unsigned char *in = check_alloc(LENGTH);
    MPI_Recv(NULL, 0, MPI_BYTE, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* sent after the long one */
    if (round) {
        MPI_Probe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
        CHECK(bytes_of(&status) == LENGTH && status.MPI_SOURCE == from, "%d bytes from %d", bytes_of(&status),
              status.MPI_SOURCE);
    }
    MPI_Recv(in, LENGTH, MPI_BYTE, from, round, MPI_COMM_WORLD, &status);
    CHECK(bytes_of(&status) == LENGTH, "round %d: %d bytes", round, bytes_of(&status));
    CHECK(wrong_byte(in, LENGTH, round) < 0, "round %d: byte %ld", round, wrong_byte(in, LENGTH, round));
    free(in);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(LENGTH);
    for (int round = 0; round < 2; round++) {
        MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (me == np - 1) {
            fill_bytes(out, LENGTH, round);
            MPI_Isend(out, LENGTH, MPI_BYTE, 0, round, MPI_COMM_WORLD, &q[0]);
            MPI_Isend(NULL, 0, MPI_BYTE, 0, 9, MPI_COMM_WORLD, &q[1]);
        }
        if (me == 0)
            receive(np - 1, round);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    free(out);
    return check_finish();
}
