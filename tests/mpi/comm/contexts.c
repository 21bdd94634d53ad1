/* A message on one communicator is never received on another, wildcards or not, nor mixed with collectives. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { COMMS = 6 };
    check_start(&argc, &argv);
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Request sends[COMMS];
    int out[COMMS], in = -1, sum = -1;
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_dup(comms[i - 1], &comms[i]);
    for (int i = 0; i < COMMS; i++) {
        out[i] = me * 10 + i;
        MPI_Isend(&out[i], 1, MPI_INT, right_of(me), 0, comms[i], &sends[i]);
    }
    for (int i = COMMS - 1; i >= 0; i--) {
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comms[i]);
        CHECK(sum == np * (np - 1) / 2, "communicator %d: sum %d", i, sum);
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE);
        CHECK(in == left_of(me) * 10 + i, "communicator %d: %d", i, in);
    }
    MPI_Waitall(COMMS, sends, MPI_STATUSES_IGNORE);
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    return check_finish();
}
