/* The collectives that coll.c and choice.c time, on floats. `n` is the count of what one rank contributes (to one other rank, for scatter,
 * gather's kin and alltoall); `out` and `in` have room for that of all ranks. Included by one file of a program.
 */
#ifndef BENCH_COLLECTIVES_H
#define BENCH_COLLECTIVES_H

#include <mpi.h>

static char *out, *in;

static void barrier(int n) { (void)n, MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(int n) { MPI_Bcast(out, n, MPI_FLOAT, 0, MPI_COMM_WORLD); }
static void reduce(int n) { MPI_Reduce(out, in, n, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD); }
static void allreduce(int n) { MPI_Allreduce(out, in, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void gather(int n) { MPI_Gather(out, n, MPI_FLOAT, in, n, MPI_FLOAT, 0, MPI_COMM_WORLD); }
static void scatter(int n) { MPI_Scatter(out, n, MPI_FLOAT, in, n, MPI_FLOAT, 0, MPI_COMM_WORLD); }
static void allgather(int n) { MPI_Allgather(out, n, MPI_FLOAT, in, n, MPI_FLOAT, MPI_COMM_WORLD); }
static void alltoall(int n) { MPI_Alltoall(out, n, MPI_FLOAT, in, n, MPI_FLOAT, MPI_COMM_WORLD); }
static void reduce_scatter_block(int n) { MPI_Reduce_scatter_block(out, in, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void scan(int n) { MPI_Scan(out, in, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }

static const struct {
    const char *name;
    void (*call)(int n);
} collectives[] = {
    {"barrier", barrier},     {"bcast", bcast},       {"reduce", reduce},
    {"allreduce", allreduce}, {"gather", gather},     {"scatter", scatter},
    {"allgather", allgather}, {"alltoall", alltoall}, {"reduce_scatter_block", reduce_scatter_block},
    {"scan", scan},
};

#endif
