/* What the programs on intercommunicators share: MPI_COMM_WORLD parted at `low` ranks, and an intercommunicator between the parts. */
#ifndef MPICO_TESTS_MPI_INTER_SIDES_H
#define MPICO_TESTS_MPI_INTER_SIDES_H

#include "check.h"

struct sides {
    int low, upper; /* ranks of the lower part; 1: this one is in the upper part */
    int rank, size, others;
    MPI_Comm part, inter;
};

static inline struct sides sides_make(int low, int tag)
{
    struct sides s = {.low = low, .upper = me >= low};
    MPI_Comm_split(MPI_COMM_WORLD, s.upper, me, &s.part);
    MPI_Comm_rank(s.part, &s.rank);
    MPI_Comm_size(s.part, &s.size);
    s.others = np - s.size;
    /* The leaders are the last of each part, and meet in the world. */
    CHECK_OK(MPI_Intercomm_create(s.part, s.size - 1, MPI_COMM_WORLD, s.upper ? low - 1 : np - 1, tag, &s.inter));
    return s;
}

static inline void sides_free(struct sides *s)
{
    MPI_Comm_free(&s->inter);
    MPI_Comm_free(&s->part);
}

/* World rank of a peer. */
static inline int sides_world(const struct sides *s, int peer) { return s->upper ? peer : s->low + peer; }

#endif
