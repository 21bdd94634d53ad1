/* Third stage: the legs become one broken line, whose corners move one after the other to where the match of the two
   legs at the corner is best. A ship does not jump between legs, and a towing ship hardly turns: what one leg leaves
   open, mostly bearing, its neighbours decide. The lean of the array makes a small error of range look like one of
   bearing, so a leg that the ship does not steer quite straight would be turned by degrees; a cost on the change of
   velocity from leg to leg holds it. In all, the stage climbs sum over legs of the mean match - turn_cost * sum over
   inner corners of |dv|^2. */
#include "search_internal.h"

#include <math.h>

/* A hundredth of a full match for half a metre a second. */
static const double turn_cost = 0.01 / (0.5 * 0.5); /* s2/m2 */

struct corner {
    int number;
    const struct source *corners;
};

static struct source leg_end(const struct search *search, int leg, double dt)
{
    const float *p = search->leg[leg].p;

    return (struct source){(double)p[P_X] + dt * (double)p[P_VX], (double)p[P_Y] + dt * (double)p[P_VY],
                           (double)p[P_Z]};
}

/* A corner starts between the ends of its two legs. */
static void first_corners(const struct search *search, struct source *corners)
{
    int n = search->plan->n_legs;
    double half = search->plan->leg_s / 2;

    for (int i = 0; i <= n; i++) {
        struct source before = leg_end(search, i > 0 ? i - 1 : 0, i > 0 ? half : -half);
        struct source after = leg_end(search, i < n ? i : n - 1, i < n ? -half : half);

        corners[i].x = (double)(float)(0.5 * (before.x + after.x));
        corners[i].y = (double)(float)(0.5 * (before.y + after.y));
        corners[i].z = (double)(float)(0.5 * (before.z + after.z));
    }
}

/* Mean match over the snapshots of the leg from `a` to `b`. */
static double match_between(const struct search *search, int leg, struct source a, struct source b)
{
    const struct data *data = search->data;
    double start = search->plan->start_s + leg * search->plan->leg_s, sum = 0;
    int first, last;

    leg_snapshots(search, leg, &first, &last);
    for (int i = first; i < last; i++) {
        double u = (data->t[i] - start) / search->plan->leg_s;
        struct source at = {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};

        sum += field_match(search->replicas, data, i, at, 0, data->n_tones);
    }
    return sum / (last - first);
}

/* |dv|^2 at the inner corners that moving corner `moved` to `to` changes: itself and its neighbours. */
static double turning(const struct search *search, const struct source *corners, int moved, struct source to)
{
    double sum = 0, t = search->plan->leg_s;

    for (int i = moved - 1; i <= moved + 1; i++) {
        struct source a, b, c;
        double vx, vy;

        if (i < 1 || i >= search->plan->n_legs)
            continue;
        a = i - 1 == moved ? to : corners[i - 1];
        b = i == moved ? to : corners[i];
        c = i + 1 == moved ? to : corners[i + 1];
        vx = (a.x - 2 * b.x + c.x) / t;
        vy = (a.y - 2 * b.y + c.y) / t;
        sum += vx * vx + vy * vy;
    }
    return sum;
}

/* A small move along and across the line of sight, at all scales; hypothesis 0 leaves the corner where it is. */
static void move_corner(const struct search *search, struct source from, struct best *mine)
{
    struct draws draws = draws_for(search->plan->seed, mine->step, mine->index);
    double range = sqrt(from.x * from.x + from.y * from.y) + 1, ux = from.x / range, uy = from.y / range, scale = 1;
    double along = 0, across = 0, down = 0;

    for (int halvings = (int)(8 * draw_uniform(&draws)); halvings > 0; halvings--)
        scale *= 0.5;
    if (mine->index && draw_uniform(&draws) < 0.6)
        along = 60 * scale * draw_bell(&draws);
    if (mine->index && draw_uniform(&draws) < 0.6)
        across = 0.1 * range * scale * draw_bell(&draws);
    if (mine->index && draw_uniform(&draws) < 0.4)
        down = 10 * scale * draw_bell(&draws);
    mine->p[P_X] = (float)(from.x + along * ux - across * uy);
    mine->p[P_Y] = (float)(from.y + along * uy + across * ux);
    mine->p[P_Z] = (float)(from.z + down);
}

static struct source place(const struct best *best)
{
    return (struct source){(double)best->p[P_X], (double)best->p[P_Y], (double)best->p[P_Z]};
}

static void evaluate_corner(const struct search *search, const void *state, struct best *mine)
{
    const struct corner *corner = state;
    const struct source *corners = corner->corners;
    int i = corner->number;
    struct source at;

    move_corner(search, corners[i], mine);
    at = place(mine);
    mine->score = -turn_cost * turning(search, corners, i, at);
    if (i > 0)
        mine->score += match_between(search, i - 1, corners[i - 1], at);
    if (i < search->plan->n_legs)
        mine->score += match_between(search, i, at, corners[i + 1]);
}

void join(struct search *search, int steps, struct search_result *result)
{
    struct corner corner = {0, result->corner};
    int n = search->plan->n_legs;

    first_corners(search, result->corner);
    for (int i = 0; i < steps; i++) {
        struct best winner = search_step(search, (uint32_t)search->plan->hypotheses, evaluate_corner, &corner);

        result->corner[corner.number] = place(&winner);
        corner.number = (corner.number + 1) % (n + 1);
    }
    for (int leg = 0; leg < n; leg++)
        result->match[leg] = match_between(search, leg, result->corner[leg], result->corner[leg + 1]);
}
