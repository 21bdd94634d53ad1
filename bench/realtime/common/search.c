/* search.c: the shortest period that is always kept.
 *
 * Invariant: `kept` was kept in the last trial of it, `missed` was missed or lies below the least wanted; missed < kept.
 */
#define _POSIX_C_SOURCE 200809L

#include "common/search.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "common/report.h"

/* Trials before the proof last this share of its duration. One scouting period at the longest gives a first guess. */
static const double trial_share = 0.05, guess_margin = 1.1, step_down = 0.7, leap_down = 0.5;
enum { SCOUTS = 3 };

struct hunt {
    const struct search *s;
    MPI_Comm comm;
    struct trial (*run)(void *with, double period_s, int periods);
    void *with;
    int trials, proofs;
    bool shows; /* progress, on rank 0 */
};

static void show(const struct hunt *h, const char *what, double period_s)
{
    if (h->shows)
        fprintf(stderr, "\r\033[K  trial %d: %s a period of %.6g ms", h->trials, what, period_s * 1e3);
}

static void hide(const struct hunt *h)
{
    if (h->shows)
        fprintf(stderr, "\r\033[K");
}

static struct trial try(struct hunt *h, const char *what, double period_s, int periods)
{
    h->trials++;
    show(h, what, period_s);
    struct trial t = h->run(h->with, period_s, periods);
    MPI_Bcast(&t, (int)sizeof t, MPI_BYTE, 0, h->comm); /* one decision, also where ranks round differently */
    return t;
}

static int periods_of(const struct search *s, double duration_s, double period_s)
{
    double wanted = fmax(ceil(duration_s / period_s - 1e-9), s->periods_least);
    return wanted < 1 ? 1 : wanted < INT_MAX ? (int)wanted : INT_MAX;
}

static bool keeps(struct hunt *h, double period_s)
{
    int periods = periods_of(h->s, trial_share * h->s->duration_s, period_s);
    return try(h, "trying", period_s, periods).missed == 0;
}

static bool proves(struct hunt *h, double period_s, struct found *f)
{
    h->proofs++;
    f->proof = try(h, "proving", period_s, periods_of(h->s, h->s->duration_s, period_s));
    f->period_s = period_s;
    f->proofs = h->proofs;
    return f->proof.missed == 0;
}

/* Two periods around the answer, from a guess. */
static void bracket(struct hunt *h, double guess_s, double *missed, double *kept)
{
    *kept = h->s->most_s; /* the scouts kept it */
    *missed = h->s->least_s;
    double p = fmin(fmax(guess_s, h->s->least_s), h->s->most_s);
    while (p * leap_down >= h->s->least_s && try(h, "trying", p * leap_down, SCOUTS).missed == 0)
        p *= leap_down; /* cheaply, where the guess is far off: work that waits for a share of the period */
    while (p < *kept && !keeps(h, p)) {
        *missed = p;
        p /= step_down;
    }
    *kept = fmin(p, *kept);
    while (*missed < *kept * step_down && keeps(h, *kept * step_down))
        *kept *= step_down;
    *missed = fmax(*missed, *kept * step_down);
}

/* sqrt: the width is relative. */
static double halve(struct hunt *h, double missed, double kept)
{
    while (kept > missed * (1 + h->s->width)) {
        double middle = sqrt(missed * kept);
        if (keeps(h, middle))
            kept = middle;
        else
            missed = middle;
    }
    return kept;
}

/* Up from a period by growing steps until one is proved, then down again to the width. */
static bool prove(struct hunt *h, double period_s, struct found *f)
{
    double missed = 0, p = fmin(period_s, h->s->most_s);
    for (double step = h->s->width; !proves(h, p, f); step *= 2) {
        if (p >= h->s->most_s)
            return false;
        missed = p;
        p = fmin(p * (1 + step), h->s->most_s);
    }
    while (missed > 0 && p > missed * (1 + h->s->width) * (1 + 1e-9)) {
        struct found lower = {0};
        double middle = sqrt(missed * p);
        if (proves(h, middle, &lower)) {
            p = middle;
            *f = lower;
        } else {
            missed = middle;
        }
    }
    return true;
}

static struct hunt hunt_of(const struct search *s, MPI_Comm comm, struct trial (*run)(void *, double, int), void *with)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return (struct hunt){s, comm, run, with, .shows = rank == 0 && isatty(STDERR_FILENO)};
}

static bool finish(const struct hunt *h, double doubt, struct found *f)
{
    hide(h);
    f->trials = h->trials;
    f->miss_bound = f->any ? search_miss_bound(1 - doubt, f->proof.periods) : 1;
    return f->any;
}

bool search_period(const struct search *s, MPI_Comm comm, struct trial (*run)(void *, double, int), void *with,
                   struct found *f)
{
    struct search one = *s; /* decision on all ranks */
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, comm);
    struct hunt h = hunt_of(&one, comm, run, with);
    *f = (struct found){.period_s = one.most_s};
    f->proof = try(&h, "trying", one.most_s, 1);
    if (f->proof.missed == 0) {
        double missed, kept;
        bracket(&h, guess_margin * f->proof.worst_s, &missed, &kept);
        f->any = prove(&h, halve(&h, missed, kept), f);
    }
    return finish(&h, (1 - one.confidence) / (f->proofs * (f->proofs + 1.0)), f);
}

bool search_one(const struct search *s, MPI_Comm comm, struct trial (*run)(void *, double, int), void *with,
                double period_s, struct found *f)
{
    struct hunt h = hunt_of(s, comm, run, with);
    *f = (struct found){.period_s = period_s};
    f->any = proves(&h, period_s, f);
    return finish(&h, 1 - s->confidence, f);
}

double search_miss_bound(double confidence, int periods) { return -expm1(log1p(-confidence) / periods); }

double search_rate(const struct found *f, double a_period) { return f->any ? a_period / f->period_s : NAN; }

void search_report(const struct search *s, const struct found *f, bool sought)
{
    report_flag("sought", sought);
    report_flag("kept", f->any);
    report_number("period_s", f->period_s);
    report_whole("periods", f->proof.periods);
    report_whole("missed", f->proof.missed);
    report_number("confidence", s->confidence);
    report_number("miss_bound", f->miss_bound);
    report_number("width", s->width);
    report_whole("trials", f->trials);
    report_whole("proofs", f->proofs);
    report_number("worst_s", f->proof.worst_s);
    report_number("mean_s", f->proof.mean_s);
}

const char *search_wrong(const struct search *s, double tick_s)
{
    if (!(s->least_s > 0 && s->least_s <= s->most_s))
        return "the least period must be above zero and not above the longest; mend the limits of the period";
    if (s->least_s < 2 * tick_s)
        return "the least period is shorter than the clock resolves; ask for one of at least two of its ticks";
    if (!(s->width > 0 && s->width <= 1))
        return "the width of a search is relative; ask for more than 0 and at most 1, as in 0.01";
    if (!(s->confidence > 0 && s->confidence < 1))
        return "a confidence lies between 0 and 1, as in 0.95";
    if (!(s->duration_s >= 0) || s->periods_least < 1)
        return "a run needs a duration and at least one period";
    return NULL;
}
