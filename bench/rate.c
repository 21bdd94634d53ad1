/* Message rate: rank 0 sends windows of short messages to rank 1, which answers each window with one. */
#include "common.h"

#include <mpi.h>
#include <stdio.h>

enum { WINDOW = 64, MOST_BYTES = 4096, BLOCKS = 51 };

static char data[WINDOW][MOST_BYTES];

static void window(int me, int bytes)
{
    MPI_Request request[WINDOW];
    char answer = 0;
    for (int i = 0; i < WINDOW; i++)
        if (me == 0)
            MPI_Isend(data[i], bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Irecv(data[i], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request[i]);
    MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
    if (me == 0)
        MPI_Recv(&answer, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&answer, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static double ns[BLOCKS];
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    need_ranks(2);
    pin_pair(argc, argv, me);
    const int bytes = option_int(argc, argv, "--bytes", 8), rounds = option_int(argc, argv, "--rounds", 200);
    if (bytes < 0 || bytes > MOST_BYTES)
        give_up("--bytes is at most 4096");
    for (int b = -1; me < 2 && b < BLOCKS; b++) { /* the first block only warms up */
        const uint64_t start = now_ns();
        for (int i = 0; i < rounds; i++)
            window(me, bytes);
        if (b >= 0)
            ns[b] = (double)(now_ns() - start) / rounds / WINDOW;
    }
    if (me == 0) {
        const double each = median(ns, BLOCKS);
        printf("{\"bench\": \"rate\", \"bytes\": %d, \"window\": %d, \"ns\": %.1f, \"per_s\": %.0f}\n", bytes, WINDOW,
               each, 1e9 / each);
    }
    MPI_Finalize();
    return 0;
}
