/* Time of a barrier, or with --allreduce of an 8-byte allreduce, over all ranks; meant for more ranks than CPUs.
 *
 * The ranks are not pinned one by one, since their placing is part of what is measured. The number of barriers follows
 * from a trial, because libraries differ by a factor of a thousand here. The mean is over the whole run; the median is
 * over blocks, and far from the mean where a library sometimes waits for the scheduler.
 */
#include "common.h"

#include <mpi.h>
#include <stdio.h>

enum { BLOCKS = 51, TRIAL = 20 };

static void one(bool allreduce)
{
    if (allreduce) {
        double mine = 1, sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else
        MPI_Barrier(MPI_COMM_WORLD);
}

static double block_us(bool allreduce, int rounds)
{
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++)
        one(allreduce);
    return (double)(now_ns() - start) / rounds / 1000;
}

int main(int argc, char **argv)
{
    static double us[BLOCKS];
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const bool allreduce = has_flag(argc, argv, "--allreduce");
    const double budget_us = 1000.0 * option_int(argc, argv, "--ms", 1000);
    block_us(allreduce, TRIAL);
    const double guess = budget_us / BLOCKS / block_us(allreduce, TRIAL);
    int rounds = guess < 1 ? 1 : guess > 1e6 ? 1000000 : (int)guess;
    MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += us[b] = block_us(allreduce, rounds);
    if (me == 0)
        printf("{\"bench\": \"%s\", \"ranks\": %d, \"rounds\": %d, \"mean_us\": %.3f, \"median_us\": %.3f}\n",
               allreduce ? "allreduce" : "barrier", size, rounds * BLOCKS, sum / BLOCKS, median(us, BLOCKS));
    MPI_Finalize();
    return 0;
}
