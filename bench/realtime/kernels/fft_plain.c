/* fft_plain.c: the transform as a textbook has it: in place, decimation in time, radix 2 (Cooley and Tukey 1965). */
#include "fft.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586476925286766559;

float *fft_plain_twiddles(int points)
{
    if (points < 1 || points > FFT_POINTS_MOST || (points & (points - 1)) != 0)
        return NULL;
    float *twiddles = malloc(sizeof(float) * (size_t)(points < 2 ? 2 : points));
    if (twiddles == NULL)
        return NULL;
    for (int k = 0; k < points / 2; k++) {
        twiddles[2 * k] = (float)cos(TURN * k / points);
        twiddles[2 * k + 1] = (float)-sin(TURN * k / points);
    }
    return twiddles;
}

static void swap_bit_reversed(float *x, int points)
{
    for (int i = 1, j = 0; i < points; i++) {
        int bit = points / 2;
        for (; (j & bit) != 0; bit /= 2)
            j -= bit;
        j += bit;
        if (i >= j)
            continue;
        float re = x[2 * i], im = x[2 * i + 1];
        x[2 * i] = x[2 * j];
        x[2 * i + 1] = x[2 * j + 1];
        x[2 * j] = re;
        x[2 * j + 1] = im;
    }
}

static void transform(const float *twiddles, int points, float sign, float *x)
{
    swap_bit_reversed(x, points);
    for (int half = 1; half < points; half *= 2)
        for (int start = 0; start < points; start += 2 * half)
            for (int k = 0; k < half; k++) {
                const float *w = twiddles + 2 * (size_t)k * (size_t)(points / (2 * half));
                float *a = x + 2 * (start + k), *b = a + 2 * half;
                float wi = sign * w[1], re = b[0] * w[0] - b[1] * wi, im = b[0] * wi + b[1] * w[0];
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
}

void fft_plain(const float *twiddles, int points, enum fft_direction direction, const float *in, float *out,
               size_t howmany)
{
    if (in != out)
        memcpy(out, in, sizeof(float) * 2 * (size_t)points * howmany);
    for (size_t i = 0; i < howmany; i++)
        transform(twiddles, points, direction == FFT_INVERSE ? -1.0F : 1.0F, out + 2 * (size_t)points * i);
}

double fft_flops(int points) { return 5.0 * points * log2(points); }
