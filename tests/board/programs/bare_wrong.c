/* bare_wrong.c: a program that does what the first argument says, wrongly. */
#include <mpi.h>
#include <string.h>

static char buf[400];

static void wrong(const char *what, int rank)
{
    if (strcmp(what, "truncate") == 0) {
        if (rank == 0)
            MPI_Send(buf, 400, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
        else
            MPI_Recv(buf, 100, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(what, "self") == 0) {
        MPI_Send(buf, 1, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
    } else if (strcmp(what, "dest") == 0) {
        MPI_Send(buf, 1, MPI_BYTE, 9, 7, MPI_COMM_WORLD);
    } else if (strcmp(what, "tag") == 0) {
        MPI_Send(buf, 1, MPI_BYTE, 1 - rank, -7, MPI_COMM_WORLD);
    } else if (strcmp(what, "count") == 0) {
        MPI_Bcast(buf, -1, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "overflow") == 0) {
        MPI_Bcast(buf, 0x40000000, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "type") == 0) {
        MPI_Bcast(buf, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "null") == 0) {
        MPI_Bcast(NULL, 1, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "lengths") == 0) {
        MPI_Bcast(buf, rank ? 8 : 4, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    } else if (strcmp(what, "twice") == 0) {
        MPI_Init(NULL, NULL);
    } else if (strcmp(what, "late") == 0) {
        MPI_Finalize();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wrong(argc > 1 ? argv[1] : "", rank);
    MPI_Finalize();
    return 0;
}
