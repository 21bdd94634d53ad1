/* halving.h: reduce-scatter by recursive halving and its two ways back, for reduce and allreduce. */
#ifndef MPICO_HALVING_H
#define MPICO_HALVING_H

#include "coll.h"

struct halving {
    char *out; /* the whole vector; at the end of a reduce this rank's block of it is right */
    size_t count;
    const struct type *type;
    int folded;      /* ranks below 2 * folded met in pairs first, the odd one goes on for both */
    int number;      /* this rank's among those that go on, -1: it waits */
    int going;       /* how many go on: a power of two */
    size_t from, to; /* this rank's block, in elements */
};

/* Leaves block [from, to) of the sum of all ranks' `in` in `out`; the two may be the same. */
void mpico_halving_reduce(struct schedule *, struct halving *, const void *in, void *out, size_t count,
                          const struct type *);
/* All blocks to all ranks. */
void mpico_halving_allgather(struct schedule *, struct halving *);
/* All blocks to the root. */
void mpico_halving_gather(struct schedule *, struct halving *, int root);

#endif
