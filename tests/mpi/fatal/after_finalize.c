/* Two ranks, one fault: after finalize. test_messages.py says what the job must print. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char b[4096];
    int r;
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(w, &r);
    MPI_Finalize();
    MPI_Send(b, 1, MPI_BYTE, r, 7, w);

    return EXIT_SUCCESS;
}
