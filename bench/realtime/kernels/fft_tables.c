/* fft_tables.c: the factors that the kernels multiply by, computed in double precision. */
#include "kind.h"

#include <math.h>

static const double TURN = 6.283185307179586476925286766559;

static void factor(size_t k, size_t points, float *re, float *im)
{
    *re = (float)cos(TURN * (double)(k % points) / (double)points);
    *im = (float)-sin(TURN * (double)(k % points) / (double)points);
}

/* Radices of a long transform: 8 first, then 8 while what remains is a power of 8, of 8 times 4, or of 8 times 4 times 4. */
static void long_radices(struct fft_tables *t)
{
    int left = t->points / 8;
    t->radix[0] = 8;
    t->passes = 1;
    for (; left > 1; t->passes++) {
        int radix = left % 8 == 0 && left != 16 ? 8 : 4;
        t->radix[t->passes] = radix;
        left /= radix;
    }
}

/* [r2 / pairs][r1 - 1] of `width` floats (re, re) and as many (-im, im): fft_short_inl.h. */
static void short_fill(const struct fft_tables *t, const struct kind *kind, float *to)
{
    size_t pairs = (size_t)kind->width / 2, points = (size_t)t->points;
    size_t row = points == 64 ? 8 : points == 32 ? 4 : (size_t)kind->row_least;
    for (size_t h = 0; h < row / pairs; h++)
        for (size_t k = 1; k < points / row; k++, to += 4 * pairs)
            for (size_t i = 0; i < pairs; i++) {
                float re, im;
                factor((pairs * h + i) * k, points, &re, &im);
                to[2 * i] = to[2 * i + 1] = re;
                to[2 * (pairs + i)] = t->inverse ? im : -im;
                to[2 * (pairs + i) + 1] = t->inverse ? -im : im;
            }
}

static float *first_fill(size_t points, size_t width, float *to)
{
    for (size_t p = 0; p < points / 8; p += width)
        for (size_t k = 1; k < 8; k++, to += 2 * width)
            for (size_t i = 0; i < width; i++)
                factor((p + i) * k, points, &to[i], &to[i + width]);
    return to;
}

static float *middle_fill(size_t points, size_t radix, float *to)
{
    for (size_t p = 0; p < points / radix; p++)
        for (size_t k = 1; k < radix; k++, to += 2)
            factor(p * k, points, &to[0], &to[1]);
    return to;
}

void fft_tables_fill(struct fft_tables *t, const struct kind *kind, float *room)
{
    t->twiddles = room;
    for (int i = 0; i < WIDTH_MOST; i++)
        t->sign[i] = (i % 2 == 0) == t->inverse ? -1.0F : 1.0F;
    if (t->points <= SHORT_MOST) {
        short_fill(t, kind, room);
        return;
    }
    long_radices(t);
    size_t left = (size_t)t->points;
    for (int i = 0; i < t->passes; i++) {
        t->of_pass[i] = room;
        if (i == 0)
            room = first_fill(left, (size_t)kind->width, room);
        else if (i < t->passes - 1)
            room = middle_fill(left, (size_t)t->radix[i], room);
        left /= (size_t)t->radix[i];
    }
}
