/* What a rank costs that has nothing to do: rank 1 waits in MPI_Recv while rank 0 sleeps outside MPI.
 *
 * Counts the processor time of the whole process, helper threads included, as a fraction of the wall time.
 */
#define _GNU_SOURCE
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_s(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    int me, word = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    need_ranks(2);
    const int ms = option_int(argc, argv, "--ms", 2000);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        const struct timespec rest = {ms / 1000, (long)(ms % 1000) * 1000000};
        nanosleep(&rest, NULL);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (me == 1) {
        const double cpu = cpu_s();
        const uint64_t start = now_ns();
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const double wall = (double)(now_ns() - start) / 1e9;
        printf("{\"bench\": \"idle\", \"wall_s\": %.3f, \"cpu_fraction\": %.5f}\n", wall, (cpu_s() - cpu) / wall);
    }
    MPI_Finalize();
    return 0;
}
