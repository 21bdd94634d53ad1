/* foldfft.h: the kernel of planar subarray processing: n complex numbers x weighted by real ones r, the n/f segments of length f added,
 * transformed by an FFT of length f, weighted by complex ones p:
 *     y[k] = p[k] * sum over j < f of exp(-2 pi i j k / f) * (sum over s < n/f of r[j + s f] * x[j + s f])
 * Blocks of x (2 n floats) and of y (2 f floats) lie one after the other; the weights are those of the plan for all. */
#ifndef REALTIME_FOLDFFT_H
#define REALTIME_FOLDFFT_H

#include <stddef.h>

#include "simd.h"

struct foldfft_plan;

/* r: n floats; p: 2 f floats; both copied. NULL: f is not a power of two that fft.h can do, n no multiple of f, or no memory. */
struct foldfft_plan *foldfft_plan_alloc(int n, int f, const float *r, const float *p, enum simd);
void foldfft_plan_free(struct foldfft_plan *);

/* in and out do not overlap. One thread at a time. */
void foldfft(struct foldfft_plan *, const float *in, float *out, size_t howmany);

/* The same in plain C, step by step; `work`: 2 (n + f) floats; twiddles of fft_plain_twiddles(f). */
void foldfft_plain(const float *twiddles, int n, int f, const float *r, const float *p, float *work, const float *in,
                   float *out, size_t howmany);

/* 2 n + 2 (n - f) + 5 f log2 f + 6 f: weights, fold, transform, weights. */
double foldfft_flops(int n, int f);

#endif
