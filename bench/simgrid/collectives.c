/* A barrier, a broadcast and a reduction of 8 bytes over all ranks, each checked and timed once: what the start and the
 * memory of very many ranks cost, more than what messages do.
 *
 * Prints one JSON line: the times by MPI_Wtime, each the longest of any rank from its own call to its own return.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, size;
    double at[4], took[3], slowest[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double sent = me == 0 ? 2.5 : 0, sum = 0;
    at[0] = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    at[1] = MPI_Wtime();
    MPI_Bcast(&sent, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    at[2] = MPI_Wtime();
    MPI_Allreduce(&sent, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    at[3] = MPI_Wtime();
    if (sent != 2.5 || sum != 2.5 * size) {
        fprintf(stderr, "rank %d of %d has %g and %g\n", me, size, sent, sum);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 3; i++)
        took[i] = at[i + 1] - at[i];
    MPI_Reduce(took, slowest, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("{\"barrier_us\": %.6f, \"bcast_us\": %.6f, \"allreduce_us\": %.6f, \"virtual_us\": %.6f}\n",
               slowest[0] * 1e6, slowest[1] * 1e6, slowest[2] * 1e6, (at[3] - at[0]) * 1e6);
    MPI_Finalize();
    return 0;
}
