/* What it costs that ranks share a thread: a message one way between ranks 0 and 1, and one fruitless MPI_Test when all ranks
 * look in turn, which with --fibers is a switch to the next rank and little else.
 *
 *   mpiexec --fibers -n 2 fibers
 *
 * Unlike pingpong there is no raw ping-pong beside it: two fibers cannot wait for each other in a loop that only reads memory.
 * Prints one JSON line for each number, the median over blocks.
 */
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 21, MOST_BYTES = 1 << 18 };

static char buffer[MOST_BYTES];

static double one_way_ns(int me, int bytes, int rounds)
{
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds && me < 2; i++) {
        if (me == 0)
            MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_CHAR, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 1)
            MPI_Send(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    return (double)(now_ns() - start) / rounds / 2;
}

/* Of all ranks together, for one look of one rank. */
static double look_ns(int size, int rounds)
{
    MPI_Request never;
    int done;
    MPI_Irecv(buffer, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF, &never);
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++)
        MPI_Test(&never, &done, MPI_STATUS_IGNORE);
    const double ns = (double)(now_ns() - start) / rounds / size;
    MPI_Cancel(&never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    return ns;
}

int main(int argc, char **argv)
{
    static double ns[BLOCKS];
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    need_ranks(2);
    memset(buffer, me, sizeof buffer);
    for (int bytes = 8; bytes <= MOST_BYTES; bytes *= 8) {
        for (int b = 0; b < BLOCKS; b++)
            ns[b] = one_way_ns(me, bytes, bytes < 10000 ? 10000 : 500);
        if (me == 0)
            printf("{\"bench\": \"fibers\", \"bytes\": %d, \"mpi_ns\": %.1f}\n", bytes, median(ns, BLOCKS));
    }
    for (int b = 0; b < BLOCKS; b++)
        ns[b] = look_ns(size, 200000 / size + 1);
    if (me == 0)
        printf("{\"bench\": \"fibers\", \"ranks\": %d, \"fruitless_test_ns\": %.1f}\n", size, median(ns, BLOCKS));
    MPI_Finalize();
    return 0;
}
