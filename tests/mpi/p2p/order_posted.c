/* Among posted receives the first that matches takes the message, whether it names source and tag or not. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int from = left_of(me), to = right_of(me), in[6], out[6];
    const int sources[6] = {MPI_ANY_SOURCE, from, from, MPI_ANY_SOURCE, from, MPI_ANY_SOURCE};
    const int tags[6] = {7, MPI_ANY_TAG, 7, MPI_ANY_TAG, 8, 7};
    /* Sent 8, 7, 7, 7, 8, 7: the 8 passes receive 0 and takes 1; the 7s take 0, 2, 3; then 8 takes 4, 7 takes 5. */
    const int sent[6] = {8, 7, 7, 7, 8, 7}, taker[6] = {1, 0, 2, 3, 4, 5};
    MPI_Request requests[6];
    MPI_Status status[6];
    for (int i = 0; i < 6; i++) {
        in[i] = -1;
        MPI_Irecv(&in[i], 1, MPI_INT, sources[i], tags[i], MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 6; i++) {
        out[i] = i;
        MPI_Send(&out[i], 1, MPI_INT, to, sent[i], MPI_COMM_WORLD);
    }
    MPI_Waitall(6, requests, status);
    for (int i = 0; i < 6; i++) {
        CHECK(in[taker[i]] == i && status[taker[i]].MPI_TAG == sent[i], "receive %d holds message %d, tag %d", taker[i],
              in[taker[i]], status[taker[i]].MPI_TAG);
    }
    return check_finish();
}
