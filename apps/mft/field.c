/* Pressure on the array, measured and replicated.

   p(r, z) ~ sum over modes of psi(z_s) psi(z) exp(i k r - alpha r) / sqrt(k r) (Computational Ocean Acoustics,
   chapter 5)

   A replica at phone j, whose horizontal offset shortens the range by delta_j, is expanded about the array's nominal
   position: exp(i k (r - delta)) = exp(-i k_ref delta) exp(i k r) (1 - i (k - k_ref) delta). |k - k_ref| stays below
   0.05 k and delta below 4 m: at 388 Hz the neglected square is below 0.05 for the steepest modes, which the bottom
   strips first. The measured field is computed without this expansion. */
#include "field.h"

#include <complex.h>
#include <math.h>
#include <mpico.h>
#include <stdlib.h>

#include "random.h"
#include "text.h"

#define PI 3.14159265358979323846
enum { BLOCK = 8, BLOCKS = MAX_PHONES / BLOCK };

/* Floating-point operations of the kernels below, counted from their statements; + - * / and sqrt are one each, what the
   compiler knows beforehand is none. They tell a simulated machine what a match costs. */
enum {
    SINE_FLOPS = 68,                                /* reduction 6, nine terms of each series 29 + 29, the last 4 */
    DECAY_FLOPS = 26,                               /* its argument 1, seven terms 19, six squares */
    EXCITE_FLOPS = 13 + SINE_FLOPS + DECAY_FLOPS,   /* a mode: phase 1, loss 2, weight 4, the four amplitudes 6 */
    HEAR_FLOPS = 8 * MAX_PHONES,                    /* a mode: four products and sums at each phone */
    COMPARE_FLOPS = (23 + SINE_FLOPS) * MAX_PHONES, /* angle 1, u and v 4, p and q 6, re and im 8, energy 4 */
    PLACE_FLOPS = 4 + 4 * MAX_PHONES,               /* the range, and the offset of each phone */
    LIBRARY_FLOPS = 20                              /* of exp, sin, cos or pow, as libraries commonly need */
};

/* Of one match over so many tones with so many modes in all. */
static double match_flops(int tones, int modes)
{
    return PLACE_FLOPS + (COMPARE_FLOPS + 8.0) * tones + (EXCITE_FLOPS + HEAR_FLOPS) * (double)modes;
}

/* Of one tone's synthesised snapshot: two values of each mode at each phone (4 each), and its amplitude and phase; for the
   noise the same power once more; draw_bell is 24 and two are drawn a phone. */
static double measure_flops(int modes, int phones)
{
    double pressure = 8 + 10 + 3 * LIBRARY_FLOPS, power = 4 + 3 + (8 + LIBRARY_FLOPS) / (double)phones;

    return (double)phones * (modes * (pressure + power) + 2 * 24 + 20);
}

int data_alloc(struct data *data, int n_tones, int n_snapshots)
{
    data->n_tones = n_tones;
    data->n_snapshots = n_snapshots;
    data->t = calloc((size_t)n_snapshots, sizeof *data->t);
    data->sample = calloc((size_t)n_snapshots * (size_t)n_tones, sizeof *data->sample);
    if (!data->t || !data->sample)
        return complain("no memory for %d snapshots; raise --snapshot.", n_snapshots);
    return 0;
}

void data_free(struct data *data)
{
    free(data->t);
    free(data->sample);
}

/* Mean over phones of the incoherent power at a range. */
static double mean_power(const struct mode_set *modes, const struct array *array, double range, double z)
{
    double sum = 0;

    for (int m = 0; m < modes->n; m++) {
        double s = modes_value(modes, m, z), w = s * s * exp(-2 * modes->alpha[m] * range) / (modes->k[m] * range);

        for (int j = 0; j < array->n; j++) {
            double p = modes_value(modes, m, array->z[j]);

            sum += w * p * p;
        }
    }
    return sum / array->n;
}

static double complex pressure(const struct mode_set *modes, double range, double z_source, double z_phone)
{
    double complex sum = 0;

    for (int m = 0; m < modes->n; m++) {
        double amplitude = modes_value(modes, m, z_source) * modes_value(modes, m, z_phone) *
                           exp(-modes->alpha[m] * range) / sqrt(modes->k[m] * range);

        sum += amplitude * (cos(modes->k[m] * range) + sin(modes->k[m] * range) * (double complex)I);
    }
    return sum;
}

static void scale_to_unit(struct sample *sample, const double *re, const double *im, int n)
{
    double energy = 0, scale;

    for (int j = 0; j < n; j++)
        energy += re[j] * re[j] + im[j] * im[j];
    scale = energy > 0 ? 1 / sqrt(energy) : 0;
    for (int j = 0; j < n; j++) {
        sample->re[j] = (float)(scale * re[j]);
        sample->im[j] = (float)(scale * im[j]);
    }
}

