/* place.c: the clocks of the ranks, moments that they agree on, and computation.
 *
 * A moment is agreed on by rank 0's clock. Where the ranks' clocks differ, as those of boards do, each learns its difference
 * from the fastest of some round trips (Cristian, Probabilistic clock synchronization, 1989): it is off by half of that round
 * trip at most, and by a tick for the rounding of times. A difference within that doubt is none.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

enum { ROUND_TRIPS = 10, AGREEMENTS = 5 };

/* Absent where the program is linked with another MPI. */
extern void mpico_compute(double flops) __attribute__((weak));

static const double virtual_lead_s = 0.01, least_lead_s = 20e-6, most_lead_s = 1.5e-3;

static double compute_s(double flops)
{
    double before = MPI_Wtime();
    mpico_compute(flops);
    return MPI_Wtime() - before;
}

/* Virtual time passes in proportion to what is declared; real time does not. */
static void find_clock(struct place *p)
{
    const double flops = 1e6;
    p->virtual_clock = mpico_compute != NULL;
    for (int i = 0; p->virtual_clock && i < 3; i++) {
        double none = compute_s(0), one = compute_s(flops) - none, four = compute_s(4 * flops) - none;
        p->virtual_clock = one > 1e-9 && fabs(four - 4 * one) < 0.01 * one;
        p->flops_per_s = flops / one;
    }
}

static void find_clock_cost(struct place *p)
{
    double least_s = 1;
    for (int i = 0; i < 100; i++) {
        double before = MPI_Wtime(), took = MPI_Wtime() - before;
        least_s = took < least_s ? took : least_s;
    }
    p->clock_s = p->virtual_clock ? 0 : least_s;
}

static bool one_clock(void)
{
    int *global, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &found);
    return found && *global;
}

static void answer(void)
{
    for (int i = 0; i < ROUND_TRIPS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double now = MPI_Wtime();
        MPI_Send(&now, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* On rank 0: how much that rank's clock is ahead. */
static double ahead(int rank)
{
    double best_s = 0, fastest_s = HUGE_VAL;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double theirs, start = MPI_Wtime();
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG, MPI_COMM_WORLD);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double end = MPI_Wtime();
        if (end - start < fastest_s) {
            fastest_s = end - start;
            best_s = theirs - (start + end) / 2;
        }
    }
    return fabs(best_s) > fastest_s / 2 + MPI_Wtick() ? best_s : 0;
}

static void find_offset(struct place *p)
{
    if (p->rank == 0) {
        for (int rank = 1; rank < p->ranks; rank++) {
            double offset = ahead(rank);
            MPI_Send(&offset, 1, MPI_DOUBLE, rank, TAG, MPI_COMM_WORLD);
        }
        return;
    }
    answer();
    MPI_Recv(&p->offset_s, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Long enough that the agreement has reached all, and nothing of it is under way. */
static void find_lead(struct place *p)
{
    double took = 0;
    for (int i = 0; i < AGREEMENTS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double before = MPI_Wtime();
        took = place_slowest(before) > 0 ? MPI_Wtime() - before : 0;
    }
    took = 4 * place_slowest(took);
    took = took < least_lead_s ? least_lead_s : took;
    p->lead_s = p->virtual_clock ? virtual_lead_s : took;
    p->lead_most_s = most_lead_s > 2 * took ? most_lead_s : 2 * took;
}

/* How much after the moment the last common start of this rank was. */
static double late_s;

double place_late(void) { return late_s; }

void place_start(const struct place *p, double when_s)
{
    place_until(p, when_s);
    late_s = p->virtual_clock ? 0 : MPI_Wtime() - when_s;
}

void place_lengthen(struct place *p)
{
    if (!p->virtual_clock)
        p->lead_s = fmin(4 * p->lead_s, p->lead_most_s);
}

void place_shorten(struct place *p)
{
    if (!p->virtual_clock && p->lead_s >= 2 * least_lead_s)
        p->lead_s /= 2;
}

void place_init(struct place *p, size_t room, bool pin)
{
    *p = (struct place){.room = room ? room : 1};
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
    if (pin)
        place_pin(p);
    p->out = calloc(p->room, 1);
    p->in = calloc(p->room, 1);
    if (!p->out || !p->in)
        place_give_up("no memory for the buffers; ask for smaller sizes or fewer ranks");
    find_clock(p);
    find_clock_cost(p);
    if (!one_clock() && !p->virtual_clock)
        find_offset(p);
    find_lead(p);
}

void place_fini(struct place *p)
{
    free(p->out);
    free(p->in);
}

double place_slowest(double mine_s)
{
    double slowest_s;
    MPI_Allreduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest_s;
}

double place_agree(const struct place *p)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return place_slowest(MPI_Wtime() - p->offset_s) + p->lead_s + p->offset_s;
}

void place_work(const struct place *p, double seconds) { mpico_compute(seconds * p->flops_per_s); }

/* On a virtual clock each turn leaves a tenth of what is left, so that it ends within an operation of the moment. On a real
 * one it spins: who sleeps or yields comes back late, and to a cold cache. */
void place_until(const struct place *p, double when_s)
{
    for (double left_s; (left_s = when_s - MPI_Wtime()) > 0;)
        if (p->virtual_clock)
            mpico_compute(0.9 * left_s * p->flops_per_s + 1);
}

void place_give_up(const char *why)
{
    fprintf(stderr, "measure: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort();
}
