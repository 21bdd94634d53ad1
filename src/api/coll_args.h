/* coll_args.h: from the arguments of a collective, as the program gave them, to a checked struct coll_call.
 * The blocking and the nonblocking form of a call share one of these. Each returns 0 or the error class with
 * the sentence in the rank; `comm` is set as soon as it is known.
 */
#ifndef MPICO_API_COLL_ARGS_H
#define MPICO_API_COLL_ARGS_H

#include "../coll/coll.h"
#include "finish.h"

/* A buffer as the standard describes one: a count, or (vector forms) counts and displacements. */
struct buffer {
    const void *buf;
    int count;
    MPI_Datatype type;
    const int *counts, *displs;
    const MPI_Datatype *types;
    /* api_coll_sides() where there are counts: named by the calls that have them, so that others do not link it. */
    int (*sides)(struct rank *, struct side *, const struct buffer *, const char *name, int parts);
};

int api_coll_barrier(struct rank *, struct coll_call *, MPI_Comm, struct comm **);
int api_coll_bcast(struct rank *, struct coll_call *, const struct buffer *, int root, MPI_Comm, struct comm **);
/* gather, scatter and their vector forms: only the root's end of the many-sided buffer counts. */
int api_coll_rooted(struct rank *, struct coll_call *, enum coll, const struct buffer *send, const struct buffer *recv,
                    int root, MPI_Comm, struct comm **);
/* allgather, alltoall and their vector forms. */
int api_coll_all(struct rank *, struct coll_call *, enum coll, const struct buffer *send, const struct buffer *recv,
                 MPI_Comm, struct comm **);
/* reduce (root), allreduce, scan, exscan, and the reduce_scatters (counts or count of `recv`). */
int api_coll_reduction(struct rank *, struct coll_call *, enum coll, const void *send, const struct buffer *recv,
                       MPI_Op, int root, MPI_Comm, struct comm **);

void api_coll_begin(struct coll_call *, enum coll);
/* MPI_ERR_BUFFER if both are the same memory. */
int api_coll_no_alias(struct rank *, const struct coll_call *, struct part send, struct part recv);
/* A buffer of one part a rank: of the vector forms, and linked with them. */
int api_coll_sides(struct rank *, struct side *, const struct buffer *, const char *name, int parts);

/* Run, or start, the call unless `e` is an error already; what the MPI function returns. */
int api_coll_run(struct rank *, struct comm *, const struct coll_call *, int e);
int api_coll_steps(struct rank *, struct comm *, struct coll_call *, int e); /* as a schedule */
int api_coll_start(struct rank *, struct comm *, struct coll_call *, MPI_Request *, int e);

#endif
