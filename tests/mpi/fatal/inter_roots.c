/* Two groups of one rank that both say they are the root. test_messages.py says what the job must print. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char b[4096];
    int r;
    MPI_Comm inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - r, 0, &inter);
    MPI_Bcast(b, 10, MPI_BYTE, MPI_ROOT, inter);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
