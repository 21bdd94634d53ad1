/* token.c: tokens go round the ring; each node adds its rank and sends on, `rounds` times. Rank 0 prints the sums. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, rounds;
    MPI_Init(&argc, &argv);
    rounds = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, token[16] = {0};
    for (int i = 0; i < rounds; i++) {
        if (rank == 0)
            MPI_Send(token, 16, MPI_INT, right, i, MPI_COMM_WORLD);
        MPI_Recv(token, 16, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < 16; k++)
            token[k] += rank + k;
        if (rank)
            MPI_Send(token, 16, MPI_INT, right, i, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("token %d %d\n", token[0], token[15]);
    MPI_Finalize();
    return 0;
}
