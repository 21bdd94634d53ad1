/* fft.c: plans and batches. */
#include "fft.h"

#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "kind.h"

enum { CHUNK_FLOATS = 4096 }; /* written past the caches from a buffer of this size: half of a small first cache */

struct fft_plan {
    struct fft_tables tables;
    const struct kind *kind;
    size_t past_bytes; /* from here on output is written past the caches */
    float *room;       /* all that the plan needs */
    float *buffer;     /* CHUNK_FLOATS, or one transform */
};

static size_t buffer_floats(size_t points) { return 2 * points > CHUNK_FLOATS ? 2 * points : CHUNK_FLOATS; }

static bool plan_fill(struct fft_plan *plan, size_t points)
{
    size_t buffer = buffer_floats(points);
    plan->room = aligned_alloc(64, sizeof(float) * ((8 * points + 64 + buffer + 15) / 16 * 16));
    if (plan->room == NULL)
        return false;
    memset(plan->room, 0, sizeof(float) * (8 * points + buffer));
    plan->buffer = plan->room;
    plan->tables.work[0] = plan->buffer + buffer;
    plan->tables.work[1] = plan->tables.work[0] + 2 * points;
    fft_tables_fill(&plan->tables, plan->kind, plan->tables.work[1] + 2 * points);
    return true;
}

struct fft_plan *fft_plan_alloc(int points, enum fft_direction direction, enum simd which)
{
    if (points < 1 || points > FFT_POINTS_MOST || (points & (points - 1)) != 0 || !simd_has(which))
        return NULL;
    struct fft_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return NULL;
    plan->kind = kernels_of(simd_choose(which));
    plan->past_bytes = cache_largest();
    plan->tables.points = points;
    plan->tables.inverse = direction == FFT_INVERSE;
    if (!plan_fill(plan, (size_t)points)) {
        free(plan);
        return NULL;
    }
    return plan;
}

void fft_plan_free(struct fft_plan *plan)
{
    if (plan != NULL)
        free(plan->room);
    free(plan);
}

const struct fft_tables *fft_plan_tables(const struct fft_plan *plan) { return &plan->tables; }

int fft_points(const struct fft_plan *plan) { return plan->tables.points; }

static void batch_cached(struct fft_plan *plan, const float *in, float *out, size_t howmany)
{
    size_t floats = 2 * (size_t)plan->tables.points;
    if (plan->tables.points == 1)
        memmove(out, in, sizeof(float) * floats * howmany);
    else if (plan->tables.points <= SHORT_MOST)
        plan->kind->fft_short(&plan->tables, in, out, howmany);
    else
        for (size_t i = 0; i < howmany; i++)
            plan->kind->fft_long(&plan->tables, in + floats * i, out + floats * i);
}

static void batch_past(struct fft_plan *plan, const float *in, float *out, size_t howmany)
{
    size_t floats = 2 * (size_t)plan->tables.points, chunk = buffer_floats((size_t)plan->tables.points) / floats;
    for (size_t done = 0; done < howmany; done += chunk) {
        size_t now = howmany - done < chunk ? howmany - done : chunk;
        batch_cached(plan, in + floats * done, plan->buffer, now);
        plan->kind->stream(plan->buffer, out + floats * done, floats * now);
    }
}

void fft_batch(struct fft_plan *plan, const float *in, float *out, size_t howmany)
{
    size_t bytes = sizeof(float) * 2 * (size_t)plan->tables.points * howmany;
    if (in != out && bytes > plan->past_bytes)
        batch_past(plan, in, out, howmany);
    else
        batch_cached(plan, in, out, howmany);
}
