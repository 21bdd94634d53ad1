/* tasks.h: pairs of periodic tasks: each sends a message in every period of its own, or receives one. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

#include "common/clock.h"
#include "common/search.h"

enum { MOST_TASKS = 64, LEAST_BYTES = 16 };

/* What one end of a task has seen in one trial. */
struct seen {
    double worst_s, sum_s; /* from a period's start to the end of the message's sending, or of its receipt */
    long done, late;       /* messages, and those that ended after their period */
    long skipped;          /* periods that had passed before the sender came to them */
    long wrong;            /* messages that were not the one expected */
};

/* What became of a task in one trial. */
struct outcome {
    double period_s;
    long periods;
    struct seen ends[2]; /* the sender's and, on rank 0 after the trial, the receiver's */
    long missed;         /* periods missed by either end; on rank 0 after the trial */
};

struct task {
    const struct tasks *all;
    int index;
    int priority; /* 0: none */
    double ratio; /* of its period to the shortest one */
    char *buffer;
    unsigned char *missed; /* in the present trial: a flag a period */
    long wrong;            /* messages that were not the one expected, in all trials; on rank 0 */
    struct outcome now;
    struct outcome clean; /* of the last trial in which no task missed a period: the one that a search ends with */
};

struct tasks {
    struct clock *clock;
    MPI_Comm comm; /* 0 sends, 1 receives, others look on */
    int rank, count, bytes;
    bool threads, sleeps;
    int room; /* periods of the shortest task that a trial may have */
    struct task task[MOST_TASKS];
    unsigned char *flags; /* room for those of the other end */
    double start_s;       /* of the present trial */
    int demoted;          /* trials whose threads lost their priorities, since they did not end */
};

/* Allocates and touches; count, bytes, room and ratios are set. false: no memory. */
bool tasks_init(struct tasks *);
void tasks_fini(struct tasks *);

/* One trial, collective; for search_period(). `with`: struct tasks. `periods` are those of the shortest period; the trial's
 * periods, and the missed ones, are of all tasks. Times of a task are divided by its ratio, so that worst_s <= period_s exactly
 * when all deadlines were kept. */
struct trial tasks_run(void *with, double period_s, int periods);

/* The part of a thread: carries out the present trial of one task. `with`: struct task. */
void *tasks_send(void *with);
void *tasks_receive(void *with);
