/* foldfft.c: by chunks that stay in the first cache: weighted and folded, transformed, weighted; with f = 8 all at once. */
#include "foldfft.h"

#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "fft.h"
#include "kind.h"

enum { CHUNK_FLOATS = 2048 }; /* of input: while a chunk is transformed the next one is on its way from memory */

struct foldfft_plan {
    int n, f;
    size_t chunk, past_bytes;
    const struct kind *kind;
    struct fft_plan *fft;
    float *r, *p; /* n times a weight twice, f pairs */
    float *buffer;
};

static bool plan_fill(struct foldfft_plan *plan, const float *r, const float *p, enum simd which)
{
    size_t n = (size_t)plan->n, f = (size_t)plan->f;
    plan->fft = fft_plan_alloc(plan->f, FFT_FORWARD, which);
    plan->r = aligned_alloc(64, sizeof(float) * ((2 * (n + f + plan->chunk * f) + 15) / 16 * 16));
    if (plan->fft == NULL || plan->r == NULL)
        return false;
    plan->p = plan->r + 2 * n;
    plan->buffer = plan->p + 2 * f;
    for (size_t i = 0; i < n; i++)
        plan->r[2 * i] = plan->r[2 * i + 1] = r[i];
    memcpy(plan->p, p, sizeof(float) * 2 * f);
    return true;
}

struct foldfft_plan *foldfft_plan_alloc(int n, int f, const float *r, const float *p, enum simd which)
{
    if (f < 1 || n < f || n % f != 0 || n > FFT_POINTS_MOST || !simd_has(which))
        return NULL;
    struct foldfft_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return NULL;
    *plan = (struct foldfft_plan){.n = n, .f = f, .chunk = 2 * n < CHUNK_FLOATS ? (size_t)(CHUNK_FLOATS / (2 * n)) : 1};
    plan->kind = kernels_of(simd_choose(which));
    plan->past_bytes = cache_largest();
    if (!plan_fill(plan, r, p, which)) {
        foldfft_plan_free(plan);
        return NULL;
    }
    return plan;
}

void foldfft_plan_free(struct foldfft_plan *plan)
{
    if (plan == NULL)
        return;
    fft_plan_free(plan->fft);
    free(plan->r);
    free(plan);
}

static void fold_chunk(struct foldfft_plan *plan, const float *in, float *out, size_t howmany)
{
    const struct kind *kind = plan->kind;
    if (plan->f == 8 && kind->fold_eight != NULL) {
        kind->fold_eight(plan->n, plan->r, fft_plan_tables(plan->fft), plan->p, in, out, howmany);
        return;
    }
    kind->fold(plan->n, plan->f, plan->r, in, plan->buffer, howmany);
    fft_batch(plan->fft, plan->buffer, plan->buffer, howmany);
    kind->weigh(plan->f, plan->p, plan->buffer, out, howmany);
}

void foldfft(struct foldfft_plan *plan, const float *in, float *out, size_t howmany)
{
    size_t from = 2 * (size_t)plan->n, to = 2 * (size_t)plan->f;
    bool past = sizeof(float) * to * howmany > plan->past_bytes;
    for (size_t done = 0; done < howmany; done += plan->chunk) {
        size_t now = howmany - done < plan->chunk ? howmany - done : plan->chunk;
        fold_chunk(plan, in + from * done, past ? plan->buffer : out + to * done, now);
        if (past)
            plan->kind->stream(plan->buffer, out + to * done, to * now);
    }
}
