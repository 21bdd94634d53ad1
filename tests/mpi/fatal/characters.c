/* Adds characters in every way there is: what the standard does not have, and checking mode tells of once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    char mine[2] = {1, 2}, sum[2] = {0, 0};
    signed char one = 1, all = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&one, &all, 1, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(mine, sum, 2, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_local(mine, sum, 2, MPI_CHAR, MPI_MAX);
    MPI_Win_create(sum, 2, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(mine, 2, MPI_CHAR, 0, 0, 2, MPI_CHAR, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return all < 1;
}
