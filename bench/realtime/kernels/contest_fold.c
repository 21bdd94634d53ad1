/* contest_fold.c: the programs for foldfft: ours, plain C, and FFTW's transforms between loops that the compiler vectorises for the processor
 * that runs, by chunks that fit the first cache or the second: what somebody writes who has a good library. */
#include "contest.h"

#include <stdlib.h>
#include <string.h>

#include "fft.h"
#include "fftw.h"
#include "foldfft.h"

struct weights {
    int n, f;
    float *r, *p, *twice, *twiddles, *work; /* twice: each of r two times; work: for both of the others */
};

static void weights_free(void *what)
{
    struct weights *w = what;
    free(w->r);
    free(w->twiddles);
    free(w->work);
    free(w);
}

/* A window and a chirp; any numbers would do. */
static struct weights *weights_alloc(int n, int f, size_t items)
{
    struct weights *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    *w = (struct weights){.n = n, .f = f, .r = calloc((size_t)(3 * n + 2 * f), sizeof(float))};
    w->twiddles = fft_plain_twiddles(f);
    w->work = aligned_alloc(64, sizeof(float) * ((2 * (size_t)(n + f) * (items + 1) + 15) / 16 * 16));
    if (w->r == NULL || w->twiddles == NULL || w->work == NULL) {
        weights_free(w);
        return NULL;
    }
    w->p = w->r + n;
    w->twice = w->p + 2 * f;
    for (int i = 0; i < n; i++) {
        float from_middle = (float)(i - n / 2) / (float)n;
        w->r[i] = w->twice[2 * i] = w->twice[2 * i + 1] = 1.0F - from_middle * from_middle;
    }
    for (int i = 0; i < 2 * f; i++)
        w->p[i] = (float)((i % 17) * (i % 17) % 17) / 17.0F - 0.4F;
    return w;
}

static void run_ours(const struct runner *r, const float *in, float *out) { foldfft(r->plan, in, out, r->items); }

static void run_plain(const struct runner *r, const float *in, float *out)
{
    const struct weights *w = r->plan;
    foldfft_plain(w->twiddles, w->n, w->f, w->r, w->p, w->work, in, out, r->items);
}

static inline __attribute__((always_inline)) void before(const struct weights *w, const float *restrict in,
                                                         float *restrict out, size_t items)
{
    const float *restrict r = w->twice;
    for (size_t b = 0; b < items; b++, in += 2 * (size_t)w->n, out += 2 * (size_t)w->f) {
        for (int i = 0; i < 2 * w->f; i++)
            out[i] = r[i] * in[i];
        for (int s = 2 * w->f; s < 2 * w->n; s += 2 * w->f)
            for (int i = 0; i < 2 * w->f; i++)
                out[i] += r[s + i] * in[s + i];
    }
}

static inline __attribute__((always_inline)) void after(const struct weights *w, const float *restrict in,
                                                        float *restrict out, size_t items)
{
    const float *restrict p = w->p;
    for (size_t b = 0; b < items; b++, in += 2 * (size_t)w->f, out += 2 * (size_t)w->f)
        for (int k = 0; k < w->f; k++) {
            out[2 * k] = p[2 * k] * in[2 * k] - p[2 * k + 1] * in[2 * k + 1];
            out[2 * k + 1] = p[2 * k] * in[2 * k + 1] + p[2 * k + 1] * in[2 * k];
        }
}

#if defined(__GNUC__) && !defined(__clang__)
#define VECTORISED __attribute__((optimize("O3", "fp-contract=fast")))
#else
#define VECTORISED
#endif

VECTORISED static void before_base(const struct weights *w, const float *in, float *out, size_t items)
{
    before(w, in, out, items);
}
VECTORISED static void after_base(const struct weights *w, const float *in, float *out, size_t items)
{
    after(w, in, out, items);
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
VECTORISED AVX2 static void before_avx2(const struct weights *w, const float *in, float *out, size_t items)
{
    before(w, in, out, items);
}
VECTORISED AVX2 static void after_avx2(const struct weights *w, const float *in, float *out, size_t items)
{
    after(w, in, out, items);
}
#else
#define before_avx2 before_base
#define after_avx2 after_base
#endif

struct assembled {
    const struct weights *weights;
    void *plan;
    bool wide;
};

static void run_fftw(const struct runner *r, const float *in, float *out)
{
    const struct assembled *a = r->plan;
    const struct weights *w = a->weights;
    for (size_t i = 0; i < r->calls; i++) {
        (a->wide ? before_avx2 : before_base)(w, in + i * r->in_step, w->work, r->items);
        fftw_run(a->plan, w->work, w->work);
        (a->wide ? after_avx2 : after_base)(w, w->work, out + i * r->out_step, r->items);
    }
}

static void assembled_free(void *what)
{
    struct assembled *a = what;
    fftw_plan_free(a->plan);
    free(a);
}

static bool add_fftw(struct contest *c, const struct weights *w, size_t cut, const char *how)
{
    struct assembled *a = malloc(sizeof *a);
    if (a == NULL)
        return false;
    struct runner *r = contest_add(c, TEAM_FFTW, how, run_fftw, a);
    contest_cut(c, r, cut);
    *a = (struct assembled){w, fftw_plan_batch(w->f, r->items, w->work, w->work), simd_has(SIMD_AVX2)};
    return contest_hold(c, a, assembled_free) && a->plan != NULL;
}

static void release_ours(void *what) { foldfft_plan_free(what); }

bool contest_fold(struct contest *c, int n, int f)
{
    c->kernel = "foldfft";
    c->n = n;
    c->f = f;
    c->flops = foldfft_flops(n, f);
    c->bytes = 8.0 * (n + f);
    if (!contest_room(c, 2 * (size_t)n, 2 * (size_t)f))
        return false;
    struct weights *w = weights_alloc(n, f, c->race.items);
    if (!contest_hold(c, w, weights_free))
        return false;
    struct foldfft_plan *ours = foldfft_plan_alloc(n, f, w->r, w->p, c->simd);
    if (!contest_hold(c, ours, release_ours))
        return false;
    contest_add(c, TEAM_OURS, "out of place", run_ours, ours);
    c->reference = c->race.n;
    contest_add(c, TEAM_PLAIN, "out of place", run_plain, w);
    contest_bounds(c, false);
    return !c->fftw ||
           (add_fftw(c, w, (size_t)16 << 10, "16 KiB a call") && add_fftw(c, w, (size_t)128 << 10, "128 KiB a call"));
}
