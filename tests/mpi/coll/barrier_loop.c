/* 500 barriers; then one that the last rank enters only when rank 0 has seen that it is not over. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int i = 0; i < 500; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    int done = 0, go = 0;
    MPI_Request barrier;
    if (me == np - 1 && np > 1) {
        MPI_Recv(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    if (me == 0 && np > 1) {
        for (int i = 0; i < 50; i++) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            CHECK(!done, "the barrier is over after test %d, and rank %d has not entered", i, np - 1);
        }
        MPI_Send(&go, 1, MPI_INT, np - 1, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    return check_finish();
}
