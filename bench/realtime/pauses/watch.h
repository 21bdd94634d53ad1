/* watch.h: what a rank sees when it does nothing but look at the clock. */
#pragma once

#include <stdbool.h>

#include "common/clock.h"

/* The histogram: bins of a tenth of a decade from 100 ns to 1000 s; the last one has what is longer. */
enum { BINS_A_DECADE = 10, BINS = 100 };

struct pause {
    double at_s;     /* from the start of the watch to the pause's begin */
    double length_s; /* on a virtual clock what it took longer than the quantum of work */
};

struct watch {
    double seconds, threshold_s;
    long room;            /* of pauses */
    double quantum_s;     /* of work between two looks, on a virtual clock; found by watch_init() */
    double quantum_flops; /* that it takes */
    struct pause *pauses; /* the first `room` of them */
    long kept, count;     /* in pauses, and all */
    long bins[BINS];      /* of all pauses, by length */
    long long reads;      /* of the clock */
    double lost_s;        /* sum of all pauses */
    double longest_s;     /* gap, above the threshold or not */
    double least_s;       /* gap that was not zero */
    double took_s;        /* the whole watch */
};

/* Allocates the array of pauses and touches it, so that no page of it is missing when it is written. On a virtual clock also
 * finds how much work a quantum is. false: no memory. */
bool watch_init(struct watch *, const struct clock *);
void watch_fini(struct watch *);

/* Looks at the clock for `seconds`. Nothing else is done meanwhile: no call of the library, no allocation. */
void watch_run(struct watch *, const struct clock *);

int watch_bin(double length_s);
double watch_bin_from(int bin); /* the lower edge, in seconds */
