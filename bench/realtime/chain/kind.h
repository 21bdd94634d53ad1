/* kind.h: the functions that a node can do.
 *
 * Each is told three ways: what it does to a shape, to a block in memory, and to one term column[r] * row[c] of a block that is a sum of such
 * products. The third is the sink's reference: in double precision, on vectors instead of matrices.
 */
#pragma once

#include <complex.h>

#include "chain/chain.h"

/* column: shape.rows values; row: shape.columns values; both have room for SIDE_MOST whichever is longer. */
struct term {
    struct shape shape;
    double complex *column, *row;
};

/* A function made ready for a shape. */
struct job {
    const struct function *function;
    struct shape in, out;
    void *state; /* a plan, weights */
};

enum parameter_need { PARAMETER_NONE, PARAMETER_MAY, PARAMETER_MUST };

struct kind {
    const char *name;
    enum parameter_need parameter;
    bool by_rows;    /* a part of the rows can be done alone */
    bool other_side; /* the result does not lie where the input lay */
    /* False: the complaint says why not, without a place. */
    bool (*fits)(const struct function *, struct shape in, struct shape *out, struct complaint *);
    bool (*prepare)(struct job *); /* may be NULL; false: no memory */
    void (*release)(struct job *); /* may be NULL */
    /* Rows `first` to first + rows - 1 of `in`; `out` is `in` unless other_side. Declares what it computes. */
    void (*run)(const struct job *, float *in, float *out, int first, int rows);
    double (*flops)(const struct job *);
    void (*reference)(const struct function *, struct term *);
};

const struct kind *kind_find(const char *name, size_t len);
/* The names of all, "fft, inverse, ...". */
const char *kind_names(void);
