/* bench.c: runs of a chain. */
#include "chain/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain/stages.h"

enum { MEASURED = sizeof(struct measured) / sizeof(double), STEP = sizeof(struct step) / sizeof(double) };
enum { FREE_BLOCKS = 8, FREE_RUNS = 3, PERIODS_MOST = 10000000 };

/* Time for all ranks to learn a common moment. */
static const double lead_s = 2e-3;

/* For pauses of the operating system, above what the chain needs. */
static const double room_s = 20e-3;

static bool all_agree(bool mine, MPI_Comm comm)
{
    int one = mine, all;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_MIN, comm);
    return all;
}

bool bench_alloc(struct bench *b, const struct chain *c, struct mode m, struct clock *clock, MPI_Comm comm,
                 int timeline)
{
    *b = (struct bench){.timeline = timeline};
    bool good = seat_alloc(&b->seat, c, m, clock, comm);
    if (good && b->seat.index == 0) {
        b->stages = calloc((size_t)b->seat.ranks, sizeof *b->stages);
        b->kept = calloc((size_t)b->seat.ranks * (size_t)timeline + 1, sizeof *b->kept);
        good = b->stages && b->kept;
    }
    if (all_agree(good, comm))
        return true;
    bench_free(b);
    return false;
}

void bench_free(struct bench *b)
{
    seat_free(&b->seat);
    free(b->stages);
    free(b->kept);
}

static void carry_out(struct seat *s, struct run *r)
{
    bool moments = r->from_empty || (s->mode.flow && s->mode.synchronised);
    double meet_s = clock_meet(s->clock, s->comm, lead_s);
    s->begin_s = moments ? meet_s + r->run_in * r->period_s : -HUGE_VAL;
    if (s->mode.flow && s->index == 0)
        source_run(s, r);
    else if (s->mode.flow && s->index == s->ranks - 1)
        sink_run(s, r);
    else if (s->mode.flow)
        node_run(s, r);
    else if (s->index > 0 && s->index < s->ranks - 1)
        alone_run(s, r);
    MPI_Bcast(&s->begin_s, 1, MPI_DOUBLE, 0, s->comm);
}

/* The moment by which a stage's regularity is judged. */
static double completed_s(const struct seat *s, const struct step *step)
{
    return s->index == 0 ? step->started_s : s->index == s->ranks - 1 ? step->arrived_s : step->sent_s;
}

static void add_step(const struct seat *s, const struct run *r, int b, struct measured *m)
{
    const struct step *step = &r->steps[b], *before = step - 1;
    double work_s = step->sent_s - step->started_s, share = 1.0 / (r->blocks - r->run_in);
    m->missed += step->late_s > 0;
    m->late_s = fmax(m->late_s, step->late_s);
    m->busy_s += share * step->busy_s;
    m->busy_worst_s = fmax(m->busy_worst_s, step->busy_s);
    m->wait_in_s += share * (step->ready_s - before->sent_s);
    m->wait_out_s += share * fmax(0, step->asked_s - step->computed_s);
    m->work_s += share * work_s;
    m->work_worst_s = fmax(m->work_worst_s, work_s);
    double off_s = completed_s(s, step) - completed_s(s, before) - r->period_s;
    m->jitter_s += share * off_s * off_s;
    m->jitter_worst_s = fmax(m->jitter_worst_s, fabs(off_s));
    if (s->mode.flow && s->index == s->ranks - 1) {
        double latency_s = step->arrived_s - (s->begin_s + (b - r->run_in) * r->period_s);
        m->latency_s += share * latency_s;
        m->latency_worst_s = fmax(m->latency_worst_s, latency_s);
    }
}

static struct measured measure(const struct seat *s, const struct run *r)
{
    struct measured m = {.late_s = -HUGE_VAL};
    bool idle = !s->mode.flow && (s->index == 0 || s->index == s->ranks - 1);
    for (int b = r->run_in; !idle && b < r->blocks; b++)
        add_step(s, r, b, &m);
    m.jitter_s = sqrt(m.jitter_s);
    return m;
}

/* Periods that some stage missed, each once, on rank 0. Collective. */
static int missed_periods(const struct bench *b, const struct run *r)
{
    int missed = 0, periods = r->blocks - r->run_in;
    bool first = b->seat.index == 0;
    unsigned char *late = calloc(2, (size_t)periods), *any = late ? late + periods : NULL;
    if (!late)
        MPI_Abort(b->seat.comm, 2);
    for (int i = 0; i < periods; i++)
        late[i] = r->steps[r->run_in + i].late_s > 0;
    MPI_Reduce(late, first ? any : NULL, periods, MPI_UNSIGNED_CHAR, MPI_MAX, 0, b->seat.comm);
    for (int i = 0; i < periods; i++)
        missed += any[i];
    free(late);
    return missed;
}

