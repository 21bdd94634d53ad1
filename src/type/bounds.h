/* bounds.h: what a type spans, found one component after the other (MPI 5.0, sections 5.1.6 to 5.1.8). */
#ifndef MPICO_TYPE_BOUNDS_H
#define MPICO_TYPE_BOUNDS_H

#include "type.h"

/* Begins as all zeros. */
struct bounds {
    ptrdiff_t lower, upper;             /* of components with data, */
    ptrdiff_t given_lower, given_upper; /* of those with bounds that were given, */
    ptrdiff_t true_lower, true_upper;   /* and of the data itself */
    uint8_t any;                        /* there is data */
    uint8_t given;                      /* enum type_bounds */
    uint8_t align;
};

/* `count` (not 0) elements, the first at `at`, the others `stride` bytes apart. Negative: addresses overflow. */
int mpico_bounds_add(struct bounds *, const struct type *, size_t count, ptrdiff_t at, ptrdiff_t stride);
/* The result, with what a struct is padded to. Negative: the extent overflows. */
int mpico_bounds_apply(const struct bounds *, struct type *);

#endif
