/* Latency of each collective over sizes, in the usual way: a loop of calls, the mean of each rank, the slowest rank's told.
 *
 * "bytes" is what one rank contributes (to one other rank, for scatter, gather's kin and alltoall).
 */
#include "collectives.h"
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 11, TRIAL = 5 };

static double block_us(void (*call)(int), int n, int rounds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++)
        call(n);
    return (double)(now_ns() - start) / rounds / 1000;
}

static void measure(const char *name, void (*call)(int), int bytes, double budget_us, int me, int size)
{
    double us[BLOCKS], slowest;
    const int n = bytes / (int)sizeof(float);
    block_us(call, n, TRIAL);
    const double guess = budget_us / BLOCKS / block_us(call, n, TRIAL);
    int rounds = guess < 1 ? 1 : guess > 1e5 ? 100000 : (int)guess;
    MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int b = 0; b < BLOCKS; b++)
        us[b] = block_us(call, n, rounds);
    const double mine = median(us, BLOCKS);
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("{\"bench\": \"coll\", \"call\": \"%s\", \"ranks\": %d, \"bytes\": %d, \"us\": %.3f}\n", name, size,
               bytes, slowest);
}

int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int most = option_int(argc, argv, "--most", 1 << 18);
    const double budget_us = 1000.0 * option_int(argc, argv, "--ms", 50);
    const char *only = option(argc, argv, "--only", NULL);
    out = calloc((size_t)size, (size_t)most);
    in = calloc((size_t)size, (size_t)most);
    if (!out || !in)
        give_up("no memory for the buffers");
    if (size == 2)
        pin_pair(argc, argv, me);
    for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++) {
        if (only && strcmp(only, collectives[c].name))
            continue;
        for (int bytes = 8; bytes <= most; bytes *= 8) {
            measure(collectives[c].name, collectives[c].call, bytes, budget_us, me, size);
            if (collectives[c].call == barrier)
                break;
        }
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
