/* MPI_Iprobe finds nothing when nothing matches, and in the end finds what was sent, once received no more. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int found = 1, out = me, in = -1;
    MPI_Status status;
    MPI_Request request;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    CHECK(!found, "a message before any was sent: %d", found);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(&out, 1, MPI_INT, right_of(me), 4, MPI_COMM_WORLD, &request);
    do {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    } while (!found);
    CHECK(status.MPI_SOURCE == left_of(me) && status.MPI_TAG == 4 && bytes_of(&status) == (int)sizeof(int),
          "source %d, tag %d", status.MPI_SOURCE, status.MPI_TAG);
    MPI_Iprobe(left_of(me), 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    CHECK(!found, "tag 5 found: %d", found);
    MPI_Iprobe(left_of(me), 4, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    CHECK(found, "tag 4 found: %d", found);
    MPI_Iprobe(0, 4, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    CHECK(!found, "found on the wrong communicator: %d", found);
    MPI_Recv(&in, 1, MPI_INT, left_of(me), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == left_of(me), "%d", in);
    MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    CHECK(!found, "still there after the receive: %d", found);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return check_finish();
}
