/* allgather.c: the time of an allgather on its slowest rank, from a common start (the ring paper's section 4.4, Table 5,
 * Eq. 2). `bytes` is what each rank contributes. With --in-place it lies in the receive buffer already, and nothing
 * is copied within memory.
 */
#include <mpi.h>

#include "../common.h"
#include "ring.h"

static double slowest_s(const struct ring *ring, bool in_place, int bytes)
{
    double sum_s = 0;
    for (int i = -1; i < ring->reps; i++) { /* the first warms up */
        double start_s = ring_align(ring);
        MPI_Allgather(in_place ? MPI_IN_PLACE : ring->out, bytes, MPI_BYTE, ring->in, bytes, MPI_BYTE, MPI_COMM_WORLD);
        double elapsed_s = MPI_Wtime() - start_s;
        elapsed_s = ring_slowest(elapsed_s);
        sum_s += i < 0 ? 0 : elapsed_s;
    }
    return sum_s / ring->reps;
}

int main(int argc, char **argv)
{
    struct ring ring;
    ring_init(&ring, argc, argv);
    bool in_place = has_flag(argc, argv, "--in-place");
    for (int i = 0; i < ring.sizes; i++) {
        int bytes = ring.bytes[i];
        double elapsed_s = slowest_s(&ring, in_place, bytes);
        ring_print(&ring, in_place ? "allgather-in-place" : "allgather", bytes, elapsed_s,
                   (double)bytes * (ring.ranks - 1) * ring.ranks);
    }
    ring_fini(&ring);
    return 0;
}
