/* turn.h: the corner turn in memory: a matrix of complex numbers (pairs of floats) transposed, by tiles that fit the caches. */
#ifndef REALTIME_TURN_H
#define REALTIME_TURN_H

#include <stddef.h>

#include "simd.h"

/* out[c][r] = in[r][c] for `rows` x `columns`; strides in complex numbers from one row to the next (in: at least columns; out: at
 * least rows). in and out do not overlap. SIMD_BEST, or a kind that
 * simd_has(). */
void turn(enum simd, const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows, size_t columns);

/* The same as two loops. */
void turn_plain(const float *in, size_t in_stride, float *out, size_t out_stride, size_t rows, size_t columns);

#endif
