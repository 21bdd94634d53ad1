/* coll.h: a collective call as one rank sees it, the algorithms that turn it into a schedule, and the way
 * from the one to the other.
 *
 * A builder is a pure function of the call, this rank's number and the number of ranks: it moves no data and
 * sends nothing. Costs are stated in LogGP: L latency, o overhead of a send or a receive, g gap between
 * messages, G time a byte, and c, the time to combine a byte; P ranks, n bytes as the call counts them
 * (for one pair of ranks in gather, scatter and all-to-all; for the whole vector elsewhere), lg P rounded up.
 */
#ifndef MPICO_COLL_H
#define MPICO_COLL_H

#include <stddef.h>
#include <stdint.h>

#include "../type/type.h"
#include "schedule.h"

struct op;
struct rank;
struct comm;
struct request;

enum coll {
    COLL_BARRIER,
    COLL_BCAST,
    COLL_GATHER,
    COLL_GATHERV,
    COLL_SCATTER,
    COLL_SCATTERV,
    COLL_ALLGATHER,
    COLL_ALLGATHERV,
    COLL_ALLTOALL,
    COLL_ALLTOALLV,
    COLL_ALLTOALLW,
    COLL_REDUCE,
    COLL_ALLREDUCE,
    COLL_REDUCE_SCATTER,
    COLL_REDUCE_SCATTER_BLOCK,
    COLL_SCAN,
    COLL_EXSCAN,
    COLLS
};

/* One end of the call: an array of parts, one a rank. */
struct side {
    void *buf;    /* of the sending end only read */
    size_t count; /* of each part; the whole where there is but one */
    const struct type *type;
    const void *counts, *displs;     /* of each part (vector forms), else NULL: int, */
    const struct type *const *types; /* of each part (alltoallw), then displs are bytes */
    uint8_t wide;                    /* or 1: of 64 bits and of an address's width */
};

/* Part i's count, and its place in the array; both in elements. */
static inline size_t side_count(const struct side *side, int i)
{
    if (!side->counts)
        return side->count;
    return side->wide ? (size_t)((const int64_t *)side->counts)[i] : (size_t)((const int *)side->counts)[i];
}
static inline ptrdiff_t side_displ(const struct side *side, int i)
{
    if (!side->displs)
        return (ptrdiff_t)i * (ptrdiff_t)side->count;
    return side->wide ? ((const intptr_t *)side->displs)[i] : ((const int *)side->displs)[i];
}

/* Broadcast, reduce to all and scans use `recv` as the buffer; a vector reduce_scatter's counts are in recv. */
struct coll_call {
    enum coll what;
    int root;
    uint8_t crowded;     /* more ranks than processors: see rank.h */
    uint8_t in_place;    /* this rank's own data is in recv (scatter: stays in send) */
    size_t spread_bytes; /* longest message that the network takes to all other members at once; 0: it cannot */
    const struct op *op;
    struct side send, recv;
};

struct part {
    char *buf;
    size_t count;
    const struct type *type;
};
static inline struct part coll_part(const struct side *side, int i)
{
    const struct type *t = side->types ? side->types[i] : side->type;
    ptrdiff_t unit = side->types ? 1 : (ptrdiff_t)t->extent;
    /* An address computed as a number: with MPI_BOTTOM the displacements alone are addresses. */
    uintptr_t at = (uintptr_t)side->buf + (uintptr_t)side_displ(side, i) * (uintptr_t)unit;
    return (struct part){(char *)at, side_count(side, i), t};
}
static inline size_t part_bytes(struct part p) { return p.count * p.type->size; }
/* Address of element `i` of an array. */
static inline char *element(const void *buf, size_t i, const struct type *t)
{
    return (char *)(uintptr_t)buf + (ptrdiff_t)i * (ptrdiff_t)t->extent;
}

/* The largest power of two that is not above n (> 0). */
static inline int power_below(int n)
{
    int p = 1;
    while (p <= n / 2)
        p *= 2;
    return p;
}

typedef void coll_build(struct schedule *, const struct coll_call *);

