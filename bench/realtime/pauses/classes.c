/* classes.c: which pauses are alike, and at what distance they follow each other.
 *
 * Both are the same question: the window [x, x r] that holds most of some sorted numbers. Lengths within 30 % are alike;
 * distances within 10 % are one distance. A missing pause (it fell into a longer one) makes a distance twice as long, which does
 * not move the most frequent one. Of pauses at random moments less than a twentieth of the distances falls into any such window.
 */
#include "classes.h"

#include <stdlib.h>

static const double alike = 1.3, same_distance = 1.1;

struct window {
    long from, count;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct window densest(const double *sorted, long n, double ratio)
{
    struct window best = {0, 0};
    for (long from = 0, to = 0; from < n; from++) {
        while (to < n && sorted[to] <= sorted[from] * ratio)
            to++;
        if (to - from > best.count)
            best = (struct window){from, to - from};
    }
    return best;
}

/* The class's pauses are those within its lengths that no class has taken before; `some` has room for n. */
static void find_distance(struct pause_class *c, const struct pause *p, long n, bool *taken, double *some)
{
    long distances = 0;
    double last_s = -1;
    for (long i = 0; i < n; i++) {
        if (taken[i] || p[i].length_s < c->least_s || p[i].length_s > c->most_s)
            continue;
        taken[i] = true;
        if (last_s >= 0)
            some[distances++] = p[i].at_s - last_s;
        last_s = p[i].at_s;
    }
    qsort(some, (size_t)distances, sizeof *some, ascending);
    struct window w = densest(some, distances, same_distance);
    c->distance_s = w.count ? some[w.from + w.count / 2] : 0;
    c->regular = distances ? (double)w.count / (double)distances : 0;
}

static struct pause_class describe(const double *sorted, struct window w)
{
    struct pause_class c = {.count = w.count,
                            .least_s = sorted[w.from],
                            .median_s = sorted[w.from + w.count / 2],
                            .most_s = sorted[w.from + w.count - 1]};
    for (long i = w.from; i < w.from + w.count; i++)
        c.lost_s += sorted[i];
    return c;
}

static long take_out(double *sorted, long n, struct window w)
{
    for (long i = w.from + w.count; i < n; i++)
        sorted[i - w.count] = sorted[i];
    return n - w.count;
}

int classes_find(const struct pause *p, long n, struct pause_class classes[CLASSES])
{
    size_t room = (size_t)n + 1;
    double *lengths = malloc(2 * room * sizeof *lengths), *some = lengths ? lengths + room : NULL;
    bool *taken = calloc((size_t)n + 1, sizeof *taken);
    if (!lengths || !taken) {
        free(lengths);
        free(taken);
        return -1;
    }
    for (long i = 0; i < n; i++)
        lengths[i] = p[i].length_s;
    qsort(lengths, (size_t)n, sizeof *lengths, ascending);
    int found = 0;
    for (long left = n; left >= CLASS_LEAST && found < CLASSES; found++) {
        struct window w = densest(lengths, left, alike);
        if (w.count < CLASS_LEAST)
            break;
        classes[found] = describe(lengths, w);
        find_distance(&classes[found], p, n, taken, some);
        left = take_out(lengths, left, w);
    }
    free(lengths);
    free(taken);
    return found;
}
