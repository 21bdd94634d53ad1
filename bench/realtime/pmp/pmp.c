/* pmp.c: `realtime pmp FILE`: the shortest period of a pattern of messages.
 *
 * Rank 0 reads the pattern and checks it; then each node gets its own sequence.
 */
#include "common/clock.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/report.h"
#include "common/search.h"
#include "pmp/check.h"
#include "pmp/read.h"
#include "pmp/share.h"
#include "realtime.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct wishes {
    const char *file;
    bool asynchronous, synchronous, text, ssend, check, exact;
    int subperiods, bytes, align;
    double period_s; /* 0: sought */
    struct search search;
};

enum { SENTENCE = 1000, ALIGN_MOST = 1 << 20 };

static bool read_arguments(struct wishes *w, int argc, char **argv, char *wrong)
{
    struct search *s = &w->search;
    const struct option_spec specs[] = {
        {"asynchronous", OPT_FLAG, &w->asynchronous, 0, 0, "actions follow each other without a clock (the default)"},
        {"synchronous", OPT_FLAG, &w->synchronous, 0, 0, "each stage starts with a sub-period"},
        {"subperiods", OPT_WHOLE, &w->subperiods, 1, ACTIONS_MOST,
         "so many of them, at least the stages of the pattern"},
        {"bytes", OPT_WHOLE, &w->bytes, 0, INT_MAX, "size of the sends that give none, before that of the header"},
        {"period", OPT_REAL, &w->period_s, 1e-9, 1e4, "run at this period in seconds instead of searching"},
        {"least", OPT_REAL, &s->least_s, 1e-9, 1e4, "shortest period to try, in seconds"},
        {"most", OPT_REAL, &s->most_s, 1e-9, 1e4, "longest period to try, in seconds"},
        {"width", OPT_REAL, &s->width, 1e-6, 1, "relative width of the answer (0.01)"},
        {"duration", OPT_REAL, &s->duration_s, 0, 1e6, "seconds of the run that proves the period (5)"},
        {"periods", OPT_WHOLE, &s->periods_least, 1, INT_MAX, "least number of periods of any run (20)"},
        {"confidence", OPT_REAL, &s->confidence, 0, 1, "of the bound on missed periods (0.95)"},
        {"ssend", OPT_FLAG, &w->ssend, 0, 0, "send with MPI_Ssend instead of MPI_Send"},
        {"exact", OPT_FLAG, &w->exact, 0, 0, "receive from the sender that the stages give, not from any"},
        {"align", OPT_WHOLE, &w->align, 1, ALIGN_MOST,
         "buffers begin at a multiple of so many bytes, a power of two, and below a page of no more (4096)"},
        {"check", OPT_FLAG, &w->check, 0, 0, "check the pattern and count its stages, run nothing"},
        {"text", OPT_FLAG, &w->text, 0, 0, "a short table instead of JSON lines"},
    };
    if (!options_read("pmp", specs, sizeof specs / sizeof *specs, &argc, argv, wrong, SENTENCE))
        return false;
    const char *why = argc != 2 ? "name one file with a pattern, as in realtime pmp corner.pmp" : NULL;
    if (!why && w->synchronous && w->asynchronous)
        why = "--synchronous and --asynchronous exclude each other; leave one out";
    if (!why && w->subperiods > 0 && !w->synchronous)
        why = "--subperiods goes with --synchronous; add that";
    if (!why && w->align & (w->align - 1))
        why = "--align is no power of two; write one, as 16 or 4096";
    if (!why)
        w->file = argv[1];
    else
        snprintf(wrong, SENTENCE, "%s", why);
    return !why;
}

/* Also a given period must be one that the clock can tell. */
static bool fits_clock(const struct wishes *w, const struct clock *c, char *wrong)
{
    struct search s = w->search;
    if (w->period_s > 0)
        s.least_s = s.most_s = w->period_s;
    const char *why = search_wrong(&s, c->tick_s);
    if (why && w->period_s > 0 && w->period_s < 2 * c->tick_s)
        why = "the period is shorter than the clock resolves; ask for one of at least two of its ticks";
    if (why)
        snprintf(wrong, SENTENCE, "%s", why);
    return !why;
}

static void report_pattern(const struct wishes *w, const struct shared *s)
{
    report_text("file", w->file);
    report_whole("nodes", s->nodes);
    report_whole("stages", s->stages);
    report_whole("messages", s->messages);
    report_number("bytes", s->bytes_most);
}

