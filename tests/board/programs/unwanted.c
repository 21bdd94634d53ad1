/* unwanted.c: rank 0 sends more than rank 1 has memory for, and then what rank 1 waits for. This cannot work; it must be said. With an
 * argument: one message longer than the receive.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char block[20000];
    int rank, last = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) {
        if (rank == 0)
            MPI_Send(block, sizeof block, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(block, 100, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        for (int i = 0; i < 500; i++)
            MPI_Send(block, 200, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&last, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&last, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
