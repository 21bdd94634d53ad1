/* Among waiting messages a receive takes the earliest that matches, with every mix of wildcards. */
#include "check.h"

static int take(int source, int tag)
{
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int from = left_of(me), out[8];
    const int tags[8] = {1, 2, 1, 3, 2, 1, 3, 2};
    MPI_Request requests[8];
    for (int i = 0; i < 8; i++) {
        out[i] = i;
        MPI_Isend(&out[i], 1, MPI_INT, right_of(me), tags[i], MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const int wanted[8] = {3, 0, 1, 2, 4, 7, 5, 6};
    int got[8];
    got[0] = take(from, 3);
    got[1] = take(MPI_ANY_SOURCE, MPI_ANY_TAG);
    got[2] = take(from, MPI_ANY_TAG);
    got[3] = take(MPI_ANY_SOURCE, 1);
    got[4] = take(MPI_ANY_SOURCE, MPI_ANY_TAG);
    got[5] = take(from, 2);
    got[6] = take(from, MPI_ANY_TAG);
    got[7] = take(MPI_ANY_SOURCE, 3);
    for (int i = 0; i < 8; i++) {
        CHECK(got[i] == wanted[i], "receive %d took message %d, not %d", i, got[i], wanted[i]);
    }
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    return check_finish();
}
