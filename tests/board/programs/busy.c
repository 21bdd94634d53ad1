/* busy.c: rank 1 computes, without any call that could move messages, while rank 0 sends to rank 2 through it and gets the answer. Then
 * rank 0 tells rank 1, which finds that message already there: so it has forwarded while it computed.
 */
#include <mpi.h>
#include <stdio.h>

enum { SECONDS = 5, ROUNDS = 2 };

int main(int argc, char **argv)
{
    int rank, word = 0, there = 0;
    char block[200] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < ROUNDS; i++) {
            MPI_Send(block, sizeof block, MPI_CHAR, 2, i, MPI_COMM_WORLD);
            MPI_Recv(&word, 1, MPI_INT, 2, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Send(&word, 1, MPI_INT, 1, 99, MPI_COMM_WORLD);
    } else if (rank == 1) {
        for (double end = MPI_Wtime() + SECONDS; MPI_Wtime() < end;)
            continue;
        MPI_Iprobe(0, 99, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        printf("%s\n", there ? "forwarded while computing" : "stood in the way");
        MPI_Recv(&word, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        for (int i = 0; i < ROUNDS; i++) {
            MPI_Recv(block, sizeof block, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
