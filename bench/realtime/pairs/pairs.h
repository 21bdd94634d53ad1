/* pairs.h: what the files of `realtime pairs` share. */
#pragma once

#include "common/clock.h"

#include <stdbool.h>

enum layout { ADJACENT, SYMMETRIC, ASYMMETRIC };

struct pairs {
    enum layout layout;
    int bytes, messages, distance; /* distance: of the one pair of ADJACENT */
    bool acks, text;
    int ranks, rank;
};

/* How many pairs there are. Pair p sends from rank p. */
int pairs_count(const struct pairs *);
int pairs_receiver(const struct pairs *, int pair);

/* What a rank has to say when all have ended; alike on all ranks of a pair where it concerns both. */
struct pair_result {
    double received; /* messages, when the first pair had sent all of its own */
    double seconds;  /* from the start until the last of those came */
    double sent;     /* messages, those under way at that moment included */
    double run_s;    /* from the start until the first pair had ended */
};

/* Collective over MPI_COMM_WORLD. `buffer` has room for a message, `arrivals` for one time a message (receivers use it). */
void pairs_run(const struct pairs *, struct clock *, char *buffer, double *arrivals, struct pair_result *);

/* On rank 0: results[p] of every pair. */
void pairs_print(const struct pairs *, const struct pair_result *results);