void field_measure(struct data *data, int snapshot, const struct mode_set *modes, const struct array *array,
                   struct source at, struct noise noise)
{
    for (int tone = 0; tone < data->n_tones; tone++) {
        double re[MAX_PHONES], im[MAX_PHONES];
        double level = mean_power(&modes[tone], array, noise.ref_range, at.z) / pow(10, noise.snr_db / 10);
        double sigma = sqrt(level / 2); /* of each of the two quadratures */
        struct draws draws = draws_for(noise.seed, (uint64_t)snapshot, (uint64_t)tone);

        for (int j = 0; j < array->n; j++) {
            double dx = at.x - array->x[j], dy = at.y - array->y[j];
            double complex p = pressure(&modes[tone], sqrt(dx * dx + dy * dy), at.z, array->z[j]);

            re[j] = creal(p) + sigma * draw_bell(&draws);
            im[j] = cimag(p) + sigma * draw_bell(&draws);
        }
        scale_to_unit(&data->sample[snapshot * data->n_tones + tone], re, im, array->n);
        mpico_compute(measure_flops(modes[tone].n, array->n));
    }
}

int replica_init(struct replica *replica, const struct mode_set *modes, const struct array *array)
{
    size_t n_source = (size_t)modes->n_z * MAX_MODES;

    replica->n = (modes->n + 1) & ~1; /* a last mode of weight 0 keeps pairs whole */
    replica->n_z = modes->n_z;
    replica->dz = modes->dz;
    replica->k_ref = 0.5 * (modes->k[0] + modes->k[modes->n - 1]);
    replica->source = calloc(n_source, sizeof *replica->source);
    if (!replica->source)
        return complain("no memory for replicas at %g Hz; free some.", modes->freq);
    for (int m = 0; m < modes->n; m++) {
        double weight = 1 / sqrt(modes->k[m]);

        replica->dk[m] = modes->k[m] - replica->k_ref;
        replica->alpha[m] = modes->alpha[m];
        for (int j = 0; j < array->n; j++)
            replica->phone[j / BLOCK][m][j % BLOCK] = (float)modes_value(modes, m, array->z[j]);
        for (int row = 0; row < modes->n_z; row++) {
            size_t at = (size_t)row * MAX_MODES + (size_t)m;

            replica->source[at] = (float)(weight * modes->psi[at]);
        }
    }
    if (replica->n > modes->n)
        replica->alpha[modes->n] = replica->alpha[modes->n - 1];
    return 0;
}

void replica_fini(struct replica *replica)
{
    free(replica->source);
    replica->source = NULL;
}

/* sin and cos by their Taylor series after one reduction to [-pi, pi]: error below 1e-9 for |x| < 1e4, and no branch,
   so that loops vectorise. (x + magic) - magic rounds to the nearest integer in IEEE arithmetic. */
static inline void sine_cosine(double x, double *sine, double *cosine)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52 */
    double turns = (x * (1 / (2 * PI)) + magic) - magic;
    double y = x - turns * (2 * PI), q = y * y, s, c;

    s = 1 - q / (18 * 19) * (1 - q * (1.0 / (20 * 21)));
    s = 1 - q * (1.0 / (16 * 17)) * s;
    s = 1 - q * (1.0 / (14 * 15)) * s;
    s = 1 - q * (1.0 / (12 * 13)) * s;
    s = 1 - q * (1.0 / (10 * 11)) * s;
    s = 1 - q * (1.0 / (8 * 9)) * s;
    s = 1 - q * (1.0 / (6 * 7)) * s;
    s = 1 - q * (1.0 / (4 * 5)) * s;
    s = 1 - q * (1.0 / (2 * 3)) * s;
    c = 1 - q * (1.0 / (19 * 20)) * (1 - q * (1.0 / (21 * 22)));
    c = 1 - q * (1.0 / (17 * 18)) * c;
    c = 1 - q * (1.0 / (15 * 16)) * c;
    c = 1 - q * (1.0 / (13 * 14)) * c;
    c = 1 - q * (1.0 / (11 * 12)) * c;
    c = 1 - q * (1.0 / (9 * 10)) * c;
    c = 1 - q * (1.0 / (7 * 8)) * c;
    c = 1 - q * (1.0 / (5 * 6)) * c;
    c = 1 - q * (1.0 / (3 * 4)) * c;
    *cosine = 1 - q * 0.5 * c;
    *sine = y * s;
}

/* exp(-x) for 0 <= x <= 64 as (exp(-x/64))^64; relative error below 1e-6, ample for an amplitude. */
static inline double decay(double x)
{
    double y = x * (1.0 / 64);
    double e =
        1 -
        y * (1 - y * 0.5 *
                     (1 - y * (1.0 / 3) * (1 - y * 0.25 * (1 - y * 0.2 * (1 - y * (1.0 / 6) * (1 - y * (1.0 / 7)))))));

    e *= e;
    e *= e;
    e *= e;
    e *= e;
    e *= e;
    return e * e;
}

