/* unicast.c: the time of one message from rank to rank, as the ring paper takes it (section 4.2, Table 3).
 *
 * A ping-pong passes the whole ring, out and back, so half a round trip is the mean over both ways of a pair; the
 * figure is the mean over all pairs. Ranks that have no part in it wait in a barrier, where they forward.
 *
 * With --once, each source sends to each destination alone, both starting at the same time on a quiet ring: the
 * situation of the paper's Eq. 5, and a line a pair with the hops from source to destination. The others compute,
 * so that nothing but the one message is on its way.
 */
#include <mpi.h>
#include <stdio.h>

#include "../common.h"
#include "ring.h"

static void bounce(const struct ring *ring, int bytes, int first, int second)
{
    int other = ring->rank == first ? second : first;
    if (ring->rank == first)
        MPI_Send(ring->out, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    MPI_Recv(ring->in, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (ring->rank == second)
        MPI_Send(ring->out, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
}

/* Half a round trip between the two, seconds; known to `first` alone, 0 elsewhere. */
static double ping_pong(const struct ring *ring, int bytes, int first, int second)
{
    double elapsed_s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (ring->rank == first || ring->rank == second) {
        bounce(ring, bytes, first, second);
        double start_s = MPI_Wtime();
        for (int i = 0; i < ring->reps; i++)
            bounce(ring, bytes, first, second);
        elapsed_s = (MPI_Wtime() - start_s) / ring->reps / 2;
    }
    return ring->rank == first ? elapsed_s : 0;
}

static void all_pairs(const struct ring *ring, int bytes)
{
    double mine_s = 0, sum_s = 0;
    for (int first = 0; first < ring->ranks; first++)
        for (int second = first + 1; second < ring->ranks; second++)
            mine_s += ping_pong(ring, bytes, first, second);
    MPI_Reduce(&mine_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double pairs = 0.5 * ring->ranks * (ring->ranks - 1);
    ring_print(ring, "unicast", bytes, sum_s / pairs, bytes);
}

/* From the common start to the end of MPI_Recv, seconds, on every rank. */
static double one_message(const struct ring *ring, int bytes, int source, int destination)
{
    double start_s = ring_align(ring), elapsed_s = 0;
    if (ring->rank == source)
        MPI_Send(ring->out, bytes, MPI_BYTE, destination, 0, MPI_COMM_WORLD);
    if (ring->rank == destination) {
        MPI_Recv(ring->in, bytes, MPI_BYTE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        elapsed_s = MPI_Wtime() - start_s;
    }
    ring_compute_until(ring, start_s + ring_quiet_s);
    return ring_slowest(elapsed_s);
}

static void each_alone(const struct ring *ring, int bytes)
{
    for (int source = 0; source < ring->ranks; source++)
        for (int destination = 0; destination < ring->ranks; destination++) {
            if (source == destination)
                continue;
            one_message(ring, bytes, source, destination);
            double elapsed_s = one_message(ring, bytes, source, destination);
            if (ring->rank == 0)
                printf("{\"function\": \"unicast-once\", \"ranks\": %d, \"bytes\": %d, \"source\": %d, "
                       "\"destination\": %d, \"hops\": %d, \"microseconds\": %.6f}\n",
                       ring->ranks, bytes, source, destination, (destination - source + ring->ranks) % ring->ranks,
                       elapsed_s * 1e6);
        }
}

int main(int argc, char **argv)
{
    struct ring ring;
    ring_init(&ring, argc, argv);
    for (int i = 0; i < ring.sizes; i++)
        if (has_flag(argc, argv, "--once"))
            each_alone(&ring, ring.bytes[i]);
        else
            all_pairs(&ring, ring.bytes[i]);
    ring_fini(&ring);
    return 0;
}
