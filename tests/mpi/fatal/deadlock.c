/* Two ranks, one fault: deadlock. test_messages.py says what the job must print. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char b[4096];
    int r;
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(w, &r);
    MPI_Recv(b, 1, MPI_BYTE, 1 - r, 7, w, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
