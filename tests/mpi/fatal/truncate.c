/* The last rank sends rank 0 more than it has room for. test_messages.py says what the job must print. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char b[4096];
    int r, n;
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(w, &r);
    MPI_Comm_size(w, &n);
    if (r == 0)
        MPI_Recv(b, 1024, MPI_BYTE, n - 1, 7, w, MPI_STATUS_IGNORE);
    if (r == n - 1)
        MPI_Send(b, 4096, MPI_BYTE, 0, 7, w);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
