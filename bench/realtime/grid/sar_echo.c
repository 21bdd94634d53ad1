/* sar_echo.c: the echoes of a scene, and the filters that focus them (Cumming, Wong, Digital processing of synthetic aperture
 * radar data, 2005, chapters 3, 4 and 6: range-Doppler without correction of range cell migration).
 *
 * The echo of pulse c, from x = c * spacing, of a target at range R0 and azimuth x0: the chirp, delayed by R(x) = hypot(R0, x - x0),
 * times exp(-4 pi i R(x) / wavelength). Distances are exact here, also the delay's small changes that the filters ignore.
 */
#include "sar.h"
#include "common/random.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Of the chirp at a time in samples since its start; its frequency goes through the bandwidth, 0.8 of the sampling rate. */
static double chirp_phase(const struct scene *s, double sample)
{
    double rate = 0.8 / s->chirp, t = sample - s->chirp / 2.0;
    return pi * rate * t * t;
}

static void add_echo(const struct scene *s, const struct shape *shape, const struct target *t, int column, double *sum)
{
    double x = column * s->spacing_m - t->azimuth_m, half = s->aperture * s->spacing_m / 2;
    if (!(x >= -half && x < half))
        return;
    double range_m = hypot(s->range_m + t->range_m, x), delay = (range_m - s->range_m) / scene_bin_m(s);
    double carrier = -4 * pi * fmod(range_m, s->wavelength_m / 2) / s->wavelength_m;
    for (int i = (int)ceil(delay); i < shape->rows && i < delay + s->chirp; i++) {
        double phase = carrier + chirp_phase(s, i - delay);
        sum[2 * i] += t->amplitude * cos(phase);
        sum[2 * i + 1] += t->amplitude * sin(phase);
    }
}

/* Normal numbers in pairs (Box, Muller, 1958). */
static void add_noise(const struct scene *s, const struct shape *shape, int column, double *sum)
{
    for (int r = 0; r < shape->rows; r++) {
        uint64_t place = 2 * ((uint64_t)column * (uint64_t)shape->rows + (uint64_t)r),
                 seed = (uint64_t)s->seed ^ ((uint64_t)1 << 40);
        double size = s->noise * sqrt(-2 * log1p(-random_share(seed, place)));
        double angle = 2 * pi * random_share(seed, place + 1);
        sum[2 * r] += size * cos(angle);
        sum[2 * r + 1] += size * sin(angle);
    }
}

static bool input(const struct chain *chain, const struct shape *shape, int first, int count, float *columns)
{
    const struct scene *s = chain->scene;
    size_t numbers = 2 * (size_t)shape->rows;
    double *sum = malloc(numbers * sizeof *sum);
    bool good = sum != NULL;
    for (int c = 0; good && c < count; c++) {
        for (size_t i = 0; i < numbers; i++)
            sum[i] = 0;
        for (int t = 0; t < s->targets; t++)
            add_echo(s, shape, &s->target[t], first + c, sum);
        if (s->noise > 0)
            add_noise(s, shape, first + c, sum);
        for (size_t i = 0; i < numbers; i++)
            *columns++ = (float)sum[i];
    }
    free(sum);
    return good;
}

/* The matched filter of a signal in place of it: its transform's conjugate, divided by what the transform back and the signal's
 * `weight` multiply by. */
static void match(struct fft_plan *plan, float *signal, double weight)
{
    int points = fft_points(plan);
    float scale = (float)(1 / (weight * points));
    fft_batch(plan, signal, signal, 1);
    for (int i = 0; i < points; i++) {
        signal[2 * i] *= scale;
        signal[2 * i + 1] *= -scale;
    }
}

static float *column_spectrum(const struct chain *chain, const struct shape *shape)
{
    const struct scene *s = chain->scene;
    struct fft_plan *plan = fft_plan_alloc(shape->rows, FFT_FORWARD, SIMD_BEST);
    float *signal = plan ? calloc(2 * (size_t)shape->rows, sizeof *signal) : NULL;
    for (int i = 0; signal && i < s->chirp; i++) {
        signal[2 * i] = (float)cos(chirp_phase(s, i));
        signal[2 * i + 1] = (float)sin(chirp_phase(s, i));
    }
    if (signal)
        match(plan, signal, s->chirp);
    fft_plan_free(plan);
    return signal;
}

/* How the phase of a target at this range goes while it is seen; the pulse abreast of it is the first. */
static void azimuth_signal(const struct scene *s, int points, double range_m, float *signal)
{
    for (int i = 0; i < points; i++) {
        int pulse = i < points / 2 ? i : i - points;
        double x = pulse * s->spacing_m,
               more = x * x / (hypot(range_m, x) + range_m); /* hypot() - range_m, not cancelled */
        bool seen = 2 * pulse >= -s->aperture && 2 * pulse < s->aperture;
        signal[2 * i] = seen ? (float)cos(-4 * pi * more / s->wavelength_m) : 0;
        signal[2 * i + 1] = seen ? (float)sin(-4 * pi * more / s->wavelength_m) : 0;
    }
}

static float *row_spectra(const struct chain *chain, const struct shape *shape, int first, int count)
{
    const struct scene *s = chain->scene;
    size_t numbers = 2 * (size_t)shape->columns;
    struct fft_plan *plan = fft_plan_alloc(shape->columns, FFT_FORWARD, SIMD_BEST);
    float *spectra = plan ? malloc((size_t)count * numbers * sizeof *spectra) : NULL;
    for (int row = 0; spectra && row < count; row++) {
        float *signal = spectra + (size_t)row * numbers;
        azimuth_signal(s, shape->columns, s->range_m + (first + row) * scene_bin_m(s), signal);
        match(plan, signal, s->aperture);
    }
    fft_plan_free(plan);
    return spectra;
}

struct chain sar_chain(const struct scene *scene)
{
    return (struct chain){"sar", scene, input, column_spectrum, row_spectra};
}
