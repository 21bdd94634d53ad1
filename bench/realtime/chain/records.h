/* records.h: the results as JSON lines. All are collective where they say so, else of rank 0. */
#pragma once

#include "chain/bench.h"

struct paper {
    const char *file;
    bool sought; /* the period, not given */
    const struct search *search;
};

/* Record "chain", then a "stage" of every rank, then a "timeline" of each where asked for. Collective. */
void records_write(const struct bench *, const struct paper *, const struct found *);

/* Record "hidden": minimum periods with and without data flow, of the communication alone, and the share of it that is hidden. */
void records_hidden(const struct paper *, const struct chain *, struct mode, double with_s, double without_s,
                    double communication_s);
