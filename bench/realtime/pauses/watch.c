/* watch.c: looks at the clock, again and again; a gap between two looks above the threshold is a pause. (The clock benchmark of
 * RL-TR-95-103, 4.2.)
 *
 * Looking costs nothing on a virtual clock, so that no time would pass: there each look is preceded by a quantum of declared
 * work, mostly far below the threshold, and the gap is what it took longer than it takes undisturbed.
 */
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double first_bin_s = 1e-7;

int watch_bin(double length_s)
{
    if (length_s < first_bin_s)
        return 0;
    double bin = floor(log10(length_s / first_bin_s) * BINS_A_DECADE);
    return bin >= BINS - 1 ? BINS - 1 : (int)bin;
}

double watch_bin_from(int bin) { return first_bin_s * pow(10, (double)bin / BINS_A_DECADE); }

static double work_s(const struct clock *c, double flops)
{
    double before = clock_now(c);
    declare_flops(flops);
    return clock_now(c) - before;
}

/* The least of some: the others met a pause. */
static double undisturbed_s(const struct clock *c, double flops)
{
    double least = HUGE_VAL;
    for (int i = 0; i < 9; i++) {
        double s = work_s(c, flops);
        least = s < least ? s : least;
    }
    return least;
}

static void find_quantum(struct watch *w, const struct clock *c)
{
    const double some_flops = 1e5, part_of_threshold = 0.1, most_s = 1e-5, most_looks = 2e6;
    double wanted_s = fmin(w->threshold_s * part_of_threshold, most_s);
    wanted_s = fmax(wanted_s, w->seconds / most_looks);
    double took_s = undisturbed_s(c, some_flops);
    w->quantum_flops = took_s > 0 ? some_flops * wanted_s / took_s : some_flops;
    w->quantum_s = undisturbed_s(c, w->quantum_flops);
}

bool watch_init(struct watch *w, const struct clock *c)
{
    size_t bytes = (size_t)w->room * sizeof *w->pauses;
    w->pauses = malloc(bytes);
    if (!w->pauses)
        return false;
    memset(w->pauses, 0, bytes);
    if (c->is_virtual)
        find_quantum(w, c);
    return true;
}

void watch_fini(struct watch *w)
{
    free(w->pauses);
    w->pauses = NULL;
}

static void note(struct watch *w, double at_s, double length_s)
{
    if (w->kept < w->room)
        w->pauses[w->kept++] = (struct pause){at_s, length_s};
    w->count++;
    w->lost_s += length_s;
    w->bins[watch_bin(length_s)]++;
}

void watch_run(struct watch *w, const struct clock *c)
{
    double start = clock_now(c), last = start, least = HUGE_VAL, longest = 0;
    long long reads = 0;
    while (last - start < w->seconds) {
        if (w->quantum_flops > 0)
            declare_flops(w->quantum_flops);
        double now = clock_now(c), gap = now - last - w->quantum_s;
        reads++;
        if (gap > longest)
            longest = gap;
        if (gap > 0 && gap < least)
            least = gap;
        if (gap > w->threshold_s)
            note(w, last - start, gap);
        last = now;
    }
    w->reads = reads;
    w->longest_s = longest;
    w->least_s = isfinite(least) ? least : 0;
    w->took_s = last - start;
}
