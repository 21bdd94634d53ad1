/* kind.c: the functions of nodes. */
#include "chain/kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "kernels/fft.h"
#include "kernels/turn.h"

static const double pi = 3.14159265358979323846;

static bool keeps_shape(const struct function *f, struct shape in, struct shape *out, struct complaint *wrong)
{
    (void)f, (void)wrong;
    *out = in;
    return true;
}

static double no_flops(const struct job *j) { return (void)j, 0; }

static float *at(float *block, int row, int columns) { return block + 2 * (size_t)row * (size_t)columns; }

/* ---- Fourier transforms of the rows ---- */

static bool fft_fits(const struct function *f, struct shape in, struct shape *out, struct complaint *wrong)
{
    *out = in;
    if (f->given && f->parameter != in.columns)
        complain(wrong, f->place, "a transform of %g points does not fit rows of %d", f->parameter, in.columns);
    else if (in.columns < 2 || (in.columns & (in.columns - 1)))
        complain(wrong, f->place, "rows of %d points come here; a transform wants a power of two from 2", in.columns);
    else
        return true;
    return false;
}

static bool prepare_forward(struct job *j)
{
    return (j->state = fft_plan_alloc(j->in.columns, FFT_FORWARD, SIMD_BEST)) != NULL;
}

static bool prepare_inverse(struct job *j)
{
    return (j->state = fft_plan_alloc(j->in.columns, FFT_INVERSE, SIMD_BEST)) != NULL;
}

static void release_plan(struct job *j) { fft_plan_free(j->state); }

static void run_fft(const struct job *j, float *in, float *out, int first, int rows)
{
    fft_batch(j->state, at(in, first, j->in.columns), at(out, first, j->in.columns), (size_t)rows);
    declare_flops(fft_flops(j->in.columns) * rows);
}

static double flops_of_fft(const struct job *j) { return fft_flops(j->in.columns) * j->in.rows; }

/* Decimation in time by recursion; `work` is as long as x. */
static void transform(double complex *x, double complex *work, int n, double sign)
{
    if (n == 1)
        return;
    int half = n / 2;
    for (int i = 0; i < half; i++) {
        work[i] = x[2 * i];
        work[half + i] = x[2 * i + 1];
    }
    transform(work, x, half, sign);
    transform(work + half, x + half, half, sign);
    for (int i = 0; i < half; i++) {
        double complex turned = work[half + i] * cexp(I * (sign * 2 * pi * i / n));
        x[i] = work[i] + turned;
        x[half + i] = work[i] - turned;
    }
}

static void reference_fft(struct term *t, double sign)
{
    double complex *work = calloc((size_t)t->shape.columns, sizeof *work);
    if (!work)
        abort();
    transform(t->row, work, t->shape.columns, sign);
    free(work);
}

static void reference_forward(const struct function *f, struct term *t) { (void)f, reference_fft(t, -1); }

static void reference_inverse(const struct function *f, struct term *t) { (void)f, reference_fft(t, 1); }

/* ---- The corner turn ---- */

static bool turn_fits(const struct function *f, struct shape in, struct shape *out, struct complaint *wrong)
{
    (void)f, (void)wrong;
    *out = (struct shape){in.columns, in.rows};
    return true;
}

/* All rows: no part of the result is ready before. Its bytes count once, as the report counts them. */
static void run_turn(const struct job *j, float *in, float *out, int first, int rows)
{
    (void)first, (void)rows;
    turn(SIMD_BEST, in, (size_t)j->in.columns, out, (size_t)j->in.rows, (size_t)j->in.rows, (size_t)j->in.columns);
    declare_bytes((double)shape_bytes(j->in));
}

static void reference_turn(const struct function *f, struct term *t)
{
    (void)f;
    double complex *row = t->row;
    t->row = t->column;
    t->column = row;
    t->shape = (struct shape){t->shape.columns, t->shape.rows};
}

/* ---- Scaling ---- */

