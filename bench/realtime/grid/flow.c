/* flow.c: periods of the grid.
 *
 * Period k of the stage s begins at t0 + (k + s) T and has to be over, its block handed on, T later: the block that came in at
 * t0 + k T leaves the last of S stages before t0 + (k + S) T. A stage that is late begins its next period late too; every
 * period that ends after its time counts.
 */
#define _POSIX_C_SOURCE 200809L

#include "grid.h"
#include "common/search.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>

static const double lead_s = 2e-3;

/* Waits in the library, so that what arrives moves meanwhile (a communicator of one rank moves nothing in some libraries); and lets
 * others on, where ranks outnumber processors. */
static void wait_until(const struct flow *f, double when_s)
{
    if (f->clock->is_virtual) {
        clock_until(f->clock, when_s);
        return;
    }
    while (clock_now(f->clock) < when_s) {
        int flag;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, f->worker->world, &flag, MPI_STATUS_IGNORE);
        sched_yield();
    }
}

static void one_period(struct flow *f, int k, int periods)
{
    struct worker *w = f->worker;
    const struct stage *stage = &w->stages[w->stage];
    bool flows = f->alone < 0;
    if (flows) {
        pass_wait(w);
        if (k + 1 < periods)
            pass_post(w, k + 1);
    }
    const float *in = w->stage == 0 ? w->input[k % VARIANTS] : w->arrived[k % 2];
    if (stage->work)
        stage->work(w, in, w->out);
    if (flows)
        pass_on(w);
}

static void count_times(struct flow_times *t, double took_s, double latency_s, bool late)
{
    t->work_mean_s += took_s;
    t->work_worst_s = fmax(t->work_worst_s, took_s);
    t->latency_mean_s += latency_s;
    t->latency_worst_s = fmax(t->latency_worst_s, latency_s);
    t->late += late;
}

/* Fills this rank's marks of late periods. */
static void run_periods(struct flow *f, double t0_s, double period_s, int periods, unsigned char *late)
{
    struct worker *w = f->worker;
    int lag = f->alone < 0 ? w->stage : 0;
    if (f->alone < 0)
        pass_post(w, 0);
    for (int k = 0; k < periods; k++) {
        double start_s = t0_s + (k + lag) * period_s;
        wait_until(f, start_s);
        one_period(f, k, periods);
        double end_s = clock_now(f->clock);
        late[k] = end_s > start_s + period_s;
        count_times(&f->times, end_s - start_s, end_s - (t0_s + k * period_s), late[k]);
        if (f->alone < 0 && worker_is_last(w))
            check_result(f->check, k, worker_result(w, k), 2 * w->block);
    }
    f->times.work_mean_s /= periods;
    f->times.latency_mean_s /= periods;
}

/* A period that any rank missed is missed. */
static struct trial sum_up(struct flow *f, int periods, unsigned char *late)
{
    struct trial t = {.periods = periods};
    MPI_Comm world = f->worker->world;
    MPI_Allreduce(MPI_IN_PLACE, late, periods, MPI_UNSIGNED_CHAR, MPI_MAX, world);
    for (int k = 0; k < periods; k++)
        t.missed += late[k];
    double mine[2] = {f->times.work_worst_s, f->times.work_mean_s}, most[2];
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, world);
    t.worst_s = most[0];
    t.mean_s = most[1];
    if (t.missed == 0)
        f->kept = f->times;
    return t;
}

struct trial flow_run(void *with, double period_s, int periods)
{
    struct flow *f = with;
    unsigned char *late = calloc((size_t)periods, 1);
    int mine = late != NULL, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, f->worker->world);
    f->times = (struct flow_times){0};
    struct trial t = {.periods = periods, .missed = periods};
    if (all) {
        double t0_s = clock_meet(f->clock, f->worker->world, lead_s);
        if (f->alone < 0 || f->alone == f->worker->stage)
            run_periods(f, t0_s, period_s, periods, late);
        t = sum_up(f, periods, late);
    }
    free(late);
    return t;
}
