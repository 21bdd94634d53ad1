/* fft2d.c: the plain chain: f and g are Fourier transforms, so that the whole is one of two dimensions. Its input is noise; some of
 * its results are computed again as sums, which know nothing of transforms that are fast. */
#include "grid.h"
#include "common/random.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 4, SEED = 95103 };

static const double pi = 3.14159265358979323846;

/* In [-1, 1), as the float that the chain gets. */
static void value(const struct shape *s, int row, int column, float x[2])
{
    uint64_t place = 2 * ((uint64_t)column * (uint64_t)s->rows + (uint64_t)row);
    x[0] = (float)(2 * random_share(SEED, place) - 1);
    x[1] = (float)(2 * random_share(SEED, place + 1) - 1);
}

static bool input(const struct chain *chain, const struct shape *s, int first, int count, float *columns)
{
    (void)chain;
    for (int c = 0; c < count; c++)
        for (int r = 0; r < s->rows; r++, columns += 2)
            value(s, r, first + c, columns);
    return true;
}

const struct chain chain_fft2d = {.name = "fft2d", .input = input};

/* cos and sin of -2 pi k / n. */
static double *turns(int n)
{
    double *t = malloc(2 * (size_t)n * sizeof *t);
    for (int k = 0; t && k < n; k++) {
        t[2 * k] = cos(-2 * pi * k / n);
        t[2 * k + 1] = sin(-2 * pi * k / n);
    }
    return t;
}

/* The result at row u, column v, by its definition. */
static void sum_of_all(const struct shape *s, const double *by_row, const double *by_column, int u, int v, double y[2])
{
    int m = s->rows, n = s->columns;
    y[0] = y[1] = 0;
    for (int c = 0; c < n; c++) {
        double re = 0, im = 0;
        for (int r = 0; r < m; r++) {
            const double *w = by_row + 2 * ((long long)u * r % m);
            float x[2];
            value(s, r, c, x);
            re += x[0] * w[0] - x[1] * w[1];
            im += x[0] * w[1] + x[1] * w[0];
        }
        const double *w = by_column + 2 * ((long long)v * c % n);
        y[0] += re * w[0] - im * w[1];
        y[1] += re * w[1] + im * w[0];
    }
}

double fft2d_error(const struct shape *s, int first, int count, const float *rows)
{
    double *by_row = turns(s->rows), *by_column = turns(s->columns), worst = by_row && by_column ? 0 : HUGE_VAL;
    double size = sqrt(2.0 / 3 * s->rows * s->columns); /* root mean square of a result: each part of a value has 1/3 */
    for (int i = 0; worst < HUGE_VAL && i < SAMPLES; i++) {
        uint64_t place = 2 * (uint64_t)(first * SAMPLES + i);
        int u = (int)(random_share(SEED + 1, place) * count);
        int v = (int)(random_share(SEED + 1, place + 1) * s->columns);
        const float *x = rows + 2 * ((size_t)u * (size_t)s->columns + (size_t)v);
        double y[2];
        sum_of_all(s, by_row, by_column, first + u, v, y);
        worst = fmax(worst, hypot(x[0] - y[0], x[1] - y[1]) / size);
    }
    free(by_row);
    free(by_column);
    return worst;
}

double fft2d_error_most(const struct shape *s) { return 1e-6 * log2((double)s->rows * s->columns); }
