/* rma.h: from the arguments of a one-sided operation to what src/rma does. */
#ifndef MPICO_API_RMA_H
#define MPICO_API_RMA_H

#include "win.h"

/* A buffer as a call names it. */
struct rma_buffer {
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
};

/* Where at the target. */
struct rma_target {
    int rank;
    MPI_Aint disp;
    MPI_Count count;
    MPI_Datatype type;
};

/* What all operations check first: an epoch for this target. *nobody: it is MPI_PROC_NULL, nothing is to be done. Sets x->target. */
int rma_check_target(struct rank *, struct win *, const struct rma_target *, struct rma_call *, int *nobody);
/* Is the memory there? x->there is known. Sets x->at. */
int rma_check_place(struct rank *, const struct win *, const struct rma_target *, struct rma_call *);
/* What moves is no longer than where it goes. */
int rma_check_fits(struct rank *, size_t bytes, size_t room);

/* Start it, with a request if the call gives one (`request` not NULL; `x` NULL: there is nothing to be done). `e`: the checks' result.
 * Reports errors. */
int rma_start(struct rank *, struct win *, struct rma_call *x, MPI_Request *request, int e);

#endif
