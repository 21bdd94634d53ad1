/* scale.c: what a simulated machine of many nodes is asked first: a barrier, a broadcast and an 8-byte allreduce; with
 * --ring an allgather in which each block goes once round all ranks. Prints virtual times; rank 0 checks the results.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static void collectives(int rank, int size)
{
    double start = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    double barrier = MPI_Wtime();
    int word = rank == 0 ? 4711 : 0;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double bcast = MPI_Wtime();
    double sum, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double allreduce = MPI_Wtime();
    if (word != 4711 || sum != size)
        give_up("scale: a collective gave a wrong result");
    if (rank == 0)
        printf("{\"ranks\": %d, \"barrier_us\": %.3f, \"bcast_us\": %.3f, \"allreduce_us\": %.3f}\n", size,
               (barrier - start) * 1e6, (bcast - barrier) * 1e6, (allreduce - bcast) * 1e6);
}

static void ring(int rank, int size, int bytes)
{
    char *blocks = malloc((size_t)size * (size_t)bytes);
    if (!blocks)
        give_up("scale: no memory");
    memset(blocks + (size_t)rank * (size_t)bytes, rank & 127, (size_t)bytes);
    double start = MPI_Wtime();
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_CHAR, blocks, bytes, MPI_CHAR, MPI_COMM_WORLD);
    double took = MPI_Wtime() - start;
    for (int i = 0; i < size; i++)
        if (blocks[(size_t)i * (size_t)bytes] != (i & 127))
            give_up("scale: a wrong block");
    if (rank == 0)
        printf("{\"ranks\": %d, \"bytes\": %d, \"ring_allgather_us\": %.3f}\n", size, bytes, took * 1e6);
    free(blocks);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (has_flag(argc, argv, "--ring"))
        ring(rank, size, option_int(argc, argv, "--bytes", 8));
    else
        collectives(rank, size);
    MPI_Finalize();
    return 0;
}
