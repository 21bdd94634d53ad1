/* An allgather round a ring, written out so that every library sends the very same messages: each rank passes on to the
 * right what came from the left, size - 1 times. The argument is the bytes of one rank (8). The result is checked.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ring(char *all, int bytes, int me, int size)
{
    const int right = (me + 1) % size, left = (me + size - 1) % size;
    for (int step = 0, whose = me; step < size - 1; step++) {
        const int next = (whose + size - 1) % size;
        MPI_Sendrecv(all + (size_t)whose * (size_t)bytes, bytes, MPI_CHAR, right, 0, all + (size_t)next * (size_t)bytes,
                     bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        whose = next;
    }
}

static char mark(int rank) { return (char)(rank % 127 + 1); }

int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int bytes = argc > 1 ? atoi(argv[1]) : 8;
    char *all = bytes > 0 ? calloc((size_t)size, (size_t)bytes) : NULL;
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 2);
    memset(all + (size_t)me * (size_t)bytes, mark(me), (size_t)bytes);
    const double start = MPI_Wtime();
    ring(all, bytes, me, size);
    const double took = MPI_Wtime() - start;
    for (int r = 0; r < size; r++)
        if (all[(size_t)r * (size_t)bytes] != mark(r) || all[(size_t)(r + 1) * (size_t)bytes - 1] != mark(r))
            MPI_Abort(MPI_COMM_WORLD, 1);
    double slowest;
    MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("{\"messages\": %lld, \"virtual_us\": %.6f}\n", (long long)size * (size - 1), slowest * 1e6);
    free(all);
    MPI_Finalize();
    return 0;
}
