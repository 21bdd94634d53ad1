/* priorities.h: threads with priorities. */
#pragma once

#include "tasks.h"

/* 0: this process may start a thread with SCHED_FIFO; else the errno that says why not. */
int priorities_refused(void);

/* Rate-monotonic (Liu and Layland, 1973): the shorter the period, the higher the priority. Equal periods share one. */
void priorities_rate_monotonic(struct tasks *);

/* Starts a thread for every task of this end, and waits for them. Threads with priorities that have not ended `patience_s` after
 * the first wait lose them: one of high priority may spin in the library for a lock that one of low priority holds, for ever.
 * Returns NULL, or what was wrong: some thread was not started, and the job cannot go on. */
const char *priorities_run(struct tasks *, void *(*end)(void *), double patience_s);
