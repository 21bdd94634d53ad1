/* neighbor.h: from the arguments of a neighbourhood collective to its schedule. The forms of a call differ only in what happens
 * to the schedule (coll_launch), and in the width of counts and displacements.
 */
#ifndef MPICO_API_NEIGHBOR_H
#define MPICO_API_NEIGHBOR_H

#include "coll_args.h"

/* The sending or the receiving end: one part a neighbour, unless it is the one that goes to all. */
struct neighbor_side {
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    const void *counts, *displs; /* vector forms: int, or MPI_Count and MPI_Aint where wide */
    const MPI_Datatype *types;   /* alltoallw: displacements are bytes */
    uint8_t one, vector, wide_counts, wide_displs;
};

/* What the MPI function returns. */
int api_neighbor(struct rank *, const struct neighbor_side *send, const struct neighbor_side *recv, MPI_Comm,
                 coll_launch *, MPI_Request *);

#endif
