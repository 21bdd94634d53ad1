/* asked.h: what the options ask for. Each function returns NULL, or a sentence for refuse(), which lasts until the next call. */
#pragma once

#include "common/search.h"
#include "tasks.h"

struct asked {
    int tasks, bytes;
    const char *ratios, *periods, *schedule, *wait;
    bool threads, require_priorities;
    double least_us, most_ms;
    struct search search;
};

const char *asked_read(struct asked *, int argc, char **argv);

/* Whether the options fit each other, the ranks and the library. Sets `wait` where it was left open. */
const char *asked_consistent(struct asked *);

/* Sets the tasks' ratios; *given_s: with --periods the period that they are ratios to, else 0. */
const char *asked_periods(const struct asked *, struct tasks *, double *given_s);

/* Sets the limits of the search and how many periods a trial may have. */
const char *asked_search(struct asked *, const struct clock *, double given_s, int *room);
