/* MPI_COMM_SELF's own errors end the job while its handler was never set, though the world's returns. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