/* WHEN_CROWDED and WHEN_BROADCAST are no needs but occasions: chosen by itself only with more ranks than processors, or
 * where the network takes a message to all. */
enum algorithm_needs {
    NEEDS_POWER_OF_TWO = 1,
    NEEDS_COMMUTATIVE = 2,
    WHEN_CROWDED = 4,
    NEEDS_BROADCAST = 8, /* coll_call.spread_bytes; then the bytes that decide are of one message */
    WHEN_BROADCAST = 16
};

struct algorithm {
    const char *name;
    coll_build *build;
    uint8_t needs; /* enum algorithm_needs; without them it would be wrong */
    int ranks_min; /* the rest only says when it is the better one */
    size_t bytes_min, bytes_max;
};

/* barrier.c */
coll_build mpico_barrier_dissemination, mpico_barrier_tree, mpico_barrier_central;
/* bcast.c */
coll_build mpico_bcast_binomial, mpico_bcast_scatter, mpico_bcast_chain, mpico_bcast_spread;
/* gather.c */
coll_build mpico_gather_linear, mpico_gather_binomial;
/* scatter.c */
coll_build mpico_scatter_linear, mpico_scatter_binomial;
/* allgather.c */
coll_build mpico_allgather_doubling, mpico_allgather_bruck, mpico_allgather_ring, mpico_allgather_linear,
    mpico_allgather_spread;
/* alltoall.c */
coll_build mpico_alltoall_bruck, mpico_alltoall_pairwise, mpico_alltoall_linear;
/* reduce.c */
coll_build mpico_reduce_binomial, mpico_reduce_linear, mpico_reduce_halving;
/* allreduce.c */
coll_build mpico_allreduce_doubling, mpico_allreduce_halving, mpico_allreduce_ring;
/* reduce_scatter.c */
coll_build mpico_reduce_scatter_pairwise, mpico_reduce_scatter_halving, mpico_reduce_scatter_linear;
/* scan.c; both serve exscan too */
coll_build mpico_scan_doubling, mpico_scan_linear;

/* ---- Pieces that several algorithms share ---- */

/* The buffer as packed bytes: itself where it is one block, else a temporary, filled by a step if `fill`. */
char *mpico_coll_flat(struct schedule *, void *buf, size_t count, const struct type *, int fill);
/* Offset of block b when n items are cut in `blocks` nearly equal ones. */
static inline size_t coll_cut(size_t n, int b, int blocks)
{
    size_t each = n / (size_t)blocks, rest = n % (size_t)blocks, i = (size_t)b;
    return i * each + (i < rest ? i : rest);
}
/* In-order reduction of `count` elements at `in` to `root`, into `out` there (NULL elsewhere). */
void mpico_coll_reduce_tree(struct schedule *, const void *in, void *out, size_t count, const struct type *, int root,
                            int commutative);

/* ---- From call to request ---- */

/* Choose and build, not started. 0, or an error class with the sentence in the rank. */
int mpico_coll_build(struct rank *, struct comm *, const struct coll_call *, struct schedule **);
/* Choose, build and start. 0, or an error class with the sentence in the rank; then nothing was started.
 * `q` as in mpico_schedule_start(). Never blocks. */
int mpico_coll_start(struct rank *, struct comm *, const struct coll_call *, struct request *q);
/* The same, and wait. The error class of the whole; `q` (the caller's memory) holds details. */
int mpico_coll_steps(struct rank *, struct comm *, const struct coll_call *, struct request *q);
/* The same in the shortest way there is: by the network itself. Of barrier, bcast, gather, scatter and allgather. */
int mpico_coll_run(struct rank *, struct comm *, const struct coll_call *, struct request *q);
/* Steps of a call on an intercommunicator. */
coll_build mpico_inter_build;
/* Add the stage that compares the call across ranks (checking mode). */
void mpico_coll_check(struct schedule *, const struct coll_call *);
void mpico_inter_check(struct schedule *, const struct coll_call *); /* of an intercommunicator */

#endif