static void run_scale(const struct job *j, float *in, float *out, int first, int rows)
{
    float factor = (float)j->function->parameter;
    size_t floats = 2 * (size_t)rows * (size_t)j->in.columns;
    float *from = at(in, first, j->in.columns), *to = at(out, first, j->in.columns);
    for (size_t i = 0; i < floats; i++)
        to[i] = factor * from[i];
    declare_flops((double)floats);
}

static double flops_of_scale(const struct job *j) { return 2.0 * (double)shape_elements(j->in); }

static void reference_scale(const struct function *f, struct term *t)
{
    for (int i = 0; i < t->shape.rows; i++)
        t->column[i] *= f->parameter;
}

/* ---- The inner product of every row with a steering vector, exp(2 pi i 0.3 k) ---- */

static double complex weight(int k) { return cexp(2 * pi * I * fmod(0.3 * k, 1)); }

static bool inner_fits(const struct function *f, struct shape in, struct shape *out, struct complaint *wrong)
{
    (void)f, (void)wrong;
    *out = (struct shape){in.rows, 1};
    return true;
}

static bool prepare_inner(struct job *j)
{
    float *w = calloc((size_t)j->in.columns, 2 * sizeof *w);
    for (int k = 0; w && k < j->in.columns; k++) {
        w[2 * k] = (float)creal(weight(k));
        w[2 * k + 1] = (float)cimag(weight(k));
    }
    j->state = w;
    return w != NULL;
}

static void release_weights(struct job *j) { free(j->state); }

/* In place: result r is written where row r or one before it lay, which has been read. */
static void run_inner(const struct job *j, float *in, float *out, int first, int rows)
{
    const float *w = j->state;
    for (int r = first; r < first + rows; r++) {
        const float *x = at(in, r, j->in.columns);
        float re = 0, im = 0;
        for (int k = 0; k < j->in.columns; k++) {
            re += w[2 * k] * x[2 * k] - w[2 * k + 1] * x[2 * k + 1];
            im += w[2 * k] * x[2 * k + 1] + w[2 * k + 1] * x[2 * k];
        }
        out[2 * r] = re;
        out[2 * r + 1] = im;
    }
    declare_flops(8.0 * rows * j->in.columns);
}

static double flops_of_inner(const struct job *j) { return 8.0 * (double)shape_elements(j->in); }

static void reference_inner(const struct function *f, struct term *t)
{
    (void)f;
    double complex sum = 0;
    for (int k = 0; k < t->shape.columns; k++)
        sum += weight(k) * t->row[k];
    t->row[0] = sum;
    t->shape.columns = 1;
}

static const struct kind kinds[] = {
    {"fft", PARAMETER_MAY, true, false, fft_fits, prepare_forward, release_plan, run_fft, flops_of_fft,
     reference_forward},
    {"inverse", PARAMETER_MAY, true, false, fft_fits, prepare_inverse, release_plan, run_fft, flops_of_fft,
     reference_inverse},
    {"turn", PARAMETER_NONE, false, true, turn_fits, NULL, NULL, run_turn, no_flops, reference_turn},
    {"scale", PARAMETER_MUST, true, false, keeps_shape, NULL, NULL, run_scale, flops_of_scale, reference_scale},
    {"inner", PARAMETER_NONE, true, false, inner_fits, prepare_inner, release_weights, run_inner, flops_of_inner,
     reference_inner},
};

const struct kind *kind_find(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, name, len) == 0)
            return &kinds[i];
    return NULL;
}

const char *kind_names(void) { return "fft, inverse, turn, scale, inner"; }

void node_text(const struct node *n, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < n->n && used < room; i++) {
        const struct function *f = &n->functions[i];
        int len = f->given ? snprintf(out + used, room - used, "%s%s %g", i ? " + " : "", f->kind->name, f->parameter)
                           : snprintf(out + used, room - used, "%s%s", i ? " + " : "", f->kind->name);
        used += len > 0 ? (size_t)len : 0;
    }
}
