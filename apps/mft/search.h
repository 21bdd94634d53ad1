/* The search over track hypotheses.

   1. acquire: where could a source be at the middle of the first leg? A lattice of range, bearing and depth, one ring
      of ranges a step, or slices of it.
   2. fit: leg by leg, the straight track (position, velocity, depth) that matches all snapshots of the leg best, by
      differential evolution; a leg starts from the track found so far, part of its population from anywhere.
   3. join: the legs become one broken line; its corners move so that the match of the two legs at each is best.

   A step evaluates a fixed set of hypotheses, each wholly on one rank. Which ones depends on the step, the seed and
   the winners of earlier steps only: any number of ranks finds the same track, bit for bit. */
#ifndef MFT_SEARCH_H
#define MFT_SEARCH_H

#include "field.h"
#include "share.h"

enum { LATTICE_RING = 36 * 13 }; /* bearings times depths of one range */

struct search_plan {
    int steps;      /* Allgathers in all */
    int hypotheses; /* of one step of the fit and the join */
    int slice;      /* points of the lattice of one step of the acquisition: up to LATTICE_RING */
    int n_legs;     /* of equal length; 1 to MAX_LEGS */
    double start_s, leg_s;
    double speed_max; /* m/s */
    uint64_t seed;
};

struct search_result {
    struct source corner[MAX_LEGS + 1]; /* at start_s + i * leg_s; the source moves straight between */
    double match[MAX_LEGS];             /* mean Bartlett power over the leg */
};

/* Called on every rank after each step; `step` counts from 1 to plan->steps. May be NULL. */
typedef void search_progress(void *context, int step, int steps, const char *stage);

/* Collective over MPI_COMM_WORLD. */
void search_run(struct search_result *result, const struct search_plan *plan, const struct replica_set *replicas,
                const struct data *data, struct share *share, search_progress *progress, void *context);

/* Position of the found source at t. */
struct source search_at(const struct search_result *result, const struct search_plan *plan, double t);

#endif