/* The longest work of a stage decides the first guess of a search. */
static struct trial summarise(const struct measured *stages, int n, int periods, int missed)
{
    struct trial t = {.periods = periods, .missed = missed};
    for (int i = 0; i < n; i++) {
        t.worst_s = fmax(t.worst_s, stages[i].work_worst_s);
        t.mean_s = fmax(t.mean_s, stages[i].work_s);
    }
    return t;
}

/* Collective. */
static void keep(struct bench *b, const struct run *r, const struct measured *mine)
{
    b->period_s = r->period_s;
    b->periods = r->blocks - r->run_in;
    b->missed = missed_periods(b, r);
    b->begin_s = b->seat.begin_s;
    b->kept_blocks = b->timeline < b->periods ? b->timeline : b->periods;
    MPI_Gather(mine, MEASURED, MPI_DOUBLE, b->stages, MEASURED, MPI_DOUBLE, 0, b->seat.comm);
    MPI_Gather(r->steps + r->run_in, b->kept_blocks * STEP, MPI_DOUBLE, b->kept, b->kept_blocks * STEP, MPI_DOUBLE, 0,
               b->seat.comm);
}

static struct step *steps_alloc(int blocks)
{
    struct step *steps = calloc((size_t)blocks, sizeof *steps);
    if (!steps) {
        fprintf(stderr, "realtime chain: no memory for the times of %d blocks; ask for fewer seconds\n", blocks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return steps;
}

static struct run run_of(const struct bench *b, double period_s, int periods)
{
    int run_in = 2 * b->seat.ranks + RUN_IN_WATCHED;
    periods = periods < PERIODS_MOST ? periods : PERIODS_MOST;
    return (struct run){period_s, run_in, run_in + periods, .steps = steps_alloc(run_in + periods)};
}

struct trial bench_run(void *with, double period_s, int periods)
{
    struct bench *b = with;
    struct run r = run_of(b, period_s, periods);
    carry_out(&b->seat, &r);
    struct measured mine = measure(&b->seat, &r), *all = calloc((size_t)b->seat.ranks, sizeof *all);
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Gather(&mine, MEASURED, MPI_DOUBLE, all, MEASURED, MPI_DOUBLE, 0, b->seat.comm);
    struct trial t = summarise(all, b->seat.index == 0 ? b->seat.ranks : 0, r.blocks - r.run_in, missed_periods(b, &r));
    free(all);
    free(r.steps);
    return t;
}

void bench_watch(struct bench *b, double period_s, int periods)
{
    struct run r = run_of(b, period_s, periods);
    r.from_empty = true;
    carry_out(&b->seat, &r);
    struct measured mine = measure(&b->seat, &r);
    keep(b, &r, &mine);
    free(r.steps);
}

/* Seconds a block takes where nothing waits for a moment. */
static double free_interval(struct bench *b)
{
    struct run r = run_of(b, 0, FREE_BLOCKS);
    carry_out(&b->seat, &r);
    double mine = (r.steps[r.blocks - 1].sent_s - r.steps[r.run_in].sent_s) / (FREE_BLOCKS - 1), all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, b->seat.comm);
    free(r.steps);
    return all;
}

void bench_limits(struct bench *b, struct search *s)
{
    double least_s = HUGE_VAL, most_s = 0;
    for (int i = 0; i < FREE_RUNS; i++) {
        double interval_s = free_interval(b);
        least_s = fmin(least_s, interval_s);
        most_s = fmax(most_s, interval_s);
    }
    s->least_s = fmax(0.2 * least_s, 2 * b->seat.clock->tick_s);
    s->most_s = 8 * most_s + (b->seat.clock->is_virtual ? 0 : room_s);
}

void bench_verdict(const struct bench *b, long *checked, long *wrong, double *worst_error)
{
    double mine[3] = {(double)b->seat.checked, (double)b->seat.wrong, b->seat.worst_error};
    MPI_Bcast(mine, 3, MPI_DOUBLE, b->seat.ranks - 1, b->seat.comm);
    *checked = (long)mine[0];
    *wrong = (long)mine[1];
    *worst_error = mine[2];
}
