/* Topologies for the tests of neighbourhood collectives, and which of a neighbour's blocks is to come along each edge. */
#ifndef MPICO_TESTS_TOPO_NEIGHBORS_H
#define MPICO_TESTS_TOPO_NEIGHBORS_H

#include <stddef.h>

#include "check.h"

enum { MOST = 200 }; /* edges of a rank: of 64 ranks, three times and a few */

struct edges {
    MPI_Comm comm;
    int in, out, source[MOST], destination[MOST];
    int slot[MOST]; /* of each source: the place of this edge among the source's destinations */
};

/* The k-th edge to a rank meets the k-th edge from it; but on a grid, what goes one way comes from the other. */
static inline void edges_match(struct edges *e, int mirrored)
{
    int *all = check_alloc((size_t)np * (MOST + 1) * sizeof(int)), mine[MOST + 1] = {e->out};
    memcpy(mine + 1, e->destination, (size_t)e->out * sizeof(int));
    MPI_Allgather(mine, MOST + 1, MPI_INT, all, MOST + 1, MPI_INT, e->comm);
    for (int i = 0; i < e->in; i++) {
        const int *list = all + (ptrdiff_t)e->source[i] * (MOST + 1) + 1;
        int before = 0, slot = 0;
        if (e->source[i] < 0) {
            continue;
        }
        for (int k = 0; k < i; k++) {
            before += e->source[k] == e->source[i];
        }
        while (list[slot] != me || before-- > 0) {
            slot++;
        }
        e->slot[i] = mirrored ? i ^ 1 : slot;
    }
    free(all);
}

static inline struct edges edges_cart(int ndims, int periodic)
{
    struct edges e = {.in = 2 * ndims, .out = 2 * ndims};
    int dims[4] = {0}, periods[4];
    MPI_Dims_create(np, ndims, dims);
    for (int i = 0; i < ndims; i++) {
        periods[i] = periodic;
    }
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &e.comm));
    for (int i = 0; i < ndims; i++) {
        MPI_Cart_shift(e.comm, i, 1, &e.source[2 * i], &e.source[2 * i + 1]);
    }
    memcpy(e.destination, e.source, sizeof e.source);
    edges_match(&e, 1);
    return e;
}

/* Everyone is everyone's neighbour, and its own. */
static inline struct edges edges_graph(void)
{
    struct edges e = {.in = np, .out = np};
    int *indx = check_alloc((size_t)np * sizeof(int)), *list = check_alloc((size_t)np * (size_t)np * sizeof(int));
    for (int i = 0; i < np; i++) {
        indx[i] = (i + 1) * np;
        e.source[i] = e.destination[i] = (me + i) % np;
        for (int k = 0; k < np; k++) {
            list[i * np + k] = (i + k) % np;
        }
    }
    CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, np, indx, list, 0, &e.comm));
    free(indx);
    free(list);
    edges_match(&e, 0);
    return e;
}

/* A ring one way, two edges to and from everyone, and more that come than go at rank 0. */
static inline struct edges edges_dist_graph(void)
{
    struct edges e = {.in = 1 + 2 * np, .out = 1 + 2 * np};
    for (int i = 0; i < np; i++) {
        e.source[i] = e.source[2 * np - i] = e.destination[2 * i] = e.destination[2 * i + 1] = i;
    }
    e.source[np] = left_of(me);
    e.destination[2 * np] = right_of(me);
    e.destination[e.out++] = 0;
    for (int i = 0; i < np && me == 0; i++) {
        e.source[e.in++] = i;
    }
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, e.in, e.source, MPI_UNWEIGHTED, e.out, e.destination,
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &e.comm));
    edges_match(&e, 0);
    return e;
}

#endif
