/* grid.c: `realtime grid`: the shortest period of the mapping that scales, its latency and throughput, and radar images on it.
 * docs/scalable-mapping.md. */
#include "realtime.h"
#include "common/options.h"
#include "common/report.h"
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 512 };
static const double most_margin = 4, grow = 8, give_up_s = 60;

/* The first results: they are kept as what later ones have to be, and checked by themselves. False: no memory. */
static bool learn(struct flow *f, struct outcome *o, struct trial *first)
{
    struct worker *w = f->worker;
    struct checker *c = f->check;
    int mine = 1, all;
    if (worker_is_last(w))
        mine = (c->first = malloc(2 * w->block * sizeof *c->first)) != NULL;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, w->world);
    if (!all)
        return false;
    c->learns = true;
    *first = flow_run(f, 0, VARIANTS);
    c->learns = false;
    MPI_Allreduce(&c->unequal, &o->unequal, 1, MPI_INT, MPI_SUM, w->world);
    return true;
}

static void check_fft2d(const struct flow *f, struct outcome *o)
{
    const struct worker *w = f->worker;
    double mine = worker_is_last(w) ? fft2d_error(&w->shape, worker_first_row(w), worker_rows(w), f->check->first) : 0;
    MPI_Allreduce(&mine, &o->error, 1, MPI_DOUBLE, MPI_MAX, w->world);
    o->error_most = fft2d_error_most(&w->shape);
}

/* The longest period may turn out too short where the first run was lucky; then a longer one is tried. */
static void seek(struct flow *f, const struct wishes *w, double most_s, struct found *found)
{
    struct search s = w->search;
    for (s.most_s = most_s; !search_period(&s, f->worker->world, flow_run, f, found); s.most_s *= grow)
        if (w->most_s > 0 || s.most_s * grow > give_up_s)
            return;
}

static void measure(struct flow *f, const struct wishes *w, const struct trial *first, struct outcome *o)
{
    double most_s = w->most_s > 0 ? w->most_s : fmax(most_margin * first->worst_s, 2 * w->search.least_s);
    if (w->period_s > 0)
        search_one(&w->search, f->worker->world, flow_run, f, w->period_s, &o->whole);
    else
        seek(f, w, most_s, &o->whole);
    o->times = o->whole.any ? f->kept : f->times;
    for (int s = 0; w->alone && s < f->worker->shape.stages; s++) {
        f->alone = s;
        seek(f, w, most_s, &o->alone[s]);
    }
    long long mine[2] = {f->check->seen, f->check->wrong}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, f->worker->world);
    o->seen = all[0];
    o->wrong = all[1];
}

static int run(const struct wishes *w, const struct scene *scene, struct worker *worker, struct clock *clock)
{
    struct checker check = {0};
    struct flow flow = {.worker = worker, .clock = clock, .check = &check, .alone = -1};
    struct outcome o = {0};
    struct trial first;
    char wrong[ROOM] = "no memory for the results; ask for a smaller matrix or more lines";
    if (!learn(&flow, &o, &first))
        return refuse("grid", wrong);
    if (!w->sar)
        check_fft2d(&flow, &o);
    measure(&flow, w, &first, &o);
    grid_report(w, worker, &o);
    bool focused = true;
    const char *why = w->sar ? sar_report(w, scene, check.first, &focused, wrong, sizeof wrong) : NULL;
    free(check.first);
    if (why)
        return refuse("grid", why);
    return !(o.whole.any && focused && o.wrong == 0 && o.unequal == 0 && o.error <= o.error_most);
}

/* NULL, or what does not fit together. */
static const char *check_wishes(struct wishes *w, const struct clock *clock, struct scene *scene, char *wrong,
                                size_t room)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *why = shape_wrong(&w->shape, ranks, wrong, room);
    if (!why && w->sar)
        why = wishes_scene(w, scene, wrong, room);
    struct search s = w->search;
    s.most_s = w->most_s > 0 ? w->most_s : give_up_s;
    if (!why)
        why = search_wrong(&s, clock->tick_s);
    if (!why && w->period_s > 0 && w->period_s < 2 * clock->tick_s)
        why = "the period is shorter than the clock resolves; ask for one of at least two of its ticks";
    return why;
}

int realtime_grid(int argc, char **argv)
{
    struct wishes w;
    struct scene scene = {0};
    struct clock clock;
    struct stage stages[STAGES_MOST];
    struct worker worker;
    char wrong[ROOM] = "";
    int status, given = argc;
    if (!wishes_read(&w, argc, argv, &status))
        return status;
    clock_agree(&clock, MPI_COMM_WORLD);
    const char *why = check_wishes(&w, &clock, &scene, wrong, sizeof wrong);
    if (why)
        return refuse("grid", why);
    report_environment(&clock, given, argv);
    struct chain chain = w.sar ? sar_chain(&scene) : chain_fft2d;
    if (worker_init(&worker, &w.shape, &chain, stages, grid_stages(&w.shape, stages)))
        status = run(&w, &scene, &worker, &clock);
    else
        status = refuse("grid", "no memory for the matrices; ask for a smaller matrix or more lines");
    worker_fini(&worker);
    return status;
}
