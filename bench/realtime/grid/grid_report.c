/* grid_report.c: the records of a run. */
#include "run.h"
#include "common/report.h"

#include <math.h>
#include <stdlib.h>

static double flops_f(const struct wishes *w) { return filter_flops(w->shape.rows, w->sar) * w->shape.columns; }
static double flops_g(const struct wishes *w) { return filter_flops(w->shape.columns, w->sar) * w->shape.rows; }

static void report_shape(const struct wishes *w)
{
    report_text("chain", w->chain);
    report_whole("stages", w->shape.stages);
    report_whole("lines", w->shape.lines);
    report_whole("rows", w->shape.rows);
    report_whole("columns", w->shape.columns);
}

/* The worst of a stage's places; the mean of its slowest place. */
static struct flow_times worst_of(const struct flow_times *t, int count)
{
    struct flow_times worst = {0};
    for (int i = 0; i < count; i++) {
        worst.work_mean_s = fmax(worst.work_mean_s, t[i].work_mean_s);
        worst.work_worst_s = fmax(worst.work_worst_s, t[i].work_worst_s);
        worst.latency_mean_s = fmax(worst.latency_mean_s, t[i].latency_mean_s);
        worst.latency_worst_s = fmax(worst.latency_worst_s, t[i].latency_worst_s);
        worst.late += t[i].late;
    }
    return worst;
}

static void report_grid(const struct wishes *w, const struct outcome *o, const struct flow_times *last, int stages)
{
    double flops = flops_f(w) + flops_g(w);
    report_begin("grid");
    report_shape(w);
    report_flag("sink", w->shape.sink);
    report_text("turn", w->shape.stages == 2 ? "direct" : w->turn);
    search_report(&w->search, &o->whole, w->period_s <= 0);
    report_number("latency_s", stages * o->whole.period_s);
    report_number("latency_worst_s", last->latency_worst_s);
    report_number("latency_mean_s", last->latency_mean_s);
    report_number("flops", flops);
    report_number("mflops", search_rate(&o->whole, flops) / 1e6);
    report_whole("results", o->seen);
    report_whole("results_wrong", o->wrong + o->unequal);
    if (!w->sar) {
        report_number("error", o->error);
        report_number("error_most", o->error_most);
    }
    report_end();
}

/* What a place of the stage sends on to others in a period, without what stays with it. */
static double bytes_sent(const struct wishes *w, const struct worker *k, int stage)
{
    double block = 8.0 * (double)shape_block(&w->shape), away = block * (w->shape.lines - 1) / w->shape.lines;
    bool turns = w->shape.stages == 3 && stage == 1, is_last = stage == k->stage_count - 1;
    return (turns ? away : 0) + (is_last ? 0 : block);
}

static void report_stage(const struct wishes *w, const struct worker *k, const struct outcome *o, int stage,
                         const struct flow_times *t)
{
    bool f = stage == 0, g = stage == w->shape.stages - 1;
    report_begin("grid-stage");
    report_shape(w);
    report_whole("stage", stage + 1);
    report_text("name", k->stages[stage].name);
    report_whole("places", k->stages[stage].width);
    report_number("flops", (f ? flops_f(w) : g ? flops_g(w) : 0) / k->stages[stage].width);
    report_number("bytes_sent", bytes_sent(w, k, stage));
    report_number("work_mean_s", t->work_mean_s);
    report_number("work_worst_s", t->work_worst_s);
    report_whole("late", t->late);
    if (w->alone && stage < w->shape.stages) {
        report_flag("alone_kept", o->alone[stage].any);
        report_number("alone_period_s", o->alone[stage].period_s);
        report_whole("alone_periods", o->alone[stage].proof.periods);
    }
    report_end();
}

void grid_report(const struct wishes *w, const struct worker *k, const struct outcome *o)
{
    int rank, ranks = shape_ranks(&w->shape);
    MPI_Comm_rank(k->world, &rank);
    struct flow_times *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL, stage[STAGES_MOST];
    int good = rank > 0 || all;
    MPI_Bcast(&good, 1, MPI_INT, 0, k->world);
    if (!good)
        MPI_Abort(k->world, 2);
    MPI_Gather(&o->times, (int)sizeof o->times, MPI_BYTE, all, (int)sizeof o->times, MPI_BYTE, 0, k->world);
    for (int s = 0, first = 0; all && s < k->stage_count; first += k->stages[s++].width)
        stage[s] = worst_of(all + first, k->stages[s].width);
    for (int s = 0; all && s < k->stage_count; s++)
        report_stage(w, k, o, s, &stage[s]);
    if (all)
        report_grid(w, o, &stage[k->stage_count - 1], k->stage_count);
    free(all);
}
