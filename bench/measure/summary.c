/* summary.c: median, interval and outliers of samples, without an assumption of how they are distributed.
 *
 * Of n sorted samples the j-th from below and from above bound the true median with probability 1 - 2 P(B < j), B binomial of n and
 * 1/2 (Le Boudec, Performance Evaluation of Computer and Communication Systems, section 2.2). python/mpico/medians.py is
 * the same in whole numbers.
 */
#include <math.h>
#include <stdlib.h>

#include "measure.h"

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest j whose bounds hold the median with that confidence, at least 1; *reached is what they do. 2^-1000, the
 * least term, is 9e-302, which a double holds. */
static int rank_of_bounds(int n, double confidence, double *reached)
{
    double below = 0, term = ldexp(1, -n); /* P(B < j), P(B = j) */
    int j = 0;
    while ((j == 0 || 1 - 2 * (below + term) >= confidence) && j < (n + 1) / 2) {
        below += term;
        j++;
        term = term * (n - j + 1) / j;
    }
    *reached = 1 - 2 * below;
    return j;
}

/* Linear between the order statistics around it, as numpy's default. */
static double quantile(const double *sorted, int n, double share)
{
    double at = share * (n - 1);
    int i = (int)at;
    return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

struct summary summarize(double *samples, int n, double confidence)
{
    struct summary s;
    qsort(samples, (size_t)n, sizeof *samples, ascending);
    int j = rank_of_bounds(n, confidence, &s.confidence);
    s.median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
    s.low = samples[j - 1];
    s.high = samples[n - j];
    s.least = samples[0];
    s.most = samples[n - 1];
    double first = quantile(samples, n, 0.25), third = quantile(samples, n, 0.75), fence = 1.5 * (third - first);
    s.outliers = 0;
    for (int i = 0; i < n; i++)
        s.outliers += samples[i] < first - fence || samples[i] > third + fence;
    return s;
}
