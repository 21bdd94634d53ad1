/* A global of a shared library (counter.c): each rank adds its own number to it, and finds that sum after all have done
 * so, or that of all. Prints how many ranks found another value than their own.
 */
#include "counter.h"

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double start = MPI_Wtime();
    counter_add(me + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const int other = counter_value() != me + 1;
    MPI_Reduce(&other, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("{\"wrong_ranks\": %d, \"virtual_us\": %.6f}\n", wrong, (MPI_Wtime() - start) * 1e6);
    MPI_Finalize();
    return 0;
}
