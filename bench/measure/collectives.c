/* collectives.c: from a common start to the end on the slowest rank. `bytes` is what one rank contributes: to all together, or to
 * each in alltoall; what the root has for each in a scatter.
 */
#include <mpi.h>

#include "measure.h"

enum { ROOT = 0 };

static MPI_Comm world(void) { return MPI_COMM_WORLD; }

/* Numbers, for what combines them. */
static MPI_Datatype number(int bytes) { return bytes % 8 == 0 ? MPI_DOUBLE : bytes % 4 == 0 ? MPI_FLOAT : MPI_BYTE; }
static int numbers(int bytes) { return bytes % 8 == 0 ? bytes / 8 : bytes % 4 == 0 ? bytes / 4 : bytes; }
static MPI_Op operation(int bytes) { return bytes % 4 == 0 ? MPI_SUM : MPI_BOR; }

static void bcast(const struct place *p, int n)
{
    MPI_Bcast(p->rank == ROOT ? p->out : p->in, n, MPI_BYTE, ROOT, world());
}
static void allgather(const struct place *p, int n) { MPI_Allgather(p->out, n, MPI_BYTE, p->in, n, MPI_BYTE, world()); }
static void in_place(const struct place *p, int n)
{
    MPI_Allgather(MPI_IN_PLACE, n, MPI_BYTE, p->in, n, MPI_BYTE, world());
}
static void scatter(const struct place *p, int n)
{
    MPI_Scatter(p->out, n, MPI_BYTE, p->in, n, MPI_BYTE, ROOT, world());
}
static void gather(const struct place *p, int n) { MPI_Gather(p->out, n, MPI_BYTE, p->in, n, MPI_BYTE, ROOT, world()); }
static void reduce(const struct place *p, int n)
{
    MPI_Reduce(p->out, p->in, numbers(n), number(n), operation(n), ROOT, world());
}
static void allreduce(const struct place *p, int n)
{
    MPI_Allreduce(p->out, p->in, numbers(n), number(n), operation(n), world());
}
static void alltoall(const struct place *p, int n) { MPI_Alltoall(p->out, n, MPI_BYTE, p->in, n, MPI_BYTE, world()); }
static void barrier(const struct place *p, int n)
{
    (void)p;
    (void)n;
    MPI_Barrier(world());
}

static double from_start(const struct place *p, const struct job *job, void (*call)(const struct place *, int))
{
    double start_s = place_agree(p);
    place_start(p, start_s);
    call(p, job->bytes);
    return MPI_Wtime() - start_s;
}

double measure_bcast(const struct place *p, const struct job *job) { return from_start(p, job, bcast); }
double measure_allgather(const struct place *p, const struct job *job) { return from_start(p, job, allgather); }
double measure_allgather_in_place(const struct place *p, const struct job *job) { return from_start(p, job, in_place); }
double measure_scatter(const struct place *p, const struct job *job) { return from_start(p, job, scatter); }
double measure_gather(const struct place *p, const struct job *job) { return from_start(p, job, gather); }
double measure_reduce(const struct place *p, const struct job *job) { return from_start(p, job, reduce); }
double measure_allreduce(const struct place *p, const struct job *job) { return from_start(p, job, allreduce); }
double measure_alltoall(const struct place *p, const struct job *job) { return from_start(p, job, alltoall); }
double measure_barrier(const struct place *p, const struct job *job) { return from_start(p, job, barrier); }

/* Many in a row: the mean of a batch. */
double measure_barriers(const struct place *p, const struct job *job)
{
    (void)p;
    MPI_Barrier(world());
    double before = MPI_Wtime();
    for (int i = 0; i < job->batch; i++)
        MPI_Barrier(world());
    return (MPI_Wtime() - before) / job->batch;
}

/* On rank 0 alone, the mean of a batch. */
double measure_combine(const struct place *p, const struct job *job)
{
    int n = job->bytes;
    double before = MPI_Wtime();
    for (int i = 0; p->rank == 0 && i < job->batch; i++)
        MPI_Reduce_local(p->out, p->in, numbers(n), number(n), operation(n));
    return p->rank == 0 ? (MPI_Wtime() - before) / job->batch : 0;
}
