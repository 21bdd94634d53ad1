/* The search over track hypotheses: its steps, and how they are shared out among the stages. */
#include "search.h"

#include <math.h>

#include "search_internal.h"

struct best search_step(struct search *search, uint32_t n, evaluate *evaluate_one, const void *stage_state)
{
    struct share *share = search->share;
    struct best mine = {-INFINITY, (uint32_t)search->step, UINT32_MAX, {0}}; /* of a rank without a hypothesis */
    struct best winner;

    for (uint32_t index = (uint32_t)share->rank; index < n; index += (uint32_t)share->size) {
        struct best next = {0, (uint32_t)search->step, index, {0}};

        evaluate_one(search, stage_state, &next);
        if (best_before(&next, &mine))
            mine = next;
    }
    winner = share_best(share, &mine);
    search->step++;
    if (search->progress)
        search->progress(search->context, search->step, search->plan->steps, search->stage);
    return winner;
}

double leg_middle(const struct search_plan *plan, int leg) { return plan->start_s + (leg + 0.5) * plan->leg_s; }

void leg_snapshots(const struct search *search, int leg, int *first, int *last)
{
    const struct data *data = search->data;
    double from = search->plan->start_s + leg * search->plan->leg_s, to = from + search->plan->leg_s;
    int i = 0;

    while (i < data->n_snapshots && data->t[i] < from - 1e-6)
        i++;
    *first = i;
    while (i < data->n_snapshots && data->t[i] <= to + 1e-6)
        i++;
    *last = i;
}

double leg_match(const struct search *search, int leg, const float *p, double t0)
{
    const struct data *data = search->data;
    double sum = 0;
    int first, last;

    leg_snapshots(search, leg, &first, &last);
    for (int i = first; i < last; i++) {
        double dt = data->t[i] - t0;
        struct source at = {(double)p[P_X] + dt * (double)p[P_VX], (double)p[P_Y] + dt * (double)p[P_VY],
                            (double)p[P_Z]};

        sum += field_match(search->replicas, data, i, at, 0, data->n_tones);
    }
    return sum / (last - first);
}

/* A tenth of the steps acquires, a fifth joins, the rest fits; the first leg, which knows least, gets three shares. */
void search_run(struct search_result *result, const struct search_plan *plan, const struct replica_set *replicas,
                const struct data *data, struct share *share, search_progress *progress, void *context)
{
    struct search search = {
        .plan = plan, .replicas = replicas, .data = data, .share = share, .progress = progress, .context = context};
    int n_acquire = plan->steps / 10;
    int n_fit = (plan->steps - n_acquire - plan->steps / 5) / (plan->n_legs + 2);

    search.stage = "acquire";
    acquire(&search, n_acquire);
    search.stage = "fit legs";
    for (int leg = 0; leg < plan->n_legs; leg++)
        fit(&search, leg, leg ? n_fit : 3 * n_fit);
    search.stage = "join legs";
    join(&search, plan->steps - search.step, result);
}

struct source search_at(const struct search_result *result, const struct search_plan *plan, double t)
{
    double u = (t - plan->start_s) / plan->leg_s;
    int leg = (int)u;
    struct source a, b;

    leg = leg < 0 ? 0 : leg > plan->n_legs - 1 ? plan->n_legs - 1 : leg;
    a = result->corner[leg];
    b = result->corner[leg + 1];
    u -= leg;
    return (struct source){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};
}
