/* chain.c: `realtime chain FILE`: the test bench (section 5 of the report). */
#include "chain/chain.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chain/records.h"
#include "chain/stages.h"
#include "common/options.h"
#include "common/report.h"
#include "common/text_file.h"
#include "realtime.h"

enum { FILE_MOST = 1 << 16 };

struct request {
    double period_s; /* 0: to be sought */
    bool hidden;
    const char *mode;
    double memory_mb; /* of a rank; 0: what the host has */
    int timeline;
    struct mode how;
    struct search search;
};

static struct request defaults(void)
{
    return (struct request){.mode = "self-timed",
                            .how = {.flow = true, .function = true, .buffers = 2, .check = 8},
                            .search = {.width = 0.01, .duration_s = 4, .periods_least = 20, .confidence = 0.95}};
}

static bool read_options(struct request *r, int *argc, char **argv, char *wrong, size_t room)
{
    struct option_spec specs[] = {
        {"period", OPT_REAL, &r->period_s, 0, 1e6, "seconds; left out: the shortest that is kept is sought"},
        {"hidden", OPT_FLAG, &r->hidden, 0, 0,
         "seek it with and without data flow and without functions: what is hidden"},
        {"seconds", OPT_REAL, &r->search.duration_s, 0, 1e6, "of the run at a period (4)"},
        {"periods", OPT_WHOLE, &r->search.periods_least, 1, 1e7, "least number of periods of a run (20)"},
        {"width", OPT_REAL, &r->search.width, 1e-6, 1, "of the period that is sought, relative (0.01)"},
        {"confidence", OPT_REAL, &r->search.confidence, 0, 1, "of the bound on missed periods (0.95)"},
        {"mode", OPT_TEXT, &r->mode, 0, 0, "self-timed or synchronised: only the source has moments, or every stage"},
        {"buffers", OPT_WHOLE, &r->how.buffers, 1, 2, "input buffers of a node (2)"},
        {"overlap-sends", OPT_FLAG, &r->how.overlap_sends, 0, 0, "send a block while the next is computed"},
        {"flow", OPT_FLAG, &r->how.flow, 0, 0, "--no-flow: nodes only compute"},
        {"function", OPT_FLAG, &r->how.function, 0, 0, "--no-function: nodes only pass on"},
        {"rows", OPT_WHOLE, &r->how.rows, 1, SIDE_MOST, "rows of a message (all of the block)"},
        {"check", OPT_WHOLE, &r->how.check, 1, SIDE_MOST,
         "the sink checks every so manyth row of each block, in turn (8)"},
        {"memory", OPT_REAL, &r->memory_mb, 0, 1e9, "MB of a rank (what the host has for it)"},
        {"text", OPT_FLAG, report_plain(), 0, 0, "lines of text instead of JSON lines"},
        {"timeline", OPT_WHOLE, &r->timeline, 0, 10000, "record the moments of so many blocks of the run (0)"},
    };
    if (!options_read("chain", specs, sizeof specs / sizeof specs[0], argc, argv, wrong, room))
        return false;
    r->how.synchronised = strcmp(r->mode, "synchronised") == 0;
    if (!r->how.synchronised && strcmp(r->mode, "self-timed") != 0)
        snprintf(wrong, room, "--mode wants self-timed or synchronised, not '%.40s'", r->mode);
    else if (*argc != 2)
        snprintf(wrong, room, "%s; see realtime chain --help",
                 *argc < 2 ? "a description file is missing" : "one description file at a time");
    else if (r->how.synchronised && r->how.buffers == 1)
        snprintf(wrong, room, "--mode synchronised wants two buffers: a block comes while the one before is computed");
    else if (r->hidden && r->period_s > 0)
        snprintf(wrong, room, "--hidden seeks periods; leave --period out");
    else if (r->hidden && !(r->how.flow && r->how.function))
        snprintf(wrong, room, "--hidden is about data flow and functions; leave --no-flow and --no-function out");
    else
        return true;
    return false;
}

/* MB of memory that a rank of this host may have. */
static double memory_mb(MPI_Comm comm)
{
    MPI_Comm host;
    int ranks;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &ranks);
    MPI_Comm_free(&host);
    double mine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1048576 / ranks, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
    return least;
}

/* Every rank reads and judges the same text; rank 0 says what is wrong. 0, or the exit status. */
static int read_chain(struct request *r, const char *file, struct chain *chain, MPI_Comm comm)
{
    int ranks;
    char wrong[1024] = "";
    struct complaint complaint = {0};
    MPI_Comm_size(comm, &ranks);
    double mb = r->memory_mb > 0 ? r->memory_mb : memory_mb(comm);
    char *text = text_load_all(file, FILE_MOST, "description file", comm, wrong, sizeof wrong);
    bool good =
        text && chain_read(text, chain, &complaint) && seat_fits(chain, r->how, ranks, mb * 1048576, &complaint);
    if (text && !good)
        complaint_show(&complaint, file, text, 2, wrong, sizeof wrong);
    free(text);
    if (!good)
        refuse("chain", wrong);
    return good ? 0 : 2;
}

