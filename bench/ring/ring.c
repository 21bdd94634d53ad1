/* ring.c: see ring.h. Linux only, as common.c. */
#define _GNU_SOURCE
#include "ring.h"

#include <mpi.h>
#include <mpico.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"

const double ring_quiet_s = 0.01;

enum { BYTES_MOST = 1 << 24 };

/* Words that are no option and no option's value. */
static void read_sizes(struct ring *ring, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *end;
        long bytes = strtol(argv[i], &end, 10);
        if (strncmp(argv[i], "--", 2) == 0) {
            i += strcmp(argv[i], "--reps") == 0;
            continue;
        }
        if (end == argv[i] || *end || bytes < 1 || bytes > BYTES_MOST)
            give_up("the arguments are message sizes in bytes, from 1 to 16777216");
        if (ring->sizes == RING_SIZES)
            give_up("at most 64 message sizes");
        ring->bytes[ring->sizes++] = (int)bytes;
    }
    if (!ring->sizes)
        give_up("name message sizes in bytes, as in 4 2048 16384");
}

/* On a simulated machine the time that a declared operation takes; on a real one declaring is free. */
static double measure_flops_per_s(void)
{
    const double flops = 1e4;
    double before = MPI_Wtime();
    mpico_compute(flops);
    double took = MPI_Wtime() - before;
    return took > 1e-9 ? flops / took : flops / 1e-9;
}

void ring_init(struct ring *ring, int argc, char **argv)
{
    *ring = (struct ring){.reps = option_int(argc, argv, "--reps", 3)};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &ring->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ring->ranks);
    need_ranks(2);
    if (ring->reps < 1)
        give_up("--reps wants a number from 1");
    read_sizes(ring, argc, argv);
    size_t longest = 0;
    for (int i = 0; i < ring->sizes; i++)
        longest = (size_t)ring->bytes[i] > longest ? (size_t)ring->bytes[i] : longest;
    ring->out = calloc(longest, 1);
    ring->in = calloc(longest, (size_t)ring->ranks);
    if (!ring->out || !ring->in)
        give_up("no memory for the buffers");
    ring->flops_per_s = measure_flops_per_s();
}

void ring_fini(struct ring *ring)
{
    free(ring->out);
    free(ring->in);
    MPI_Finalize();
}

/* Never past the moment by more than one operation: each turn leaves a tenth of what is left. Where declaring is free this
 * spins, and lets ranks that share the processor come first. */
void ring_compute_until(const struct ring *ring, double when_s)
{
    for (double left_s; (left_s = when_s - MPI_Wtime()) > 0; sched_yield())
        mpico_compute(0.9 * left_s * ring->flops_per_s + 1);
}

double ring_align(const struct ring *ring)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double when_s = ring_slowest(MPI_Wtime()) + ring_quiet_s;
    ring_compute_until(ring, when_s);
    return when_s;
}

double ring_slowest(double mine_s)
{
    double slowest_s;
    MPI_Allreduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest_s;
}

void ring_print(const struct ring *ring, const char *function, int bytes, double elapsed_s, double moved)
{
    if (ring->rank == 0)
        printf("{\"function\": \"%s\", \"ranks\": %d, \"bytes\": %d, \"microseconds\": %.6f, "
               "\"megabytes_per_second\": %.6f}\n",
               function, ring->ranks, bytes, elapsed_s * 1e6, moved / elapsed_s * 1e-6);
}
