/* fft.h: many short Fourier transforms at a time, single precision, complex numbers as pairs (real, imaginary) of floats.
 * Transforms lie one after the other, 2 * points floats each. A vector register holds the same point of several transforms, so that
 * short transforms keep the arithmetic pipeline as full as long ones; from 128 points on it holds neighbouring points of one.
 *
 *     struct fft_plan *plan = fft_plan_alloc(64, FFT_FORWARD, SIMD_BEST);
 *     fft_batch(plan, in, out, 1000);
 *     fft_plan_free(plan);
 */
#ifndef REALTIME_FFT_H
#define REALTIME_FFT_H

#include <stdbool.h>
#include <stddef.h>

#include "simd.h"

enum fft_direction { FFT_FORWARD, FFT_INVERSE }; /* exp(-2 pi i j k / n); exp(+...), without division by n */
enum { FFT_POINTS_MOST = 1 << 20 };

struct fft_plan;

/* NULL: `points` is not a power of two from 1 to FFT_POINTS_MOST, the processor does not have that instruction set, or no memory. */
struct fft_plan *fft_plan_alloc(int points, enum fft_direction, enum simd);
void fft_plan_free(struct fft_plan *);
int fft_points(const struct fft_plan *);

/* Transforms `howmany` blocks of `points` from in to out; the two are the same or do not overlap; any alignment of a float. Each result
 * is the same, bit for bit, wherever its block stands in a batch of any length. The plan has working memory of its own: one
 * thread at a time. Output that is larger than the caches is written past them. */
void fft_batch(struct fft_plan *, const float *in, float *out, size_t howmany);

/* The same in plain C as a textbook has it, radix 2: the reference for speed. `twiddles`: fft_plain_twiddles(). */
void fft_plain(const float *twiddles, int points, enum fft_direction, const float *in, float *out, size_t howmany);
/* points/2 pairs exp(-2 pi i k / points), or NULL; free() them. */
float *fft_plain_twiddles(int points);

/* Floating-point operations of one transform by the usual count, 5 n log2 n. */
double fft_flops(int points);

#endif
