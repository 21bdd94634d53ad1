/* pairs.c: the time of messages between two ranks. The others wait in a receive, which they have called before the start, and
 * which the source answers when all is over: nothing of theirs is on its way meanwhile.
 */
#include <mpi.h>

#include "pairs.h"

static void send(const struct place *p, int bytes, int to)
{
    MPI_Send(p->out, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void receive(const struct place *p, int bytes, int from)
{
    MPI_Recv(p->in, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

bool pair_begin(const struct place *p, const struct job *job, double *start_s)
{
    *start_s = place_agree(p);
    if (p->rank == job->pair.source || p->rank == job->pair.destination) {
        place_start(p, *start_s);
        return true;
    }
    MPI_Recv(NULL, 0, MPI_BYTE, job->pair.source, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return false;
}

void pair_settle(const struct place *p, const struct job *job, double until_s)
{
    if (p->virtual_clock)
        place_until(p, until_s);
    else if (p->rank == job->pair.destination)
        MPI_Send(NULL, 0, MPI_BYTE, job->pair.source, TAG_DONE, MPI_COMM_WORLD);
    else
        MPI_Recv(NULL, 0, MPI_BYTE, job->pair.destination, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void pair_end(const struct place *p, const struct job *job)
{
    if (p->rank != job->pair.source)
        return;
    for (int rank = 0; rank < p->ranks; rank++)
        if (rank != job->pair.source && rank != job->pair.destination)
            MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_DONE, MPI_COMM_WORLD);
}

static void bounce(const struct place *p, const struct job *job, int there, int back)
{
    if (p->rank == job->pair.source) {
        send(p, there, job->pair.destination);
        receive(p, back, job->pair.destination);
    } else {
        receive(p, there, job->pair.source);
        send(p, back, job->pair.source);
    }
}

/* A round trip, the mean of a batch. */
static double round_trip(const struct place *p, const struct job *job, int there, int back)
{
    double before = MPI_Wtime();
    for (int i = 0; i < job->batch; i++)
        bounce(p, job, there, back);
    return (MPI_Wtime() - before) / job->batch;
}

/* Half a round trip, as the source sees it. One goes before, so that each is the answer to one before. */
double measure_pingpong(const struct place *p, const struct job *job)
{
    double start_s, took_s = 0;
    if (!pair_begin(p, job, &start_s))
        return 0;
    bounce(p, job, job->bytes, job->bytes);
    took_s = round_trip(p, job, job->bytes, job->bytes) / 2;
    pair_end(p, job);
    return p->rank == job->pair.source ? took_s : 0;
}

/* Both ends start at once on a quiet network (the ring paper's Eq. 5), until the receive ends. */
double measure_once(const struct place *p, const struct job *job)
{
    double start_s, took_s = 0;
    if (!pair_begin(p, job, &start_s))
        return 0;
    if (p->rank == job->pair.source) {
        send(p, job->bytes, job->pair.destination);
    } else {
        receive(p, job->bytes, job->pair.source);
        took_s = MPI_Wtime() - start_s;
    }
    pair_settle(p, job, start_s + job->quiet_s);
    pair_end(p, job);
    return took_s;
}

/* The time a message of many in a row, at the source (Culler et al. 1996: saturation). An answer comes after them all. */
double measure_gap(const struct place *p, const struct job *job)
{
    enum { IN_A_ROW = 64 };
    int n = job->batch > IN_A_ROW ? job->batch : IN_A_ROW;
    double start_s, took_s = 0;
    if (!pair_begin(p, job, &start_s))
        return 0;
    if (p->rank == job->pair.source) {
        double before = MPI_Wtime();
        for (int i = 0; i < n; i++)
            send(p, job->bytes, job->pair.destination);
        took_s = (MPI_Wtime() - before) / n;
        receive(p, 0, job->pair.destination);
    } else {
        for (int i = 0; i < n; i++)
            receive(p, job->bytes, job->pair.source);
        send(p, 0, job->pair.source);
    }
    pair_end(p, job);
    return took_s;
}

/* Each even rank sends to the next one, all at once, and gets an empty message back. That one's time is half of a round
 * trip of empty messages, taken by the same pairs at once too. */
double measure_adjacent(const struct place *p, const struct job *job)
{
    struct job mine = *job;
    mine.pair.source = p->rank - p->rank % 2;
    mine.pair.destination = mine.pair.source + 1;
    double start_s = place_agree(p);
    if (mine.pair.destination == p->ranks)
        return 0;
    place_start(p, start_s);
    bounce(p, &mine, job->bytes, 0);
    double full_s = round_trip(p, &mine, job->bytes, 0), empty_s = round_trip(p, &mine, 0, 0);
    return p->rank == mine.pair.source ? full_s - empty_s / 2 : 0;
}

/* Both send to each other at once, again and again: each end's processor has both ends' work of one message, at least. */
double measure_exchange(const struct place *p, const struct job *job)
{
    int other = p->rank == job->pair.source ? job->pair.destination : job->pair.source;
    double start_s, took_s = 0;
    if (!pair_begin(p, job, &start_s))
        return 0;
    for (int i = -1; i < job->batch; i++) { /* one goes before */
        if (i == 0)
            took_s = MPI_Wtime();
        MPI_Sendrecv(p->out, job->bytes, MPI_BYTE, other, TAG, p->in, job->bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    took_s = (MPI_Wtime() - took_s) / job->batch;
    pair_end(p, job);
    return took_s;
}
