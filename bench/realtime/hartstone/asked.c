/* asked.c: the options of realtime hartstone. */
#include "asked.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/report.h"

enum { MOST_PERIODS = 20000000 };

static char wrong[320];

/* "1,2,4" with one number for every task, ascending or not. NULL, or a sentence. */
static const char *read_list(const char *option, const char *text, int n, double *values)
{
    const char *at = text;
    for (int i = 0; i < n; i++) {
        char *end;
        values[i] = strtod(at, &end);
        bool last = i == n - 1;
        if (end == at || !(values[i] > 0 && values[i] < 1e9) || *end != (last ? '\0' : ',')) {
            snprintf(wrong, sizeof wrong,
                     "--%s wants %d numbers above zero, one a task, with commas between, not '%.60s'", option, n, text);
            return wrong;
        }
        at = end + 1;
    }
    return NULL;
}

const char *asked_read(struct asked *a, int argc, char **argv)
{
    *a = (struct asked){.tasks = 3, .bytes = 262144, .schedule = "equal", .threads = true, .most_ms = 200};
    a->search = (struct search){.width = 0.01, .duration_s = 1, .periods_least = 8, .confidence = 0.95};
    const struct option_spec specs[] = {
        {"tasks", OPT_WHOLE, &a->tasks, 1, MOST_TASKS, "pairs of tasks, one on rank 0 and one on rank 1 each (3)"},
        {"bytes", OPT_WHOLE, &a->bytes, LEAST_BYTES, 1 << 30, "length of every message (256K)"},
        {"ratios", OPT_TEXT, &a->ratios, 0, 0, "of the tasks' periods to the one sought; without: 1,2,4,8..."},
        {"periods", OPT_TEXT, &a->periods, 0, 0, "of the tasks, in ms: these are tried, nothing is sought"},
        {"schedule", OPT_TEXT, &a->schedule, 0, 0, "equal (default) or rate-monotonic"},
        {"require-priorities", OPT_FLAG, &a->require_priorities, 0, 0,
         "refuse where rate-monotonic priorities are not allowed"},
        {"wait", OPT_TEXT, &a->wait, 0, 0,
         "for a period's begin: spin (with sched_yield; default of equal) or sleep (of rate-monotonic)"},
        {"threads", OPT_FLAG, &a->threads, 0, 0, "a thread a task (default); --no-threads with --tasks 1: none"},
        {"seconds", OPT_REAL, &a->search.duration_s, 1e-4, 86400, "the run that proves a period (1)"},
        {"least-periods", OPT_WHOLE, &a->search.periods_least, 1, 1e6, "of the shortest task in every trial (8)"},
        {"least-us", OPT_REAL, &a->least_us, 0, 1e9, "shortest period sought; without: two ticks of the clock or 1 us"},
        {"most-ms", OPT_REAL, &a->most_ms, 1e-3, 1e6, "longest period sought (200)"},
        {"width", OPT_REAL, &a->search.width, 1e-4, 1, "relative, to which the shortest period is found (0.01)"},
        {"text", OPT_FLAG, report_plain(), 0, 0, "lines of text instead of JSON lines"},
        {"confidence", OPT_REAL, &a->search.confidence, 0.5, 0.999999, "of the bound on missed periods (0.95)"},
    };
    if (!options_read("hartstone", specs, sizeof specs / sizeof specs[0], &argc, argv, wrong, sizeof wrong))
        return wrong;
    return argc > 1 ? "there are no arguments but options; realtime hartstone --help lists them" : NULL;
}

static bool one_of(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

const char *asked_consistent(struct asked *a)
{
    int ranks, level;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Query_thread(&level);
    if (ranks < 2)
        return "the tasks send from rank 0 to rank 1; start it with mpiexec -n 2";
    if (!one_of(a->schedule, "equal", "rate-monotonic"))
        return "--schedule is equal or rate-monotonic";
    bool monotonic = strcmp(a->schedule, "rate-monotonic") == 0;
    a->wait = a->wait ? a->wait : monotonic ? "sleep" : "spin";
    if (!one_of(a->wait, "spin", "sleep"))
        return "--wait is spin or sleep";
    if (monotonic && strcmp(a->wait, "spin") == 0)
        return "a task of high priority that spins keeps all others from the processor; take --wait sleep with "
               "rate-monotonic";
    if (!a->threads && (a->tasks > 1 || monotonic))
        return "without threads there is one task and no priority; take --tasks 1 --schedule equal";
    if (a->threads && level < MPI_THREAD_MULTIPLE)
        return "this MPI library does not allow calls from several threads at once (MPI_THREAD_MULTIPLE); take --tasks "
               "1 --no-threads";
    if (a->ratios && a->periods)
        return "--periods says all about the periods; leave --ratios out";
    return NULL;
}

const char *asked_periods(const struct asked *a, struct tasks *all, double *given_s)
{
    double values[MOST_TASKS], least;
    for (int i = 0; i < a->tasks; i++)
        values[i] = i < 30 ? (double)(1 << i) : (double)(1 << 30);
    const char *bad = a->periods  ? read_list("periods", a->periods, a->tasks, values)
                      : a->ratios ? read_list("ratios", a->ratios, a->tasks, values)
                                  : NULL;
    if (bad)
        return bad;
    least = values[0];
    for (int i = 1; i < a->tasks; i++)
        least = values[i] < least ? values[i] : least;
    for (int i = 0; i < a->tasks; i++)
        all->task[i].ratio = values[i] / least;
    *given_s = a->periods ? least * 1e-3 : 0;
    return NULL;
}

const char *asked_search(struct asked *a, const struct clock *c, double given_s, int *room)
{
    struct search *s = &a->search;
    double tick_s = 2 * c->tick_s > 1e-6 ? 2 * c->tick_s : 1e-6;
    s->least_s = given_s > 0 ? given_s : a->least_us > 0 ? a->least_us * 1e-6 : tick_s;
    s->most_s = given_s > 0 ? given_s : a->most_ms * 1e-3;
    const char *bad = search_wrong(s, c->tick_s);
    if (bad)
        return bad;
    double most = s->duration_s / s->least_s + s->periods_least + 1;
    if (most > MOST_PERIODS && (given_s > 0 || a->least_us > 0))
        return "the run has more than 20 million periods; ask for a shorter --seconds or a longer period";
    *room = most < MOST_PERIODS ? (int)most : MOST_PERIODS;
    return NULL;
}
