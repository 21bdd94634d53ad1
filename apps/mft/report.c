/* What the run found: the table. */
#include "report.h"

#include <math.h>
#include <stdlib.h>

#include "text.h"

#define PI 3.14159265358979323846

struct motion {
    double course_deg, speed;
};

static struct motion motion_of(double dx, double dy, double dt)
{
    double course = atan2(dx, dy) * 180 / PI;

    return (struct motion){course < 0 ? course + 360 : course, sqrt(dx * dx + dy * dy) / dt};
}

static double turned(double a, double b)
{
    double d = fmod(a - b + 540, 360) - 180;

    return fabs(d);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* FNV-1a over the corners: two runs found the same bits when it is the same. */
static unsigned long long fingerprint(const struct findings *f)
{
    const unsigned char *bytes = (const unsigned char *)f->result->corner;
    size_t n = (size_t)(f->plan->n_legs + 1) * sizeof *f->result->corner;
    unsigned long long hash = 14695981039346656037ULL;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 1099511628211ULL;
    return hash;
}

static void print_leg(const struct findings *f, int leg)
{
    const struct source *a = &f->result->corner[leg], *b = a + 1;
    double start = f->plan->start_s + leg * f->plan->leg_s, x0, y0, x1, y1;
    struct motion found = motion_of(b->x - a->x, b->y - a->y, f->plan->leg_s), logged;

    track_at(&f->scene->track, start, &x0, &y0);
    track_at(&f->scene->track, start + f->plan->leg_s, &x1, &y1);
    logged = motion_of(x1 - x0, y1 - y0, f->plan->leg_s);
    printf("%5.1f  %8.1f %8.1f %6.1f %6.2f %6.1f  %5.3f   %7.1f %7.1f %6.1f %6.2f %6.1f\n", start / 60, a->x, a->y,
           found.course_deg, found.speed, a->z, f->result->match[leg],
           sqrt((a->x - x0) * (a->x - x0) + (a->y - y0) * (a->y - y0)),
           sqrt(a->x * a->x + a->y * a->y) - sqrt(x0 * x0 + y0 * y0), turned(found.course_deg, logged.course_deg),
           found.speed - logged.speed, a->z - f->options->source_depth);
}

static void print_errors(const struct findings *f)
{
    const struct data *data = &f->scene->data;
    int n = data->n_snapshots;
    double *error = malloc((size_t)n * sizeof *error), square = 0, range_square = 0, depth_square = 0;

    if (!error)
        return;
    for (int i = 0; i < n; i++) {
        struct source s = search_at(f->result, f->plan, data->t[i]);
        double x, y, range_error;

        track_at(&f->scene->track, data->t[i], &x, &y);
        error[i] = sqrt((s.x - x) * (s.x - x) + (s.y - y) * (s.y - y));
        range_error = sqrt(s.x * s.x + s.y * s.y) - sqrt(x * x + y * y);
        square += error[i] * error[i];
        range_square += range_error * range_error;
        depth_square += (s.z - f->options->source_depth) * (s.z - f->options->source_depth);
    }
    qsort(error, (size_t)n, sizeof *error, ascending);
    printf("error against the log over %d snapshots: position median %.1f m, rms %.1f m, greatest %.1f m; range rms "
           "%.1f m; depth rms %.1f m\n",
           n, error[n / 2], sqrt(square / n), error[n - 1], sqrt(range_square / n), sqrt(depth_square / n));
    free(error);
}

void report_table(const struct findings *f)
{
    const struct timing *t = &f->timing;

    printf("found track                                              error against the log\n");
    printf("  min   east [m] north[m] course  speed  depth  match   pos [m] range[m] course speed  depth\n");
    printf("                           [deg]  [m/s]    [m]                            [deg]  [m/s]   [m]\n");
    for (int leg = 0; leg < f->plan->n_legs; leg++)
        print_leg(f, leg);
    print_errors(f);
    printf("track fingerprint %016llx\n", fingerprint(f));
    printf("%d rank%s: setup %.2f s, search %.2f s = computing %.2f s + communicating %.2f s (mean of the ranks), %ld "
           "Allgathers of 40 bytes\n",
           t->ranks, t->ranks == 1 ? "" : "s", t->setup_s, t->search_s, t->computing_s, t->communicating_s,
           t->allgathers);
}
