/* kind.h: what each instruction set provides: kind_base.c, kind_avx2.c and kind_avx512.c are the same templates (*_inl.h) over other
 * vectors (vector_*.h). Arrays may have any alignment of a float. */
#ifndef REALTIME_KIND_H
#define REALTIME_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "simd.h"

enum {
    SHORT_MOST = 64, /* points that stay in registers */
    WIDTH_MOST = 8,
    PASSES_MOST = 8
};

/* Tables of a transform: see fft_short_inl.h and fft_long_inl.h. */
struct fft_tables {
    int points;
    bool inverse;
    int passes, radix[PASSES_MOST]; /* long only */
    const float *twiddles, *of_pass[PASSES_MOST];
    float sign[WIDTH_MOST]; /* 1, -1 and so on; the other way round for the inverse */
    float *work[2];         /* long only: 2 * points floats each */
};

struct kind {
    int width;     /* floats a vector */
    int row_least; /* points a row of a short transform, unless there are 64 */
    void (*fft_short)(const struct fft_tables *, const float *in, float *out, size_t howmany);
    /* one transform */
    void (*fft_long)(const struct fft_tables *, const float *in, float *out);
    /* foldfft's steps before and after the transform; r: n times a weight twice; p: f pairs */
    void (*fold)(int n, int f, const float *r, const float *in, float *out, size_t howmany);
    void (*weigh)(int f, const float *p, const float *in, float *out, size_t howmany);
    /* all of foldfft with f = 8, or NULL */
    void (*fold_eight)(int n, const float *r, const struct fft_tables *, const float *p, const float *in, float *out,
                       size_t howmany);
    /* copies past the caches */
    void (*stream)(const float *in, float *out, size_t floats);
    /* like turn(), but strides in floats; for a part of a matrix that fits the first cache */
    void (*turn)(const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows, size_t columns);
};

extern const struct kind kind_base, kind_avx2, kind_avx512;
/* `which` is definite and simd_has() it. */
const struct kind *kernels_of(enum simd which);

/* Fills in everything but `points`, `inverse` and `work`; `room`: 4 * points + 64 floats, kept. */
void fft_tables_fill(struct fft_tables *, const struct kind *, float *room);

/* What is behind a plan of fft.h. */
struct fft_plan;
const struct fft_tables *fft_plan_tables(const struct fft_plan *);

#endif