/* Modal amplitudes of a source and their derivative by range. */
struct amplitudes {
    int n;
    float re[MAX_MODES], im[MAX_MODES], d_re[MAX_MODES], d_im[MAX_MODES];
};

/* The steep modes that have decayed by more than e^-7 against the first one are left out. */
static int modes_left(const struct replica *replica, double range)
{
    int n = replica->n;

    while (n > 2 && (replica->alpha[n - 1] - replica->alpha[0]) * range > 7 &&
           (replica->alpha[n - 2] - replica->alpha[0]) * range > 7)
        n -= 2;
    return n;
}

static void excite(struct amplitudes *a, const struct replica *replica, double range, double z)
{
    double at = z / replica->dz, phase[MAX_MODES];
    int row = (int)at;
    const float *psi;
    float t;

    row = row > replica->n_z - 2 ? replica->n_z - 2 : row;
    psi = replica->source + (size_t)row * MAX_MODES;
    t = (float)(at - row);
    a->n = modes_left(replica, range);
    for (int m = 0; m < a->n; m++)
        phase[m] = replica->dk[m] * range;
    for (int m = 0; m < a->n; m++) {
        double s, c, loss = (replica->alpha[m] - replica->alpha[0]) * range;
        double w = (double)(psi[m] + t * (psi[m + MAX_MODES] - psi[m])) * decay(loss < 64 ? loss : 64);

        sine_cosine(phase[m], &s, &c);
        a->re[m] = (float)(w * c);
        a->im[m] = (float)(w * s);
        a->d_re[m] = (float)(-replica->dk[m] * w * s);
        a->d_im[m] = (float)(replica->dk[m] * w * c);
    }
}

/* What one block of phones hears: g, and its derivative by range h. */
struct heard {
    float g_re[BLOCK], g_im[BLOCK], h_re[BLOCK], h_im[BLOCK];
};

static inline void hear(struct heard *out, const float (*restrict phone)[BLOCK], const struct amplitudes *restrict a)
{
    struct heard sum = {{0}, {0}, {0}, {0}};

    for (int m = 0; m < a->n; m++)
        for (int j = 0; j < BLOCK; j++) {
            sum.g_re[j] += a->re[m] * phone[m][j];
            sum.g_im[j] += a->im[m] * phone[m][j];
            sum.h_re[j] += a->d_re[m] * phone[m][j];
            sum.h_im[j] += a->d_im[m] * phone[m][j];
        }
    *out = sum;
}

/* Adds the number of modes it took to *modes. */
static double bartlett(const struct replica *replica, const struct sample *d, double range, double z,
                       const double *delta, int *modes)
{
    struct amplitudes a;
    double re = 0, im = 0, energy = 0;

    excite(&a, replica, range, z);
    *modes += a.n;
    for (int b = 0; b < BLOCKS; b++) {
        struct heard heard;
        double s[BLOCK], c[BLOCK];

        hear(&heard, replica->phone[b], &a);
        for (int j = 0; j < BLOCK; j++)
            sine_cosine(-replica->k_ref * delta[b * BLOCK + j], &s[j], &c[j]);
        for (int j = 0; j < BLOCK; j++) {
            int phone = b * BLOCK + j;
            double u = (double)heard.g_re[j] - delta[phone] * (double)heard.h_re[j];
            double v = (double)heard.g_im[j] - delta[phone] * (double)heard.h_im[j];
            double p = u * c[j] - v * s[j], q = u * s[j] + v * c[j];

            re += p * (double)d->re[phone] + q * (double)d->im[phone];
            im += p * (double)d->im[phone] - q * (double)d->re[phone];
            energy += p * p + q * q;
        }
    }
    return energy > 0 ? (re * re + im * im) / energy : 0;
}

double field_match(const struct replica_set *set, const struct data *data, int snapshot, struct source at, int first,
                   int last)
{
    double range = sqrt(at.x * at.x + at.y * at.y), delta[MAX_PHONES] = {0}, sum = 0;
    int modes = 0;

    if (!(range >= set->r_min && range <= set->r_max && at.z >= 0 && at.z <= set->z_max))
        return 0;
    for (int j = 0; j < set->array.n; j++)
        delta[j] = (at.x * set->array.x[j] + at.y * set->array.y[j]) / range;
    for (int tone = first; tone < last; tone++)
        sum += bartlett(&set->tone[tone], &data->sample[snapshot * data->n_tones + tone], range, at.z, delta, &modes);
    mpico_compute(match_flops(last - first, modes));
    return sum / (last - first);
}
