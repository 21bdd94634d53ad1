/* A floating-point Allreduce gives the same bits on every rank, and again when repeated. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MOST = CHECK_SMALL ? 1000 : 30000 };
    const int counts[] = {1, 10, CHECK_SMALL ? 300 : 1000, MOST};
    check_start(&argc, &argv);
    double *out = check_alloc(MOST * 8), *first = check_alloc(MOST * 8), *again = check_alloc(MOST * 8);
    for (int i = 0; i < MOST; i++)
        out[i] = (double)check_random((uint64_t)me, (uint64_t)i) / (double)(1 + (i % 97) * me);
    for (int k = 0; k < 4; k++) {
        size_t bytes = (size_t)counts[k] * 8;
        MPI_Allreduce(out, first, counts[k], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(out, again, counts[k], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        CHECK(!memcmp(first, again, bytes), "%d elements: two calls differ", counts[k]);
        MPI_Bcast(again, counts[k], MPI_DOUBLE, 0, MPI_COMM_WORLD);
        CHECK(!memcmp(first, again, bytes), "%d elements: not the bits of rank 0", counts[k]);
    }
    free(out);
    free(first);
    free(again);
    return check_finish();
}
