/* First stage: a lattice over range, bearing and depth for one snapshot, the middle of the first leg. The low tones
   only: their peaks are wide enough for the lattice (half a wavelength of the interference of modes, some 100 m in
   range, 10 m in depth). */
#include "search_internal.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { BEARINGS = 36, DEPTHS = 13, DEPTH_SHIFTS = 4, LOW_TONES = 8 };
_Static_assert(BEARINGS *DEPTHS == LATTICE_RING, "a ring has every bearing at every depth");

struct ring {
    int number, count;
    int first; /* its point that is hypothesis 0 of the step */
    int snapshot;
};

static void evaluate_point(const struct search *search, const void *state, struct best *mine)
{
    const struct ring *ring = state;
    const struct replica_set *set = search->replicas;
    double range = set->r_min + (ring->number + 0.5) / ring->count * (set->r_max - set->r_min);
    int point = ring->first + (int)mine->index;
    double bearing = 2 * PI / BEARINGS * (point % BEARINGS);
    /* the depths of successive rings interleave */
    double depth = (point / BEARINGS + (ring->number % DEPTH_SHIFTS + 0.5) / DEPTH_SHIFTS) / DEPTHS * set->z_max;
    int tones = search->data->n_tones < LOW_TONES ? search->data->n_tones : LOW_TONES;
    struct source at;

    mine->p[P_X] = (float)(range * sin(bearing));
    mine->p[P_Y] = (float)(range * cos(bearing));
    mine->p[P_Z] = (float)depth;
    at = (struct source){(double)mine->p[P_X], (double)mine->p[P_Y], (double)mine->p[P_Z]};
    mine->score = field_match(set, search->data, ring->snapshot, at, 0, tones);
}

/* Keeps the best of the steps, sorted. */
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
    int first, last, slice = search->plan->slice, slices = (LATTICE_RING + slice - 1) / slice;
    int rings = (steps + slices - 1) / slices; /* the last may be left off before its end */

    leg_snapshots(search, 0, &first, &last);
    for (int i = 0; i < POOL; i++)
        search->pool[i].score = -1;
    for (int step = 0; step < steps; step++) {
        struct ring ring = {step / slices, rings, step % slices * slice, (first + last) / 2};
        int left = LATTICE_RING - ring.first;
        struct best winner = search_step(search, (uint32_t)(left < slice ? left : slice), evaluate_point, &ring);

        keep(search->pool, &winner);
    }
}
