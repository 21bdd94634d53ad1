/* The handler of MPI_COMM_SELF was set, if only to what it was: errors of no communicator are its own, whatever the world's handler. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type = MPI_INT;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_free(&type); /* which the world's handler returns */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
