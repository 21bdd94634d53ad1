/* No fault in the program: the environment asks for what there is not. test_messages.py says what the job must print. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char b[4096];
    MPI_Init(&argc, &argv);
    MPI_Bcast(b, 10, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
