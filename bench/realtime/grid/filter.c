/* filter.c: f and g. Blocks are taken some at a time, so that a filter's three passes find them in the cache. */
#include "grid.h"

enum { AT_A_TIME = 16 };

bool filter_init(struct filter *f, int points, const float *spectra, bool one_each)
{
    *f = (struct filter){.spectra = spectra, .one_each = one_each};
    f->forward = fft_plan_alloc(points, FFT_FORWARD, SIMD_BEST);
    if (spectra)
        f->inverse = fft_plan_alloc(points, FFT_INVERSE, SIMD_BEST);
    return f->forward && (f->inverse || !spectra);
}

void filter_fini(struct filter *f)
{
    fft_plan_free(f->forward);
    fft_plan_free(f->inverse);
    *f = (struct filter){0};
}

static void multiply(float *restrict x, const float *restrict by, int points)
{
    for (int i = 0; i < 2 * points; i += 2) {
        float re = x[i] * by[i] - x[i + 1] * by[i + 1];
        x[i + 1] = x[i] * by[i + 1] + x[i + 1] * by[i];
        x[i] = re;
    }
}

static void filter_some(const struct filter *f, size_t first, const float *in, float *out, size_t howmany)
{
    int points = fft_points(f->forward);
    size_t numbers = 2 * (size_t)points;
    fft_batch(f->forward, in, out, howmany);
    for (size_t i = 0; i < howmany; i++)
        multiply(out + i * numbers, f->spectra + (f->one_each ? (first + i) * numbers : 0), points);
    fft_batch(f->inverse, out, out, howmany);
}

void filter_apply(const struct filter *f, const float *in, float *out, size_t howmany)
{
    int points = fft_points(f->forward);
    size_t numbers = 2 * (size_t)points;
    if (!f->spectra)
        fft_batch(f->forward, in, out, howmany);
    for (size_t i = 0; f->spectra && i < howmany; i += AT_A_TIME) {
        size_t some = howmany - i < AT_A_TIME ? howmany - i : AT_A_TIME;
        filter_some(f, i, in + i * numbers, out + i * numbers, some);
    }
    declare_flops((double)howmany * filter_flops(points, f->spectra != NULL));
}

double filter_flops(int points, bool spectra)
{
    return spectra ? 2 * fft_flops(points) + 6.0 * points : fft_flops(points);
}
