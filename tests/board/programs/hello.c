/* hello.c: every node says who it is, with its arguments. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d, sum %d", rank, size, sum);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    MPI_Finalize();
    return 0;
}
