/* clock.c: one clock for all ranks.
 *
 * Each rank learns its difference from rank 0 by the fastest of many round trips (Cristian, Probabilistic clock
 * synchronization, 1989), which bounds the error by half of that round trip. A difference within that doubt counts as none, so
 * that ranks of one host, whose clock is one, keep exactly the same time. Clocks of several hosts drift; what is learned anew
 * about them is a correction of what was known, and within the doubt none again.
 */
#define _POSIX_C_SOURCE 200809L

#include "common/clock.h"

#include <math.h>
#include <sched.h>
#include <stddef.h>

enum { TAG = 71, ROUND_TRIPS = 64, READS = 2000, PROBES = 8 };

/* Absent where the program is linked with another MPI. */
extern void mpico_compute(double flops) __attribute__((weak));
extern void mpico_compute_bytes(double bytes) __attribute__((weak));

/* A wait longer than this lets other processes have the core: where nobody wants it, that costs nothing. */
static const double long_wait_s = 100e-6;

void declare_flops(double flops)
{
    if (mpico_compute && flops > 0)
        mpico_compute(flops);
}

void declare_bytes(double bytes)
{
    if (mpico_compute_bytes && bytes > 0)
        mpico_compute_bytes(bytes);
}

static double took_s(double flops)
{
    double before = MPI_Wtime();
    mpico_compute(flops);
    return MPI_Wtime() - before;
}

/* Virtual time passes in proportion to what is declared; real time does not. Half of the probes may be upset by a simulated
 * pause of the operating system. Returns the rate of the processor, 0 if time is real. */
static double rate_seen(double flops)
{
    double least_s = HUGE_VAL;
    int proportional = 0;
    for (int i = 0; i < PROBES; i++) {
        double none = took_s(0), one = took_s(flops) - none, four = took_s(4 * flops) - none;
        if (one > 2e-9 && fabs(four - 4 * one) < 0.02 * one) {
            proportional++;
            least_s = fmin(least_s, one);
        }
    }
    return 2 * proportional >= PROBES ? flops / least_s : 0;
}

static double virtual_rate(void)
{
    double rate = 0;
    if (mpico_compute)
        for (double flops = 1e3; flops < 1e7 && rate <= 0; flops *= 10)
            rate = rate_seen(flops);
    return rate;
}

static double least_step(void)
{
    double least_s = HUGE_VAL, before = MPI_Wtime();
    for (int i = 0; i < READS; i++) {
        double now = MPI_Wtime();
        if (now > before)
            least_s = fmin(least_s, now - before);
        before = now;
    }
    return least_s < HUGE_VAL ? least_s : MPI_Wtick();
}

static void answer(const struct clock *c, MPI_Comm comm)
{
    for (int i = 0; i < ROUND_TRIPS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, comm, MPI_STATUS_IGNORE);
        double now = clock_now(c);
        MPI_Send(&now, 1, MPI_DOUBLE, 0, TAG, comm);
    }
}

/* On rank 0: how much that rank's clock is ahead of what is known of it. The doubt has a tick for the rounding of times. */
static double ahead(const struct clock *c, int rank, MPI_Comm comm)
{
    double best_s = 0, fastest_s = HUGE_VAL;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double theirs, start = clock_now(c);
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG, comm);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank, TAG, comm, MPI_STATUS_IGNORE);
        double end = clock_now(c);
        if (end - start < fastest_s) {
            fastest_s = end - start;
            best_s = theirs - (start + end) / 2;
        }
    }
    return fabs(best_s) > fastest_s / 2 + c->tick_s ? best_s : 0;
}

/* Of this rank, which rank 0 finds for one after the other. */
static double correction(const struct clock *c, MPI_Comm comm)
{
    int rank, ranks;
    double more = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank > 0) {
        answer(c, comm);
        MPI_Recv(&more, 1, MPI_DOUBLE, 0, TAG, comm, MPI_STATUS_IGNORE);
        return more;
    }
    for (int other = 1; other < ranks; other++) {
        double theirs = ahead(c, other, comm);
        MPI_Send(&theirs, 1, MPI_DOUBLE, other, TAG, comm);
    }
    return 0;
}

static bool one_clock(void)
{
    int *global, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &found);
    return found && *global;
}

static bool one_host(MPI_Comm comm)
{
    MPI_Comm host;
    int all, here;
    MPI_Comm_size(comm, &all);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &here);
    MPI_Comm_free(&host);
    return here == all;
}

static bool any(bool mine, MPI_Comm comm)
{
    int one = mine, some;
    MPI_Allreduce(&one, &some, 1, MPI_INT, MPI_MAX, comm);
    return some;
}

void clock_agree(struct clock *c, MPI_Comm comm)
{
    *c = (struct clock){.flops_per_s = virtual_rate()};
    c->is_virtual = c->flops_per_s > 0;
    double tick_s = c->is_virtual ? MPI_Wtick() : least_step();
    /* All must take the same way, whatever each believes about its clock. */
    MPI_Allreduce(&tick_s, &c->tick_s, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (!any(!one_clock() && !c->is_virtual, comm))
        return;
    c->offset_s = correction(c, comm);
    bool hosts = !one_host(comm); /* collective */
    c->apart = any(hosts || c->offset_s < 0 || c->offset_s > 0, comm);
}

double clock_now(const struct clock *c) { return MPI_Wtime() - c->offset_s; }

void clock_until(const struct clock *c, double s)
{
    /* On a virtual clock each turn leaves a tenth of what is left, so that it ends within an operation of the moment. */
    for (double left_s; (left_s = s - clock_now(c)) > 0;)
        if (c->is_virtual)
            mpico_compute(0.9 * left_s * c->flops_per_s + 1);
        else if (left_s > long_wait_s)
            sched_yield();
}

double clock_meet(struct clock *c, MPI_Comm comm, double lead_s)
{
    if (c->apart)
        c->offset_s += correction(c, comm);
    double now = clock_now(c), last;
    MPI_Allreduce(&now, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    return last + lead_s;
}
