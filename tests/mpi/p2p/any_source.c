/* All send to rank 0, which receives from any source with any tag: nothing lost, and each sender's order kept. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { EACH = 100 };
    check_start(&argc, &argv);
    if (me > 0) {
        for (int i = 0; i < EACH; i++) {
            MPI_Send(&i, 1, MPI_INT, 0, i % 7, MPI_COMM_WORLD);
        }
    } else {
        int *next = calloc((size_t)np, sizeof *next);
        for (int i = 0; i < EACH * (np - 1); i++) {
            int in = -1;
            MPI_Status status;
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK(status.MPI_SOURCE > 0 && status.MPI_SOURCE < np, "source %d", status.MPI_SOURCE);
            CHECK(in == next[status.MPI_SOURCE] && status.MPI_TAG == in % 7, "rank %d: message %d, tag %d, expected %d",
                  status.MPI_SOURCE, in, status.MPI_TAG, next[status.MPI_SOURCE]);
            next[status.MPI_SOURCE]++;
        }
        free(next);
    }
    return check_finish();
}