struct session {
    const struct request *request;
    const struct chain *chain;
    struct clock *clock;
    MPI_Comm comm;
    struct paper paper;
};

/* What the exit status is about, in words. `watched`: of the run that the records of stages are about. */
static void tell_missed(const struct request *r, const struct found *f, long watched)
{
    if (!f->any && r->period_s > 0)
        fprintf(stderr, "realtime chain: %d of %d periods of %g ms missed\n", f->proof.missed, f->proof.periods,
                1e3 * f->period_s);
    else if (!f->any)
        fprintf(stderr, "realtime chain: no period up to %g ms is kept, %d of %d missed; the host may be busy\n",
                1e3 * f->period_s, f->proof.missed, f->proof.periods);
    else if (watched)
        fprintf(stderr, "realtime chain: %ld of %d periods of %g ms missed while the stages were watched\n", watched,
                f->proof.periods, 1e3 * f->period_s);
}

/* One mode: sought or run, recorded. 0, 1, or 2 where that is impossible. */
static int perform(const struct session *s, struct mode how, double *period_s)
{
    const struct request *r = s->request;
    struct bench b;
    struct found f;
    struct search search = r->search;
    if (!bench_alloc(&b, s->chain, how, s->clock, s->comm, r->timeline))
        return refuse("chain", "no memory for the buffers; make the block smaller");
    if (r->period_s > 0) {
        search_one(&search, s->comm, bench_run, &b, r->period_s, &f);
    } else {
        bench_limits(&b, &search);
        search_period(&search, s->comm, bench_run, &b, &f);
    }
    bench_watch(&b, f.period_s, f.proof.periods);
    records_write(&b, &s->paper, &f);
    long checked, wrong;
    double error;
    bench_verdict(&b, &checked, &wrong, &error);
    if (wrong && b.seat.index == 0)
        fprintf(stderr,
                "realtime chain: %ld of %ld blocks at the sink are not what it expects (error %.3g, at most %.3g)\n",
                wrong, checked, error, SINK_TOLERANCE);
    if (b.seat.index == 0)
        tell_missed(r, &f, b.missed);
    *period_s = f.period_s;
    bool missed = !f.any || (r->period_s > 0 && b.missed > 0);
    bench_free(&b);
    int bad = wrong || missed;
    MPI_Bcast(&bad, 1, MPI_INT, 0, s->comm);
    return bad;
}

static int perform_hidden(const struct session *s)
{
    struct mode with = s->request->how, without = with, passing = with;
    double with_s, without_s, passing_s;
    without.flow = false;
    /* Messages alone: a node receives, then sends. */
    passing.function = false;
    passing.buffers = 1;
    passing.overlap_sends = false;
    int status = perform(s, with, &with_s);
    status = status ? status : perform(s, without, &without_s);
    status = status ? status : perform(s, passing, &passing_s);
    if (status == 0)
        records_hidden(&s->paper, s->chain, with, with_s, without_s, passing_s);
    return status;
}

/* NULL, or what is wrong with the periods. */
static const char *periods_wrong(const struct request *r, const struct clock *clock)
{
    struct search s = r->search;
    s.least_s = r->period_s > 0 ? r->period_s : 1;
    s.most_s = s.least_s;
    if (r->period_s > 0 && r->search.duration_s / r->period_s > 1e7)
        return "more than ten million periods; ask for fewer seconds or a longer period";
    return search_wrong(&s, clock->tick_s);
}

/* The exit status, and no file where the run is over (also after --help). */
static int read_arguments(struct request *r, int argc, char **argv, const char **file)
{
    char wrong[256], **left = calloc((size_t)argc + 1, sizeof *left);
    int count = argc;
    if (!left)
        return refuse("chain", "no memory for the arguments; free some");
    memcpy(left, argv, (size_t)argc * sizeof *left);
    bool good = read_options(r, &count, left, wrong, sizeof wrong);
    *file = good ? left[1] : NULL;
    free(left);
    if (!good)
        refuse("chain", wrong);
    return good ? 0 : 2;
}

/* The clock; 0, or 2 where the periods do not suit it. Collective. */
static int read_clock(const struct request *r, struct clock *clock, MPI_Comm comm)
{
    clock_agree(clock, comm);
    const char *sentence = periods_wrong(r, clock);
    return sentence ? refuse("chain", sentence) : 0;
}

int realtime_chain(int argc, char **argv)
{
    static struct chain chain; /* too large for small stacks */
    struct request r = defaults();
    struct clock clock;
    const char *file = NULL;
    MPI_Comm comm;
    int status = read_arguments(&r, argc, argv, &file);
    if (!file)
        return status;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    status = read_chain(&r, file, &chain, comm);
    status = status ? status : read_clock(&r, &clock, comm);
    if (status == 0) {
        report_environment(&clock, argc, argv);
        struct session s = {&r, &chain, &clock, comm, {file, r.period_s <= 0, &r.search}};
        double period_s;
        status = r.hidden ? perform_hidden(&s) : perform(&s, r.how, &period_s);
    }
    MPI_Comm_free(&comm);
    return status;
}
