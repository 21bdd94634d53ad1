/* A shift along a line, its ends closed by MPI_PROC_NULL. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int to = me + 1 < np ? me + 1 : MPI_PROC_NULL, from = me > 0 ? me - 1 : MPI_PROC_NULL;
    for (int i = 0; i < 50; i++) {
        int out = me * 100 + i, in = -1;
        MPI_Status status;
        MPI_Sendrecv(&out, 1, MPI_INT, to, i, &in, 1, MPI_INT, from, i, MPI_COMM_WORLD, &status);
        CHECK(in == (me > 0 ? (me - 1) * 100 + i : -1), "step %d: %d", i, in);
        CHECK(status.MPI_SOURCE == from, "source %d", status.MPI_SOURCE);
    }
    return check_finish();
}
