/* coll_args.h: from the arguments of a collective, as the program gave them, to a checked struct coll_call, and from there to
 * what the call does: run it, start it, or keep it for MPI_Start. All forms of a collective share these. Those that check return 0
 * or the error class with the sentence in the rank; `comm` is set as soon as it is known.
 */
#ifndef MPICO_API_COLL_ARGS_H
#define MPICO_API_COLL_ARGS_H

#include "../coll/coll.h"
#include "finish.h"

/* A buffer as the standard describes one: a count, or (vector forms) counts and displacements. */
struct buffer {
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    const void *counts, *displs; /* int; or, if wide, MPI_Count and MPI_Aint */
    const MPI_Datatype *types;
    /* api_coll_sides() where there are counts: named by the calls that have them, so that others do not link it. */
    int (*sides)(struct rank *, struct side *, const struct buffer *, const char *name, int parts);
    uint8_t wide;
};

static inline struct buffer api_buffer(const void *buf, MPI_Count count, MPI_Datatype type)
{
    return (struct buffer){.buf = buf, .count = count, .type = type};
}
static inline MPI_Count buffer_count(const struct buffer *b, int i)
{
    return b->wide ? ((const MPI_Count *)b->counts)[i] : ((const int *)b->counts)[i];
}

/* A buffer of one part a rank: of the vector forms, and linked with them. */
int api_coll_sides(struct rank *, struct side *, const struct buffer *, const char *name, int parts);

static inline struct buffer api_parts(const void *buf, const int counts[], const int displs[], MPI_Datatype type)
{
    return (struct buffer){.buf = buf, .counts = counts, .displs = displs, .type = type, .sides = api_coll_sides};
}
static inline struct buffer api_parts_c(const void *buf, const MPI_Count counts[], const MPI_Aint displs[],
                                        MPI_Datatype type)
{
    return (struct buffer){
        .buf = buf, .counts = counts, .displs = displs, .type = type, .sides = api_coll_sides, .wide = 1};
}
/* With a datatype a part. */
static inline struct buffer api_typed(struct buffer b, const MPI_Datatype types[])
{
    b.types = types;
    return b;
}

/* ---- Checking ---- */

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
int api_coll_side(struct rank *, struct side *, const struct buffer *, const char *name, int parts);
/* MPI_ERR_BUFFER if both are the same memory. */
int api_coll_no_alias(struct rank *, const struct coll_call *, struct part send, struct part recv);
/* The counts of a reduce_scatter over `size` ranks; `total`: of all together. */
int api_coll_blocks(struct rank *, struct coll_call *, const struct buffer *, int size, size_t *total);

/* The same on an intercommunicator: `comm` and what the function above has checked are known. */
int api_inter_bcast(struct rank *, struct coll_call *, const struct buffer *, const struct comm *);
int api_inter_rooted(struct rank *, struct coll_call *, const struct buffer *send, const struct buffer *recv,
                     const struct comm *);
int api_inter_reduction(struct rank *, struct coll_call *, const void *send, const struct buffer *recv, MPI_Op,
                        const struct comm *);

/* ---- Doing ---- */

/* What becomes of a schedule that was built; it is given away. 0, or an error class and the sentence in the rank. */
typedef int coll_launch(struct rank *, struct schedule *, MPI_Request *);
coll_launch api_launch_run;   /* blocking; there is no request */
coll_launch api_launch_start; /* nonblocking */
coll_launch api_launch_keep;  /* persistent: for MPI_Start, until its request is freed */

/* Build the call's schedule and launch it unless `e` is an error already; what the MPI function returns. */
int api_coll_launch(struct rank *, struct comm *, struct coll_call *, coll_launch *, MPI_Request *, int e);
/* Run it, by the network itself where that is possible. */
int api_coll_run(struct rank *, struct comm *, struct coll_call *, int e);

/* Check, build and launch. */
int api_do_bcast(struct rank *, const struct buffer *, int root, MPI_Comm, coll_launch *, MPI_Request *);
int api_do_rooted(struct rank *, enum coll, const struct buffer *send, const struct buffer *recv, int root, MPI_Comm,
                  coll_launch *, MPI_Request *);
int api_do_all(struct rank *, enum coll, const struct buffer *send, const struct buffer *recv, MPI_Comm, coll_launch *,
               MPI_Request *);
int api_do_reduction(struct rank *, enum coll, const void *send, const struct buffer *recv, MPI_Op, int root, MPI_Comm,
                     coll_launch *, MPI_Request *);
int api_do_barrier(struct rank *, MPI_Comm, coll_launch *, MPI_Request *);

#endif
