/* contest_fft.c: the programs for batches of transforms and for the corner turn. Everybody may work in place and out of place, and FFTW
 * also in calls that fit the first cache or the second. */
#include "contest.h"

#include <stdlib.h>

#include "fft.h"
#include "fftw.h"
#include "turn.h"

struct plain_fft {
    int points;
    float *twiddles;
};

static void plain_free(void *what)
{
    struct plain_fft *p = what;
    free(p->twiddles);
    free(p);
}

static void run_ours(const struct runner *r, const float *in, float *out) { fft_batch(r->plan, in, out, r->items); }

static void run_plain(const struct runner *r, const float *in, float *out)
{
    const struct plain_fft *p = r->plan;
    fft_plain(p->twiddles, p->points, FFT_FORWARD, in, out, r->items);
}

static void run_fftw(const struct runner *r, const float *in, float *out)
{
    for (size_t i = 0; i < r->calls; i++)
        fftw_run(r->plan, in + i * r->in_step, out + i * r->out_step);
}

static void release_ours(void *what) { fft_plan_free(what); }

static bool add_fftw(struct contest *c, int points, bool in_place, size_t cut, const char *how)
{
    struct runner *r = contest_add(c, TEAM_FFTW, how, run_fftw, NULL);
    r->in_place = in_place;
    contest_cut(c, r, cut);
    if (cut > 0 && r->calls == 1) { /* as without the cut */
        c->race.n--;
        return true;
    }
    r->plan = fftw_plan_batch(points, r->items, c->race.in, in_place ? c->race.in : c->race.out);
    return contest_hold(c, r->plan, fftw_plan_free);
}

enum { FIRST_CACHE = 16 << 10, SECOND_CACHE = 256 << 10, NO_CUT = 0 };

static bool add_all_fftw(struct contest *c, int points)
{
    bool in_place = !c->set->repeated;
    bool good = add_fftw(c, points, false, NO_CUT, "out of place") &&
                add_fftw(c, points, false, FIRST_CACHE, "out of place, 16 KiB a call");
    return good && (!in_place || (add_fftw(c, points, true, NO_CUT, "in place") &&
                                  add_fftw(c, points, true, FIRST_CACHE, "in place, 16 KiB a call") &&
                                  add_fftw(c, points, true, SECOND_CACHE, "in place, 256 KiB a call")));
}

bool contest_fft(struct contest *c, int points)
{
    bool in_place = !c->set->repeated;
    c->kernel = "fft";
    c->n = points;
    c->flops = fft_flops(points);
    c->bytes = 16.0 * points;
    struct fft_plan *ours = fft_plan_alloc(points, FFT_FORWARD, c->simd);
    struct plain_fft *plain = calloc(1, sizeof *plain);
    /* What was got is held, also where the rest was not. */
    bool room = contest_room(c, 2 * (size_t)points, 2 * (size_t)points);
    bool has_ours = contest_hold(c, ours, release_ours), has_plain = contest_hold(c, plain, plain_free);
    if (!room || !has_ours || !has_plain)
        return false;
    *plain = (struct plain_fft){points, fft_plain_twiddles(points)};
    if (plain->twiddles == NULL)
        return false;
    contest_add(c, TEAM_OURS, "out of place", run_ours, ours);
    if (in_place)
        contest_add(c, TEAM_OURS, "in place", run_ours, ours)->in_place = true;
    c->reference = c->race.n;
    contest_add(c, TEAM_PLAIN, "out of place", run_plain, plain);
    if (in_place)
        contest_add(c, TEAM_PLAIN, "in place", run_plain, plain)->in_place = true;
    contest_bounds(c, in_place);
    return !c->fftw || add_all_fftw(c, points);
}

struct turned {
    enum simd simd;
    size_t rows, columns;
};

static void run_turn(const struct runner *r, const float *in, float *out)
{
    const struct turned *t = r->plan;
    for (size_t i = 0; i < r->items; i++)
        turn(t->simd, in + 2 * i * t->rows * t->columns, t->columns, out + 2 * i * t->rows * t->columns, t->rows,
             t->rows, t->columns);
}

static void run_turn_plain(const struct runner *r, const float *in, float *out)
{
    const struct turned *t = r->plan;
    for (size_t i = 0; i < r->items; i++)
        turn_plain(in + 2 * i * t->rows * t->columns, t->columns, out + 2 * i * t->rows * t->columns, t->rows, t->rows,
                   t->columns);
}

bool contest_turn(struct contest *c, int rows, int columns)
{
    c->kernel = "turn";
    c->n = rows;
    c->f = columns;
    c->bytes = 16.0 * rows * columns;
    size_t floats = 2 * (size_t)rows * (size_t)columns;
    struct turned *t = malloc(sizeof *t);
    bool room = contest_room(c, floats, floats), held = contest_hold(c, t, free);
    if (!room || !held)
        return false;
    *t = (struct turned){c->simd, (size_t)rows, (size_t)columns};
    contest_add(c, TEAM_OURS, "out of place", run_turn, t);
    c->reference = c->race.n;
    contest_add(c, TEAM_PLAIN, "out of place", run_turn_plain, t);
    contest_bounds(c, false);
    if (!c->fftw)
        return true;
    struct runner *r = contest_add(c, TEAM_FFTW, "out of place", run_fftw, NULL);
    r->calls = c->race.items;
    r->items = 1;
    r->in_step = r->out_step = floats;
    r->plan = fftw_plan_turn((size_t)rows, (size_t)columns, c->race.in, c->race.out);
    return contest_hold(c, r->plan, fftw_plan_free);
}
