/* neighbor.h: collectives along the edges of a topology (MPI 5.0, section 8.6), as schedules. */
#ifndef MPICO_COLL_NEIGHBOR_H
#define MPICO_COLL_NEIGHBOR_H

#include "coll.h"

/* The ends of this rank's edges, negative where there is nobody. */
struct neighbors {
    int in, out;
    const int *source, *destination;
    int mirrored; /* both are pairs, one neighbour each way: what goes to the one of a pair comes from the other (Cartesian) */
};

/* send[i] to destination i, recv[i] from source i. Several edges between two ranks match in their order. */
void mpico_neighbor_build(struct schedule *, const struct neighbors *, const struct part *send,
                          const struct part *recv);

#endif
