/* sar_peaks.c: targets found in an image, without looking at where they are: the highest place, then the highest outside of a box
 * around it, and so on. */
#include "sar.h"

#include <math.h>
#include <stdlib.h>

enum { BOX = 5, TAPS = 8 }; /* half the box, in pixels: sidelobes farther away are 26 dB and more below their target */
static const double pi = 3.14159265358979323846;

static float *power_of(const struct shape *s, const float *image)
{
    size_t pixels = (size_t)s->rows * (size_t)s->columns;
    float *power = malloc(pixels * sizeof *power);
    for (size_t i = 0; power && i < pixels; i++)
        power[i] = image[2 * i] * image[2 * i] + image[2 * i + 1] * image[2 * i + 1];
    return power;
}

/* Of band-limited interpolation with a raised-cosine end: the image has 0.8 of the bandwidth that its samples could carry. */
static double weight(double away)
{
    return away == 0 ? 1 : sin(pi * away) / (pi * away) * (0.5 + 0.5 * cos(pi * away / (TAPS + 1)));
}

/* The power between the pixels; the image is zero outside. */
static double power_at(const struct shape *shape, const float *image, double row, double column)
{
    double re = 0, im = 0;
    int row0 = (int)floor(row), column0 = (int)floor(column);
    for (int r = row0 - TAPS + 1; r <= row0 + TAPS; r++)
        for (int c = column0 - TAPS + 1; c <= column0 + TAPS; c++) {
            if (r < 0 || r >= shape->rows || c < 0 || c >= shape->columns)
                continue;
            const float *x = image + 2 * ((size_t)r * (size_t)shape->columns + (size_t)c);
            double by = weight(row - r) * weight(column - c);
            re += by * x[0];
            im += by * x[1];
        }
    return re * re + im * im;
}

/* Where a parabola through three neighbours has its top, from the middle one, in their distance. */
static double top(double before, double middle, double after)
{
    double bend = before - 2 * middle + after;
    return bend < 0 ? fmax(-1, fmin(1, (before - after) / (2 * bend))) : 0;
}

/* Parabolas through points closer and closer around the top. */
static struct peak refine(const struct scene *s, const struct shape *shape, const float *image, double row,
                          double column)
{
    for (double step = 0.5; step > 0.05; step /= 2) {
        double middle = power_at(shape, image, row, column);
        double up = top(power_at(shape, image, row - step, column), middle, power_at(shape, image, row + step, column));
        double along =
            top(power_at(shape, image, row, column - step), middle, power_at(shape, image, row, column + step));
        row += step * up;
        column += step * along;
    }
    return (struct peak){
        .range_m = row * scene_bin_m(s),
        .azimuth_m = column * s->spacing_m,
        .amplitude = sqrt(power_at(shape, image, row, column)),
    };
}

static void clear_box(const struct shape *s, float *power, int row, int column)
{
    for (int r = row - BOX; r <= row + BOX; r++)
        for (int c = column - BOX; c <= column + BOX; c++)
            if (r >= 0 && r < s->rows && c >= 0 && c < s->columns)
                power[(size_t)r * (size_t)s->columns + (size_t)c] = 0;
}

int image_peaks(const struct scene *s, const struct shape *shape, const float *image, int count, struct peak *peaks)
{
    float *power = power_of(shape, image);
    size_t pixels = (size_t)shape->rows * (size_t)shape->columns;
    int found = power ? 0 : -1;
    while (power && found < count) {
        size_t best = 0;
        for (size_t i = 1; i < pixels; i++)
            best = power[i] > power[best] ? i : best;
        if (!(power[best] > 0))
            break;
        int row = (int)(best / (size_t)shape->columns), column = (int)(best % (size_t)shape->columns);
        peaks[found++] = refine(s, shape, image, row, column);
        clear_box(shape, power, row, column);
    }
    free(power);
    return found;
}

void peaks_match(const struct scene *s, const struct peak *peaks, int count, int *found)
{
    bool taken[TARGETS_MOST] = {false};
    for (int t = 0; t < s->targets; t++) {
        double nearest = HUGE_VAL;
        found[t] = -1;
        for (int p = 0; p < count; p++) {
            double away = hypot((peaks[p].range_m - s->target[t].range_m) / scene_range_cell_m(s),
                                (peaks[p].azimuth_m - s->target[t].azimuth_m) / scene_azimuth_cell_m(s));
            if (!taken[p] && away < nearest) {
                nearest = away;
                found[t] = p;
            }
        }
        if (found[t] >= 0)
            taken[found[t]] = true;
    }
}
