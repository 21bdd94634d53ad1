/* Second stage: the best straight track of one leg, by differential evolution (Storn and Price, J. Global
   Optimization 11, 1997, 341). A step offers many challengers to one member of the population, in turn; the best
   challenger of all ranks replaces the member when it matches better. Every other challenger is a small move of a
   member along and across the line of sight, at all scales, because range is known far better than bearing. */
#include "search_internal.h"

#include <math.h>

struct duel {
    int leg, member, best;
    double t0;
};

static float bounded(double value, double low, double high)
{
    return (float)(value < low ? low : value > high ? high : value);
}

static void store(struct best *mine, const struct search *search, const double *v)
{
    double speed = sqrt(v[P_VX] * v[P_VX] + v[P_VY] * v[P_VY]), slow = 1;

    if (speed > search->plan->speed_max)
        slow = search->plan->speed_max / speed;
    mine->p[P_X] = (float)v[P_X];
    mine->p[P_Y] = (float)v[P_Y];
    mine->p[P_VX] = (float)(slow * v[P_VX]);
    mine->p[P_VY] = (float)(slow * v[P_VY]);
    mine->p[P_Z] = bounded(v[P_Z], 1, search->replicas->z_max);
}

static int pick(struct draws *draws) { return (int)(POOL * draw_uniform(draws)); }

static void differ(const struct search *search, const struct duel *duel, struct draws *draws, double *v)
{
    const struct member *pool = search->pool;
    const struct member *a = &pool[pick(draws)], *b = &pool[pick(draws)], *own = &pool[duel->member];
    const struct member *base = draw_uniform(draws) < 0.3 ? &pool[duel->best] : &pool[pick(draws)];
    double factor = 0.3 + 0.6 * draw_uniform(draws);
    int crossed = draw_uniform(draws) < 0.5;

    for (int i = 0; i < P_COUNT; i++) {
        int keep = crossed && draw_uniform(draws) < 0.3;

        /* a member's own part keeps some of what it has learnt */
        v[i] = keep ? (double)own->p[i] : (double)base->p[i] + factor * ((double)a->p[i] - (double)b->p[i]);
    }
}

static void move(const struct search *search, const struct duel *duel, struct draws *draws, double *v)
{
    static const double reach[P_COUNT] = {200, 0.5, 1.5, 3, 20}; /* m, radian, m/s, m/s, m */
    const struct member *from = &search->pool[draw_uniform(draws) < 0.5 ? duel->best : duel->member];
    double range = sqrt((double)from->p[P_X] * (double)from->p[P_X] + (double)from->p[P_Y] * (double)from->p[P_Y]);
    double ux = (double)from->p[P_X] / (range + 1), uy = (double)from->p[P_Y] / (range + 1);
    double scale = 1, d[P_COUNT];

    for (int halvings = (int)(9 * draw_uniform(draws)); halvings > 0; halvings--)
        scale *= 0.5;
    for (int i = 0; i < P_COUNT; i++) {
        double step = reach[i] * scale * draw_bell(draws);

        d[i] = draw_uniform(draws) < 0.5 ? step : 0;
    }
    d[P_Y] *= range;
    v[P_X] = (double)from->p[P_X] + ux * d[P_X] - uy * d[P_Y];
    v[P_Y] = (double)from->p[P_Y] + uy * d[P_X] + ux * d[P_Y];
    v[P_VX] = (double)from->p[P_VX] + ux * d[P_VX] - uy * d[P_VY];
    v[P_VY] = (double)from->p[P_VY] + uy * d[P_VX] + ux * d[P_VY];
    v[P_Z] = (double)from->p[P_Z] + d[P_Z];
}

static void evaluate_challenger(const struct search *search, const void *state, struct best *mine)
{
    const struct duel *duel = state;
    const struct member *own = &search->pool[duel->member];
    struct draws draws = draws_for(search->plan->seed, mine->step, mine->index);
    double v[P_COUNT];

    if (mine->index == 0 && own->score < 0)
        for (int i = 0; i < P_COUNT; i++)
            v[i] = (double)own->p[i];
    else if (mine->index % 2)
        move(search, duel, &draws, v);
    else
        differ(search, duel, &draws, v);
    store(mine, search, v);
    mine->score = leg_match(search, duel->leg, mine->p, duel->t0);
}

static void any_velocity(const struct search *search, struct draws *draws, float *p)
{
    double vx, vy, top = search->plan->speed_max;

    do {
        vx = top * (2 * draw_uniform(draws) - 1);
        vy = top * (2 * draw_uniform(draws) - 1);
    } while (vx * vx + vy * vy > top * top);
    p[P_VX] = (float)vx;
    p[P_VY] = (float)vy;
}

static void anywhere(const struct search *search, struct draws *draws, float *p)
{
    double x, y, r2, r_max = search->replicas->r_max;

    do {
        x = r_max * (2 * draw_uniform(draws) - 1);
        y = r_max * (2 * draw_uniform(draws) - 1);
        r2 = x * x + y * y;
    } while (r2 > r_max * r_max || r2 < search->replicas->r_min * search->replicas->r_min);
    p[P_X] = (float)x;
    p[P_Y] = (float)y;
    p[P_Z] = (float)(search->replicas->z_max * draw_uniform(draws));
    any_velocity(search, draws, p);
}

/* Where the track of the leg before leads, give or take. */
static void ahead(const struct search *search, int leg, struct draws *draws, float *p)
{
    const float *before = search->leg[leg - 1].p;
    double dt = search->plan->leg_s, vx = (double)before[P_VX] + 0.5 * draw_bell(draws),
           vy = (double)before[P_VY] + 0.5 * draw_bell(draws);

    p[P_X] = (float)((double)before[P_X] + dt * vx + 50 * draw_bell(draws));
    p[P_Y] = (float)((double)before[P_Y] + dt * vy + 50 * draw_bell(draws));
    p[P_VX] = (float)vx;
    p[P_VY] = (float)vy;
    p[P_Z] = bounded((double)before[P_Z] + 5 * draw_bell(draws), 1, search->replicas->z_max);
}

static void populate(struct search *search, int leg)
{
    for (int i = 0; i < POOL; i++) {
        struct member *member = &search->pool[i];
        struct draws draws = draws_for(search->plan->seed, UINT32_MAX, (uint64_t)(leg * POOL + i));

        if (leg > 0 && i % 4)
            ahead(search, leg, &draws, member->p);
        else if (leg > 0 || member->score < 0)
            anywhere(search, &draws, member->p);
        else
            any_velocity(search, &draws, member->p);
        member->score = -1;
    }
}

void fit(struct search *search, int leg, int steps)
{
    struct duel duel = {leg, 0, 0, leg_middle(search->plan, leg)};

    populate(search, leg);
    for (int i = 0; i < steps; i++) {
        struct member *member = &search->pool[duel.member];
        struct best winner = search_step(search, (uint32_t)search->plan->hypotheses, evaluate_challenger, &duel);

        if (winner.score > member->score) {
            for (int k = 0; k < P_COUNT; k++)
                member->p[k] = winner.p[k];
            member->score = winner.score;
        }
        if (member->score > search->pool[duel.best].score)
            duel.best = duel.member;
        duel.member = (duel.member + 1) % POOL;
    }
    search->leg[leg] = search->pool[duel.best];
}