static void report_version(const struct wishes *w, const struct player *p)
{
    report_text("version", w->synchronous ? "synchronous" : "asynchronous");
    report_whole("subperiods", p->subperiods);
    report_text("receives", w->exact ? "exact" : "any");
    report_text("sends", w->ssend ? "synchronous" : "standard");
    report_whole("align", w->align);
}

static void report_found(const struct wishes *w, const struct shared *s, const struct found *f, long long wrong)
{
    search_report(&w->search, f, w->period_s <= 0);
    report_number("rate", search_rate(f, s->bytes_most));
    report_whole("wrong", wrong);
}

/* All node's values on rank 0. Collective. */
static double *gather(const struct player *p, double mine)
{
    double *all = calloc((size_t)p->nodes, sizeof *all);
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, p->comm);
    return all;
}

static void print_text(const struct player *p, const struct shared *s, const struct found *f, const double *worst,
                       const double *missed)
{
    if (p->rank != 0)
        return;
    printf("%s: period %.6g ms, %d periods, %d missed", f->any ? "kept" : "not kept", f->period_s * 1e3,
           f->proof.periods, f->proof.missed);
    if (f->any)
        printf(", rate %.4g MB/s", s->bytes_most / f->period_s / 1e6);
    putchar('\n');
    printf("  node  worst ms  missed\n");
    for (int i = 0; i < p->nodes; i++)
        printf("  %4d  %8.4g  %6.0f\n", i, worst[i] * 1e3, missed[i]);
}

/* Returns the exit status. */
static int tell(const struct wishes *w, const struct player *p, const struct shared *s, const struct found *f)
{
    const struct node_result *r = f->any ? &p->kept : &p->now;
    long long wrong;
    MPI_Allreduce(&p->wrong, &wrong, 1, MPI_LONG_LONG, MPI_SUM, p->comm);
    double *worst = gather(p, r->worst_s), *missed = gather(p, r->missed);
    if (w->text) {
        print_text(p, s, f, worst, missed);
    } else {
        report_begin("pmp");
        report_pattern(w, s);
        report_version(w, p);
        report_found(w, s, f, wrong);
        report_list("node_worst_s", worst, p->nodes);
        report_list("node_missed", missed, p->nodes);
        report_end();
    }
    free(worst);
    free(missed);
    return f->any && wrong == 0 ? 0 : 1;
}

/* Nothing runs: the file alone, for any number of nodes. */
static int check(const struct wishes *w, char *wrong)
{
    struct shared s;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!share_checked(w->file, w->bytes, w->exact, MPI_COMM_WORLD, &s, wrong, SENTENCE))
        return refuse("pmp", wrong);
    if (w->text && rank == 0)
        printf("%s: %d nodes, %lld messages, %d stages\n", w->file, s.nodes, s.messages, s.stages);
    if (w->text)
        return 0;
    report_begin("pmp-check");
    report_pattern(w, &s);
    report_end();
    return 0;
}

static int measure(const struct wishes *w, struct player *p, const struct shared *s)
{
    struct found f;
    if (w->period_s > 0)
        search_one(&w->search, p->comm, player_run, p, w->period_s, &f);
    else
        search_period(&w->search, p->comm, player_run, p, &f);
    return tell(w, p, s, &f);
}

static int run(const struct wishes *w, struct clock *clock, char *wrong)
{
    struct player p = {.clock = clock, .synchronous_sends = w->ssend, .align = w->align, .whole = w->period_s > 0};
    struct shared shared;
    MPI_Comm_dup(MPI_COMM_WORLD, &p.comm);
    int status = 2;
    if (!share_pattern(w->file, w->bytes, w->synchronous ? w->subperiods : -1, w->exact, &p, &shared, wrong, SENTENCE))
        refuse("pmp", wrong);
    else
        status = measure(w, &p, &shared);
    player_fini(&p);
    share_fini(&p);
    MPI_Comm_free(&p.comm);
    return status;
}

int realtime_pmp(int argc, char **argv)
{
    struct wishes w = {.bytes = -1, .align = MEMORY_PAGE_BYTES, .search = {1e-6, 1, 0.01, 5, 20, 0.95}};
    struct clock clock;
    char wrong[SENTENCE], *all[64];
    int n = argc < 64 ? argc : 64;
    for (int i = 0; i < n; i++)
        all[i] = argv[i]; /* reading options moves the others */
    if (!read_arguments(&w, argc, argv, wrong))
        return refuse("pmp", wrong);
    if (w.check)
        return check(&w, wrong);
    clock_agree(&clock, MPI_COMM_WORLD);
    if (!fits_clock(&w, &clock, wrong))
        return refuse("pmp", wrong);
    if (!w.text)
        report_environment(&clock, n, all);
    return run(&w, &clock, wrong);
}
