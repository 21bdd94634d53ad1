/* search.h: the shortest period that is always kept. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

struct trial {
    int periods, missed; /* missed: periods in which some rank missed a deadline; each counts once */
    double worst_s;      /* the longest time from a period's start to the end of its work, over ranks and periods */
    double mean_s;       /* the mean of it over periods, of the rank where it is longest */
};

struct search {
    double least_s, most_s; /* where the period is sought */
    double width;           /* of the answer, relative: 0.01 */
    double duration_s;      /* of the run that proves it */
    int periods_least;      /* of every trial */
    double confidence;      /* 0.95 */
};

struct found {
    bool any; /* otherwise even most_s was missed, and proof holds that trial */
    double
        period_s; /* kept in the whole of the proof; a period shorter by the width, or least_s, was not or was not tried */
    struct trial proof; /* of period_s */
    double miss_bound;  /* with `confidence`, fewer than this share of periods is missed; 1 without a kept period */
    int trials;         /* in all */
    int proofs;         /* runs that were to prove a period, up to that of this one */
};

/* Collective. run() must return after the same number of periods on every rank; the trial of rank 0 decides. A bracket is
 * found from a trial at most_s, halved to the width, then the period is proved by a run of duration_s, at least periods_least
 * periods. When the proof misses, the period goes up by the width, then by twice that and so on until it is kept, and proofs
 * between the last two narrow it down to the width again. Progress on stderr of rank 0 when that is a terminal.
 *
 * Who proves several periods and takes one that was kept has had several chances of luck. So the k-th proof may be wrong with
 * a probability of (1 - confidence) / (k (k + 1)) only, the sum of which is 1 - confidence however many there are.
 * Limits are those of rank 0. Returns found->any. */
bool search_period(const struct search *, MPI_Comm, struct trial (*run)(void *with, double period_s, int periods),
                   void *with, struct found *);

/* One run at this period of duration_s, at least periods_least periods, in the form of a search's answer. */
bool search_one(const struct search *, MPI_Comm, struct trial (*run)(void *with, double period_s, int periods),
                void *with, double period_s, struct found *);

/* With this confidence, a run of so many periods without a miss shows a share of misses below 1 - (1 - c)^(1/N), if a miss makes
 * others no likelier. */
double search_miss_bound(double confidence, int periods);

/* What is moved or computed in a period, a second; NAN, which a record has as null, where no period is kept. */
double search_rate(const struct found *, double a_period);

/* The keys sought, kept, period_s, periods, missed, confidence, miss_bound, width, trials, proofs, worst_s, mean_s of a record. */
void search_report(const struct search *, const struct found *, bool sought);

/* NULL, or a sentence that names what is wrong with the limits. */
const char *search_wrong(const struct search *, double tick_s);
