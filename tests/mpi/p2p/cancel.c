/* A cancelled receive says so and swallows nothing; a request freed early still delivers. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int a = -1, b = -1, out = me, cancelled = 0;
    MPI_Request q, keep;
    MPI_Status status;
    for (int i = 0; i < 20; i++) {
        MPI_Irecv(&a, 1, MPI_INT, left_of(me), i, MPI_COMM_WORLD, &q);
        MPI_Cancel(&q);
        MPI_Wait(&q, &status);
        MPI_Test_cancelled(&status, &cancelled);
        CHECK(cancelled && q == MPI_REQUEST_NULL, "round %d: cancelled %d", i, cancelled);
        MPI_Barrier(MPI_COMM_WORLD); /* no message of this round may meet the receive before it is cancelled */
        MPI_Irecv(&b, 1, MPI_INT, left_of(me), i, MPI_COMM_WORLD, &keep);
        MPI_Isend(&out, 1, MPI_INT, right_of(me), i, MPI_COMM_WORLD, &q);
        MPI_Request_free(&q);
        CHECK(q == MPI_REQUEST_NULL, "round %d", i);
        MPI_Wait(&keep, &status);
        MPI_Test_cancelled(&status, &cancelled);
        CHECK(!cancelled && b == left_of(me) && a == -1, "round %d: cancelled %d, received %d, into the cancelled %d",
              i, cancelled, b, a);
    }
    return check_finish();
}
