/* bench.h: runs of a chain in one mode.
 *
 * Trials of a search begin with all buffers full, so that a period that is too short is missed at once. Jitter and latency are those of a
 * run that begins empty, as a chain behind a sensor does: bench_watch().
 */
#pragma once

#include "chain/seat.h"
#include "common/search.h"

/* Of one stage, over the periods of a run. */
struct measured {
    double missed, late_s;             /* its own deadlines; by how much at worst, negative: the least time to spare */
    double busy_s, busy_worst_s;       /* computing, mean and worst */
    double wait_in_s, wait_out_s;      /* mean: for the block from upstream, for the request from downstream */
    double work_s, work_worst_s;       /* from beginning to free again */
    double jitter_s, jitter_worst_s;   /* of successive completions about the period: standard deviation, largest */
    double latency_s, latency_worst_s; /* sink only: from the period's start until the block is there */
};

struct bench {
    struct seat seat;
    struct measured *stages; /* on rank 0, of every rank */
    double period_s;         /* of them */
    int periods, missed;     /* on rank 0; missed: by some stage */
    int timeline;            /* how many blocks of the run to keep */
    struct step *kept;       /* on rank 0: `timeline` steps of every rank, from begin_s on */
    int kept_blocks;
    double begin_s;
};

/* Collective. False on all ranks: no memory. */
bool bench_alloc(struct bench *, const struct chain *, struct mode, struct clock *, MPI_Comm, int timeline);
void bench_free(struct bench *);

/* Collective; the trial is rank 0's. `with` is a bench. */
struct trial bench_run(void *with, double period_s, int periods);

/* Collective: a run from empty; its measurements stay in the bench. */
void bench_watch(struct bench *, double period_s, int periods);

/* Collective: the least and the longest period worth a trial, from a run as fast as it goes. */
void bench_limits(struct bench *, struct search *);

/* Collective: blocks that the sink looked at and found wrong, the worst error; on all ranks. */
void bench_verdict(const struct bench *, long *checked, long *wrong, double *worst_error);
