/* First stage: a lattice over range, bearing and depth for one snapshot, the middle of the first leg. The low tones
   only: their peaks are wide enough for the lattice (half a wavelength of the interference of modes, some 100 m in
   range, 10 m in depth). */
#include "search_internal.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { BEARINGS = 36, DEPTHS = 13, DEPTH_SHIFTS = 4, LOW_TONES = 8 };

struct ring {
    int number, count;
    int snapshot;
};

static void evaluate_point(const struct search *search, const void *state, struct best *mine)
{
    const struct ring *ring = state;
    const struct replica_set *set = search->replicas;
    double range = set->r_min + (ring->number + 0.5) / ring->count * (set->r_max - set->r_min);
    double bearing = 2 * PI / BEARINGS * (int)(mine->index % BEARINGS);
    /* the depths of successive rings interleave */
    double depth =
        ((int)(mine->index / BEARINGS) + (ring->number % DEPTH_SHIFTS + 0.5) / DEPTH_SHIFTS) / DEPTHS * set->z_max;
    int tones = search->data->n_tones < LOW_TONES ? search->data->n_tones : LOW_TONES;
    struct source at;

    mine->p[P_X] = (float)(range * sin(bearing));
    mine->p[P_Y] = (float)(range * cos(bearing));
    mine->p[P_Z] = (float)depth;
    at = (struct source){(double)mine->p[P_X], (double)mine->p[P_Y], (double)mine->p[P_Z]};
    mine->score = field_match(set, search->data, ring->snapshot, at, 0, tones);
}

/* Keeps the best rings, sorted. */
static void keep(struct member *pool, const struct best *winner)
{
    int at = POOL;

    while (at > 0 && winner->score > pool[at - 1].score)
        at--;
    if (at == POOL)
        return;
    for (int i = POOL - 1; i > at; i--)
        pool[i] = pool[i - 1];
    for (int i = 0; i < P_COUNT; i++)
        pool[at].p[i] = winner->p[i];
    pool[at].score = winner->score;
}

void acquire(struct search *search, int steps)
{
    int first, last;

    leg_snapshots(search, 0, &first, &last);
    for (int i = 0; i < POOL; i++)
        search->pool[i].score = -1;
    for (int number = 0; number < steps; number++) {
        struct ring ring = {number, steps, (first + last) / 2};
        struct best winner = search_step(search, BEARINGS * DEPTHS, evaluate_point, &ring);

        keep(search->pool, &winner);
    }
}
