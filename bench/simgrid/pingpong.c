/* Messages to and fro between two ranks: how many a second the simulator gets through. Arguments: round trips (1000) and
 * bytes of a message (8).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 20 };
static char buffer[MOST_BYTES];

int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int rounds = argc > 1 ? atoi(argv[1]) : 1000, bytes = argc > 2 ? atoi(argv[2]) : 8;
    if (size != 2 || rounds < 1 || bytes < 0 || bytes > MOST_BYTES)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (me == 0)
            MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_CHAR, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 1)
            MPI_Send(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    const double took = MPI_Wtime() - start;
    if (me == 0)
        printf("{\"messages\": %lld, \"one_way_us\": %.6f, \"virtual_us\": %.6f}\n", 2LL * rounds,
               took * 1e6 / rounds / 2, took * 1e6);
    MPI_Finalize();
    return 0;
}
