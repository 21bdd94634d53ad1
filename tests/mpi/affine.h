/* An operation that is associative and not commutative: affine maps modulo 2^32, composed in the order of ranks. */
#ifndef MPICO_TESTS_MPI_AFFINE_H
#define MPICO_TESTS_MPI_AFFINE_H

#include "check.h"

struct map {
    unsigned a, b;
}; /* x -> a x + b */

static inline struct map then(struct map f, struct map g) { return (struct map){f.a * g.a, g.a * f.b + g.b}; }

static inline void compose(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type; /* MPI_2INT: two words */
    for (int i = 0; i < *length; i++)
        ((struct map *)inout)[i] = then(((struct map *)in)[i], ((struct map *)inout)[i]);
}

static inline struct map value(int rank, int i)
{
    return (struct map){(unsigned)(2 * rank + 3 + i), (unsigned)(rank * 7 + 1) + (unsigned)i * (unsigned)i};
}

static inline struct map upto(int ranks, int i)
{
    struct map all = {1, 0};
    for (int r = 0; r < ranks; r++)
        all = then(all, value(r, i));
    return all;
}

static inline void same(const char *what, const struct map *got, int first, int count, int ranks)
{
    for (int i = 0; i < count; i++) {
        struct map wanted = upto(ranks, first + i);
        CHECK(got[i].a == wanted.a && got[i].b == wanted.b, "%s, %d elements from %d: element %d: %u %u, wanted %u %u",
              what, count, first, i, got[i].a, got[i].b, wanted.a, wanted.b);
    }
}

#endif
