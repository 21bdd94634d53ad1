/* What the three stages of the search have in common. */
#ifndef MFT_SEARCH_INTERNAL_H
#define MFT_SEARCH_INTERNAL_H

#include "random.h"
#include "search.h"

enum { POOL = 32 };

/* A straight track: position at its reference time, velocity (m/s east and north), depth. Floats, as they travel. */
enum { P_X, P_Y, P_VX, P_VY, P_Z, P_COUNT };

struct member {
    float p[P_COUNT];
    double score; /* below 0: not evaluated yet */
};

struct search {
    const struct search_plan *plan;
    const struct replica_set *replicas;
    const struct data *data;
    struct share *share;
    search_progress *progress;
    void *context;
    const char *stage;
    int step;                    /* steps done */
    struct member pool[POOL];    /* best first after acquire; in any order during a fit */
    struct member leg[MAX_LEGS]; /* reference time: the leg's middle */
};

/* Fills mine->p for hypothesis mine->index of the step and sets mine->score. */
typedef void evaluate(const struct search *search, const void *stage_state, struct best *mine);

/* One step: deals n hypotheses over the ranks, evaluates, shares. Returns the winner. */
struct best search_step(struct search *search, uint32_t n, evaluate *evaluate_one, const void *stage_state);

double leg_middle(const struct search_plan *plan, int leg);

/* Snapshots of a leg, both ends included: [*first, *last). */
void leg_snapshots(const struct search *search, int leg, int *first, int *last);

/* Mean match over a leg's snapshots of a straight track with reference time t0. */
double leg_match(const struct search *search, int leg, const float *p, double t0);

void acquire(struct search *search, int steps);      /* fills pool */
void fit(struct search *search, int leg, int steps); /* fills leg[leg] */
void join(struct search *search, int steps, struct search_result *result);

#endif
