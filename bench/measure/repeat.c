/* repeat.c: how often a measurement is repeated.
 *
 * First it warms up, and learns how many operations make a sample that is long beside the clock. Then samples are taken until the interval
 * of their median is narrow enough, at most until the budget ends. On a virtual clock two equal samples are all that can be learnt.
 * All ranks see the same samples and the same time, so they decide alike.
 */
#include <math.h>
#include <mpi.h>
#include <string.h>

#include "measure.h"

enum { LEAST = 6, BATCH_MOST = 1000, WARM_UPS = 3 }; /* six samples: the fewest that bound a median with 95 % */

static const double sample_s = 50e-6, equal_s = 2e-9, late_s = 1e-6, late_share = 0.02;

struct sample {
    double seconds, passed; /* the latter since the measurement began */
    bool late;
};

/* All ranks get the same. Where one was late for the start, the next one is agreed on longer ahead: ranks that sleep while they wait
 * need that to wake up. */
static struct sample take(struct place *p, const struct job *job, double since)
{
    double mine[3] = {job->pattern->take(p, job)}, most[3];
    mine[1] = MPI_Wtime() - since;
    mine[2] = job->pattern->kind & LOCAL ? 0 : place_late();
    MPI_Allreduce(mine, most, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double allowed_s = fmax(late_s, late_share * most[0] * job->batch);
    struct sample s = {most[0], most[1], most[2] > allowed_s};
    if (s.late)
        place_lengthen(p);
    return s;
}

static void warm_up(struct place *p, struct job *job)
{
    job->batch = 1;
    job->quiet_s = 0;
    place_shorten(p);
    if (job->pattern->kind & OF_PAIR) {
        struct job first = *job;
        first.pattern = &(const struct pattern){"", OF_PAIR, measure_pingpong};
        job->quiet_s = 10 * take(p, &first, 0).seconds + 10e-6;
    }
    double once = take(p, job, 0).seconds;
    if (p->virtual_clock || job->pattern->kind & ALONE)
        return;
    for (int i = 0; i < WARM_UPS; i++)
        once = fmin(once, take(p, job, 0).seconds);
    job->batch = once * BATCH_MOST > sample_s ? (int)(sample_s / once) : BATCH_MOST;
    job->batch = job->batch < 1 ? 1 : job->batch;
    take(p, job, 0);
}

static bool narrow(const struct wishes *w, const double *samples, int n, double *sorted)
{
    memcpy(sorted, samples, (size_t)n * sizeof *samples);
    struct summary s = summarize(sorted, n, w->confidence);
    return s.confidence >= w->confidence && s.high - s.low <= w->width * s.median;
}

/* Two equal ones where every run gives the same, or a narrow interval; *look is where that is looked at next, which takes time as well. */
static bool enough(const struct place *p, const struct wishes *w, double *samples, int n, int *look)
{
    if (p->virtual_clock && n == 2 && fabs(samples[0] - samples[1]) <= equal_s)
        return true;
    if (n != *look)
        return false;
    *look += *look / 4;
    return narrow(w, samples, n, samples + w->reps);
}

int repeat(struct place *p, const struct wishes *w, struct job *job, double *samples, int *late)
{
    int n = 0, look = LEAST;
    bool over = false;
    *late = 0;
    warm_up(p, job);
    double since = MPI_Wtime();
    while (n < w->reps && !(over && n >= LEAST) && !enough(p, w, samples, n, &look)) {
        struct sample s = take(p, job, since);
        over = s.passed > w->budget_s;
        if (s.late && !over)
            ++*late;
        else
            samples[n++] = s.seconds;
    }
    return n;
}
