/* overhead.c: for how long one message engages the processor of one end.
 *
 * On a real clock: the time of MPI_Send to a rank that has long been waiting in MPI_Recv, and the time of MPI_Recv of a message that has
 * long arrived, less one reading of the clock. What the processor does for the message before or after the call is not in it.
 *
 * On a virtual clock it is: the end computes, starts the message, computes, completes it, computes; the overhead is what this takes longer
 * than the computation alone (Culler et al. 1996, Hoefler et al. 2007: work interleaved), so that interrupts count, and waiting does not.
 * Two calls stand there for one, so the time of an MPI_Wait that has nothing to wait for is taken off. The computation is long
 * enough that all that the other end sends has come. A service whose receiver asks first sends while the receiver computes.
 */
#include <mpi.h>

#include "pairs.h"

enum { WORKS = 3 };

static void works(const struct place *p, const struct job *job, int n)
{
    for (int i = 0; i < n; i++)
        place_work(p, job->quiet_s);
}

static void start(const struct place *p, const struct job *job, MPI_Request *request)
{
    if (p->rank == job->pair.source)
        MPI_Isend(p->out, job->bytes, MPI_BYTE, job->pair.destination, TAG, MPI_COMM_WORLD, request);
    else
        MPI_Irecv(p->in, job->bytes, MPI_BYTE, job->pair.source, TAG, MPI_COMM_WORLD, request);
}

static void call(const struct place *p, const struct job *job)
{
    if (p->rank == job->pair.source)
        MPI_Send(p->out, job->bytes, MPI_BYTE, job->pair.destination, TAG, MPI_COMM_WORLD);
    else
        MPI_Recv(p->in, job->bytes, MPI_BYTE, job->pair.source, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same without the message, when that is over. */
static double idle_s(const struct place *p, const struct job *job)
{
    MPI_Request nothing = MPI_REQUEST_NULL;
    double before = MPI_Wtime();
    works(p, job, WORKS);
    MPI_Wait(&nothing, MPI_STATUS_IGNORE);
    return MPI_Wtime() - before;
}

static double engaged_s(const struct place *p, const struct job *job)
{
    MPI_Request request;
    double before = MPI_Wtime();
    works(p, job, 1);
    start(p, job, &request);
    works(p, job, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    works(p, job, 1);
    double took_s = MPI_Wtime() - before;
    return took_s - idle_s(p, job);
}

static double called_s(const struct place *p, const struct job *job, double start_s)
{
    place_until(p, start_s + job->quiet_s);
    double before = MPI_Wtime();
    call(p, job);
    return MPI_Wtime() - before - p->clock_s;
}

static double overhead(const struct place *p, const struct job *job, int measured)
{
    double start_s, took_s = 0;
    if (!pair_begin(p, job, &start_s))
        return 0;
    if (p->rank != measured)
        call(p, job);
    else
        took_s = p->virtual_clock ? engaged_s(p, job) : called_s(p, job, start_s);
    pair_settle(p, job, start_s + (2 * WORKS + 1) * job->quiet_s);
    pair_end(p, job);
    return took_s;
}

double measure_send_overhead(const struct place *p, const struct job *job)
{
    return overhead(p, job, job->pair.source);
}

double measure_recv_overhead(const struct place *p, const struct job *job)
{
    return overhead(p, job, job->pair.destination);
}
