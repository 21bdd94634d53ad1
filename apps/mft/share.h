/* The communication of the search: after each step every rank tells all others its best hypothesis, 40 bytes from
   each. */
#ifndef MFT_SHARE_H
#define MFT_SHARE_H

#include <stdint.h>

/* A hypothesis in the exact bits that are computed with and sent. What the numbers mean is the search's affair. */
struct best {
    double score;
    uint32_t step, index; /* which hypothesis of which step; ties go to the lowest index */
    float p[6];
};

_Static_assert(sizeof(struct best) == 40, "the message of the search is 40 bytes");

struct share {
    int rank, size;
    struct best *all;                  /* one a rank */
    double started_s, communicating_s; /* MPI_Wtime; seconds within Allgather */
    long calls;
};

int share_init(struct share *share); /* 0, or -1 after complaining */
void share_fini(struct share *share);

/* Blocks until every rank has called. Returns the best of all ranks: the same on each, and the same however the
   hypotheses of the step were dealt out. */
struct best share_best(struct share *share, const struct best *mine);

/* Is a better than b? Higher score first, then lower index. */
int best_before(const struct best *a, const struct best *b);

#endif
