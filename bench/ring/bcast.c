/* bcast.c: the time of a broadcast until its last rank has the message (the ring paper's section 4.3, Table 4, Eq. 1),
 * from a common start. With --multi, the root sends to each rank in turn instead: what a broadcast over a
 * network without one is made of (Figure 8b).
 */
#include <mpi.h>

#include "../common.h"
#include "ring.h"

enum { ROOT = 0 };

static void true_broadcast(const struct ring *ring, int bytes)
{
    MPI_Bcast(ring->rank == ROOT ? ring->out : ring->in, bytes, MPI_BYTE, ROOT, MPI_COMM_WORLD);
}

static void multi_unicast(const struct ring *ring, int bytes)
{
    if (ring->rank != ROOT)
        MPI_Recv(ring->in, bytes, MPI_BYTE, ROOT, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int rank = 0; ring->rank == ROOT && rank < ring->ranks; rank++)
        if (rank != ROOT)
            MPI_Send(ring->out, bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD);
}

static double slowest_s(const struct ring *ring, void (*broadcast)(const struct ring *, int), int bytes)
{
    double sum_s = 0;
    for (int i = -1; i < ring->reps; i++) { /* the first warms up */
        double start_s = ring_align(ring);
        broadcast(ring, bytes);
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
    bool multi = has_flag(argc, argv, "--multi");
    for (int i = 0; i < ring.sizes; i++) {
        int bytes = ring.bytes[i];
        double elapsed_s = slowest_s(&ring, multi ? multi_unicast : true_broadcast, bytes);
        ring_print(&ring, multi ? "multi-unicast" : "bcast", bytes, elapsed_s, (double)bytes * (ring.ranks - 1));
    }
    ring_fini(&ring);
    return 0;
}
