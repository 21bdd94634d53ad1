/* foldfft_plain.c: the same, step by step. */
#include "foldfft.h"

#include "fft.h"

#include <string.h>

static void fold(int n, int f, const float *weighted, float *folded)
{
    memcpy(folded, weighted, sizeof(float) * 2 * (size_t)f);
    for (int start = f; start < n; start += f)
        for (int i = 0; i < f; i++) {
            folded[2 * i] += weighted[2 * (start + i)];
            folded[2 * i + 1] += weighted[2 * (start + i) + 1];
        }
}

static void weigh(int f, const float *p, const float *in, float *out)
{
    for (int k = 0; k < f; k++) {
        out[2 * k] = p[2 * k] * in[2 * k] - p[2 * k + 1] * in[2 * k + 1];
        out[2 * k + 1] = p[2 * k] * in[2 * k + 1] + p[2 * k + 1] * in[2 * k];
    }
}

void foldfft_plain(const float *twiddles, int n, int f, const float *r, const float *p, float *work, const float *in,
                   float *out, size_t howmany)
{
    float *weighted = work, *folded = work + 2 * (size_t)n;
    for (size_t b = 0; b < howmany; b++, in += 2 * (size_t)n, out += 2 * (size_t)f) {
        for (int i = 0; i < n; i++) {
            weighted[2 * i] = r[i] * in[2 * i];
            weighted[2 * i + 1] = r[i] * in[2 * i + 1];
        }
        fold(n, f, weighted, folded);
        fft_plain(twiddles, f, FFT_FORWARD, folded, folded, 1);
        weigh(f, p, folded, out);
    }
}

double foldfft_flops(int n, int f) { return 2.0 * n + 2.0 * (n - f) + fft_flops(f) + 6.0 * f; }
