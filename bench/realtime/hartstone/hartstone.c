/* hartstone.c: realtime hartstone: options, the search for the shortest period, records. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "common/clock.h"
#include "common/options.h"
#include "common/report.h"
#include "common/search.h"
#include "priorities.h"
#include "realtime.h"
#include "tasks.h"

static const char *const not_allowed = "SCHED_FIFO is not allowed here";

/* Rate-monotonic priorities where both ranks may have them. Returns what the record says. */
static const char *set_priorities(const struct asked *a, struct tasks *all)
{
    static char text[160];
    if (strcmp(a->schedule, "equal") == 0)
        return "none";
    int error = all->rank < 2 ? priorities_refused() : 0, any;
    MPI_Allreduce(&error, &any, 1, MPI_INT, MPI_MAX, all->comm);
    if (any) {
        snprintf(text, sizeof text, "%s (%s): equal shares", not_allowed, strerror(any));
        return text;
    }
    priorities_rate_monotonic(all);
    return "SCHED_FIFO";
}

/* Of the trial that the answer is about. */
static const struct outcome *outcome(const struct tasks *all, int task, const struct found *f)
{
    return f->any ? &all->task[task].clean : &all->task[task].now;
}

static void print_task(const struct task *t, const struct outcome *o, const struct found *f)
{
    const struct seen *sent = &o->ends[0], *received = &o->ends[1];
    report_begin("hartstone-task");
    report_whole("task", t->index);
    report_number("ratio", t->ratio);
    report_whole("priority", t->priority);
    report_number("period_s", o->period_s);
    report_whole("periods", o->periods);
    report_whole("missed", o->missed);
    report_whole("late_sends", sent->late);
    report_whole("late_receipts", received->late);
    report_whole("skipped", sent->skipped);
    report_number("worst_send_s", sent->worst_s);
    report_number("worst_receipt_s", received->worst_s);
    report_number("mean_receipt_s", received->done ? received->sum_s / (double)received->done : 0);
    report_number("mb_per_s", search_rate(f, t->all->bytes / t->ratio) * 1e-6);
    report_whole("wrong", t->wrong);
    report_end();
}

static void print_found(const struct asked *a, const struct tasks *all, const char *priorities, const struct found *f)
{
    double ratios[MOST_TASKS], mb_per_s = 0;
    long wrong_messages = 0;
    for (int i = 0; i < all->count; i++) {
        ratios[i] = all->task[i].ratio;
        mb_per_s += search_rate(f, all->bytes / ratios[i]) * 1e-6;
        wrong_messages += all->task[i].wrong;
    }
    report_begin("hartstone");
    report_whole("tasks", all->count);
    report_flag("threads", all->threads);
    report_text("schedule", a->schedule);
    report_text("priorities", priorities);
    report_whole("trials_demoted", all->demoted);
    report_text("wait", a->wait);
    report_whole("bytes", all->bytes);
    report_list("ratios", ratios, all->count);
    search_report(&a->search, f, !a->periods);
    report_number("mb_per_s", mb_per_s);
    report_whole("wrong", wrong_messages);
    report_end();
}

static int measure(struct asked *a, struct tasks *all, const char *priorities, double given_s)
{
    struct found found;
    bool kept = given_s > 0 ? search_one(&a->search, all->comm, tasks_run, all, given_s, &found)
                            : search_period(&a->search, all->comm, tasks_run, all, &found);
    int bad = !kept;
    print_found(a, all, priorities, &found);
    for (int i = 0; i < all->count; i++) {
        bad |= all->task[i].wrong > 0;
        print_task(&all->task[i], outcome(all, i, &found), &found);
    }
    return bad;
}

/* Everything that may be refused, before anything is measured. */
static const char *prepare(struct asked *a, struct tasks *all, struct clock *c, double *given_s)
{
    const char *bad = asked_periods(a, all, given_s);
    if (bad)
        return bad;
    clock_agree(c, all->comm);
    bad = asked_search(a, c, *given_s, &all->room);
    if (bad)
        return bad;
    int ok = tasks_init(all), all_ok;
    MPI_Allreduce(&ok, &all_ok, 1, MPI_INT, MPI_MIN, all->comm);
    return all_ok ? NULL : "no memory for the messages; ask for fewer --bytes or --tasks, or a shorter --seconds";
}

static int start(struct asked *asked, struct tasks *all, struct clock *clock, int argc, char **argv)
{
    double given_s = 0;
    const char *bad = prepare(asked, all, clock, &given_s);
    if (bad)
        return refuse("hartstone", bad);
    const char *priorities = set_priorities(asked, all);
    if (strncmp(priorities, not_allowed, strlen(not_allowed)) == 0) {
        if (asked->require_priorities)
            return refuse("hartstone", priorities);
        if (all->rank == 0)
            fprintf(stderr, "realtime hartstone: %s\n", priorities);
    }
    report_environment(clock, argc, argv);
    return measure(asked, all, priorities, given_s);
}

int realtime_hartstone(int argc, char **argv)
{
    static struct tasks all; /* too large for a small stack */
    struct asked asked;
    struct clock clock;
    const char *bad = asked_read(&asked, argc, argv);
    bad = bad ? bad : asked_consistent(&asked);
    if (bad)
        return refuse("hartstone", bad);
    all = (struct tasks){.clock = &clock, .count = asked.tasks, .bytes = asked.bytes, .threads = asked.threads};
    all.sleeps = strcmp(asked.wait, "sleep") == 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &all.comm);
    MPI_Comm_rank(all.comm, &all.rank);
    int status = start(&asked, &all, &clock, argc, argv);
    tasks_fini(&all);
    MPI_Comm_free(&all.comm);
    return status;
}
