/* pauses.c: realtime pauses: how long and how often the processor is away from a program that only looks at the clock. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "classes.h"
#include "common/clock.h"
#include "common/options.h"
#include "common/report.h"
#include "realtime.h"
#include "watch.h"

enum { TAG = 17, WORD = 256 };

struct asked {
    double seconds, threshold_us;
    int room, rank;
};

/* Of one rank, on its way to rank 0. */
struct summary {
    struct watch watch;
    char host[MPI_MAX_PROCESSOR_NAME];
};

static const char *read_options(struct asked *a, int argc, char **argv)
{
    static char wrong[WORD];
    *a = (struct asked){.seconds = 10, .threshold_us = 50, .room = 100000, .rank = -1};
    const struct option_spec specs[] = {
        {"seconds", OPT_REAL, &a->seconds, 1e-4, 86400, "how long to watch (10)"},
        {"threshold-us", OPT_REAL, &a->threshold_us, 1e-3, 1e9, "least length of a gap that is a pause (50)"},
        {"room", OPT_WHOLE, &a->room, 1, 10e6, "pauses of which time and length are kept (100000)"},
        {"text", OPT_FLAG, report_plain(), 0, 0, "lines of text instead of JSON lines"},
        {"rank", OPT_WHOLE, &a->rank, -1, 1e6, "watch on this rank only; -1: on all at once (-1)"},
    };
    if (!options_read("pauses", specs, sizeof specs / sizeof specs[0], &argc, argv, wrong, sizeof wrong))
        return wrong;
    if (argc > 1)
        return "there are no arguments but options; realtime pauses --help lists them";
    return NULL;
}

static const char *fits(const struct asked *a, const struct clock *c)
{
    static char wrong[WORD];
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (a->rank >= ranks) {
        snprintf(wrong, sizeof wrong, "--rank %d is outside the %d ranks; name one from 0 to %d", a->rank, ranks,
                 ranks - 1);
        return wrong;
    }
    if (a->threshold_us * 1e-6 < 2 * c->tick_s) {
        snprintf(wrong, sizeof wrong,
                 "a threshold of %g us is under two ticks of the clock (%g us each); take a longer one",
                 a->threshold_us, c->tick_s * 1e6);
        return wrong;
    }
    return NULL;
}

static void print_watch(int rank, const struct summary *s)
{
    const struct watch *w = &s->watch;
    report_begin("pauses");
    report_whole("rank", rank);
    report_text("host", s->host);
    report_number("seconds_s", w->took_s);
    report_number("threshold_s", w->threshold_s);
    report_number("quantum_s", w->quantum_s);
    report_whole("reads", w->reads);
    report_number("least_gap_s", w->least_s);
    report_whole("pauses", w->count);
    report_whole("not_kept", w->count - w->kept);
    report_number("longest_gap_s", w->longest_s);
    report_number("lost_s", w->lost_s);
    report_number("lost_share", w->took_s > 0 ? w->lost_s / w->took_s : 0);
    report_end();
}

static void print_bins(int rank, const struct watch *w)
{
    double from[BINS], to[BINS], count[BINS];
    int n = 0;
    for (int b = 0; b < BINS; b++)
        if (w->bins[b]) {
            from[n] = watch_bin_from(b);
            to[n] = watch_bin_from(b + 1);
            count[n++] = (double)w->bins[b];
        }
    report_begin("pause-histogram");
    report_whole("rank", rank);
    report_list("from_s", from, n);
    report_list("to_s", to, n);
    report_list("count", count, n);
    report_end();
}

static void print_classes(int rank, const struct watch *w)
{
    struct pause_class classes[CLASSES];
    int n = classes_find(w->pauses, w->kept, classes);
    for (int i = 0; i < n; i++) {
        const struct pause_class *c = &classes[i];
        report_begin("pause-class");
        report_whole("rank", rank);
        report_whole("count", c->count);
        report_number("least_s", c->least_s);
        report_number("median_s", c->median_s);
        report_number("most_s", c->most_s);
        report_number("lost_share", w->took_s > 0 ? c->lost_s / w->took_s : 0);
        report_number("distance_s", c->distance_s);
        report_number("regular", c->regular);
        report_end();
    }
    if (n < 0)
        fprintf(stderr, "realtime pauses: no memory to sort the pauses of rank %d into classes; ask for less --room\n",
                rank);
}

static void print_list(int rank, const struct watch *w)
{
    double *numbers = malloc(2 * ((size_t)w->kept + 1) * sizeof *numbers);
    if (!numbers) {
        fprintf(stderr, "realtime pauses: no memory to print the pauses of rank %d; ask for less --room\n", rank);
        return;
    }
    for (long i = 0; i < w->kept; i++) {
        numbers[i] = w->pauses[i].at_s;
        numbers[w->kept + i] = w->pauses[i].length_s;
    }
    report_begin("pause-list");
    report_whole("rank", rank);
    report_list("at_s", numbers, (int)w->kept);
    report_list("length_s", numbers + w->kept, (int)w->kept);
    report_end();
    free(numbers);
}

static void print_all(int rank, const struct summary *s)
{
    print_watch(rank, s);
    print_bins(rank, &s->watch);
    print_classes(rank, &s->watch);
    print_list(rank, &s->watch);
}

/* Rank 0 prints one rank after the other; the room of its own array is free for the others' once it has printed its own. */
static void collect(const struct asked *a, struct summary *mine)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool watched = a->rank < 0 || a->rank == rank;
    if (rank != 0 && watched) {
        MPI_Send(mine, (int)sizeof *mine, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        MPI_Send(mine->watch.pauses, 2 * (int)mine->watch.kept, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    }
    if (rank != 0)
        return;
    if (watched)
        print_all(0, mine);
    for (int from = 1; from < ranks; from++) {
        struct summary theirs;
        if (a->rank >= 0 && a->rank != from)
            continue;
        MPI_Recv(&theirs, (int)sizeof theirs, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        theirs.watch.pauses = mine->watch.pauses;
        MPI_Recv(theirs.watch.pauses, 2 * (int)theirs.watch.kept, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        print_all(from, &theirs);
    }
}

static int watch_all(const struct asked *a, const struct clock *c)
{
    struct summary mine = {
        .watch = {.seconds = a->seconds, .threshold_s = a->threshold_us * 1e-6, .room = a->room},
    };
    int length, rank, short_of_memory, any;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_processor_name(mine.host, &length);
    short_of_memory = !watch_init(&mine.watch, c);
    MPI_Allreduce(&short_of_memory, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any) {
        watch_fini(&mine.watch);
        return refuse("pauses", "no memory for the array of pauses; ask for less --room");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (a->rank < 0 || a->rank == rank)
        watch_run(&mine.watch, c);
    collect(a, &mine);
    watch_fini(&mine.watch);
    return 0;
}

int realtime_pauses(int argc, char **argv)
{
    struct asked asked;
    struct clock clock;
    int count = argc;
    const char *wrong = read_options(&asked, argc, argv);
    if (wrong)
        return refuse("pauses", wrong);
    clock_agree(&clock, MPI_COMM_WORLD);
    wrong = fits(&asked, &clock);
    if (wrong)
        return refuse("pauses", wrong);
    report_environment(&clock, count, argv);
    return watch_all(&asked, &clock);
}
