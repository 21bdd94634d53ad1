/* signal.c: blocks with a cheap reference. */
#include "chain/signal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/random.h"

enum { LANES = 8 };

static const double pi = 3.14159265358979323846;

/* One term of the expected block in single precision; rows as planes, padded to LANES. */
struct expected {
    double complex *column;
    float *re, *im;
};

struct reference {
    struct shape shape;
    struct expected of[VARIANTS][TERMS];
    double mean_square[VARIANTS];
};

static double complex phase_of(uint64_t key) { return cexp(2 * pi * I * random_share(key, 0)); }

static void term_free(struct term *t)
{
    free(t->column);
    free(t->row);
}

static bool term_alloc(struct term *t, struct shape shape, int variant, int index)
{
    int longest = shape.rows > shape.columns ? shape.rows : shape.columns;
    uint64_t key = (uint64_t)(variant * TERMS + index + 1) << 32;
    *t = (struct term){.shape = shape};
    t->column = calloc((size_t)longest, sizeof *t->column);
    t->row = calloc((size_t)longest, sizeof *t->row);
    if (!t->column || !t->row) {
        term_free(t);
        return false;
    }
    for (int r = 0; r < shape.rows; r++)
        t->column[r] = phase_of(key + (uint64_t)r);
    for (int c = 0; c < shape.columns; c++)
        t->row[c] = phase_of(key + SIDE_MOST + (uint64_t)c);
    return true;
}

static void add_term(const struct term *t, float *block)
{
    for (int r = 0; r < t->shape.rows; r++) {
        float *row = block + 2 * (size_t)r * (size_t)t->shape.columns;
        for (int c = 0; c < t->shape.columns; c++) {
            double complex x = t->column[r] * t->row[c];
            row[2 * c] += (float)creal(x);
            row[2 * c + 1] += (float)cimag(x);
        }
    }
}

bool signal_fill(struct shape shape, int variant, float *block)
{
    for (size_t i = 0; i < 2 * shape_elements(shape); i++)
        block[i] = 0;
    for (int index = 0; index < TERMS; index++) {
        struct term t;
        if (!term_alloc(&t, shape, variant, index))
            return false;
        add_term(&t, block);
        term_free(&t);
    }
    return true;
}

static bool expect(struct expected *e, const struct term *t)
{
    size_t padded = ((size_t)t->shape.columns + LANES - 1) / LANES * LANES;
    e->re = calloc(padded, sizeof *e->re);
    e->im = calloc(padded, sizeof *e->im);
    if (!e->re || !e->im)
        return false;
    for (int c = 0; c < t->shape.columns; c++) {
        e->re[c] = (float)creal(t->row[c]);
        e->im[c] = (float)cimag(t->row[c]);
    }
    return true;
}

static bool follow_term(const struct chain *chain, int variant, int index, struct expected *e, struct shape *out)
{
    struct term t;
    if (!term_alloc(&t, chain->block, variant, index))
        return false;
    for (int i = 0; i < chain->n_expected; i++)
        chain->expected[i].kind->reference(&chain->expected[i], &t);
    bool good = expect(e, &t);
    *out = t.shape;
    e->column = t.column; /* the rest is in planes */
    free(t.row);
    return good;
}

/* Mean square of a sum of two products, from the vectors alone: the trace of the product of their Gram matrices. */
static double mean_square(const struct expected *of, struct shape s)
{
    double sum = 0;
    for (int p = 0; p < TERMS; p++)
        for (int q = 0; q < TERMS; q++) {
            double complex columns = 0, rows = 0;
            for (int r = 0; r < s.rows; r++)
                columns += of[p].column[r] * conj(of[q].column[r]);
            for (int c = 0; c < s.columns; c++)
                rows += (of[p].re[c] + I * of[p].im[c]) * conj(of[q].re[c] + I * of[q].im[c]);
            sum += creal(columns * rows);
        }
    return sum / (double)shape_elements(s);
}

struct reference *reference_alloc(const struct chain *chain)
{
    struct reference *ref = calloc(1, sizeof *ref);
    bool good = ref != NULL;
    for (int v = 0; good && v < VARIANTS; v++) {
        for (int index = 0; good && index < TERMS; index++)
            good = follow_term(chain, v, index, &ref->of[v][index], &ref->shape);
        ref->mean_square[v] = good ? mean_square(ref->of[v], ref->shape) : 0;
    }
    if (!good)
        reference_free(ref);
    return good ? ref : NULL;
}

void reference_free(struct reference *ref)
{
    for (int v = 0; ref && v < VARIANTS; v++)
        for (int index = 0; index < TERMS; index++) {
            free(ref->of[v][index].column);
            free(ref->of[v][index].re);
            free(ref->of[v][index].im);
        }
    free(ref);
}

/* Squared differences of up to LANES neighbours, each to a sum of its own. */
static void add_squares(const struct expected *of, const float *c, int at, int n, const float *x, float *sums)
{
    for (int k = 0; k < n; k++) {
        float re = -x[2 * k], im = -x[2 * k + 1];
        for (int p = 0; p < TERMS; p++) {
            float gr = of[p].re[at + k], gi = of[p].im[at + k];
            re += c[2 * p] * gr - c[2 * p + 1] * gi;
            im += c[2 * p] * gi + c[2 * p + 1] * gr;
        }
        sums[k] += re * re + im * im;
    }
}

static double row_square(const struct reference *ref, int variant, const float *x, int row)
{
    const struct expected *of = ref->of[variant];
    int columns = ref->shape.columns, at = 0;
    float c[2 * TERMS], sums[LANES] = {0};
    for (int p = 0; p < TERMS; p++) {
        c[2 * p] = (float)creal(of[p].column[row]);
        c[2 * p + 1] = (float)cimag(of[p].column[row]);
    }
    for (; at + LANES <= columns; at += LANES)
        add_squares(of, c, at, LANES, x + 2 * at, sums);
    add_squares(of, c, at, columns - at, x + 2 * at, sums);
    double sum = 0;
    for (int k = 0; k < LANES; k++)
        sum += (double)sums[k];
    return sum;
}

double reference_error(const struct reference *ref, int variant, const float *block, int first, int step)
{
    double worst = 0;
    for (int r = first; r < ref->shape.rows; r += step) {
        double square = row_square(ref, variant, block + 2 * (size_t)r * (size_t)ref->shape.columns, r);
        if (!(square <= worst) && !isnan(worst)) /* what is no number counts and stays */
            worst = square;
    }
    return sqrt(worst / ref->shape.columns / ref->mean_square[variant]);
}
