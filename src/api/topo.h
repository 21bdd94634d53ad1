/* topo.h: virtual topologies (MPI 5.0, chapter 8): what a communicator's neighbours are. One piece of memory, the same at all
 * ranks but for a distributed graph, of which each rank knows its own edges.
 */
#ifndef MPICO_API_TOPO_H
#define MPICO_API_TOPO_H

#include "../coll/inner.h"
#include "carried.h"

struct topology {
    int kind;     /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    int n, m;     /* dimensions; or nodes and edges; or edges that come in and that go out */
    int weighted; /* a distributed graph's edges have weights */
    int list[];   /* cart: n sizes, n flags whether periodic; graph: n indices, m edges; distributed graph: n sources, m
                     destinations, and where weighted n and m weights */
};

/* A sentence whose first value is a number; small builds have one for all of them. */
static inline const char *topo_text(const char *sentence)
{
    return SMALL ? "topology: %d is not possible here" : sentence;
}

/* Unset but for its numbers; NULL when memory is exhausted. The numbers are not negative. */
struct topology *api_topo_alloc(struct rank *, int kind, int n, int m, int weighted);

/* An intracommunicator: others have no topology. */
int check_topo_parent(struct rank *, MPI_Comm, struct comm **);
/* A communicator with a topology of this kind (0: any). */
int check_topo(struct rank *, MPI_Comm, int kind, struct comm **, const struct topology **);

/* The communicator with topology `t`, which it takes: of those members of `old` that say the same `color` (negative: none), in
 * the order of `rank`. An error has been raised already. */
int api_topo_make(struct rank *, struct comm *old, struct topology *t, int color, int rank, MPI_Comm *newcomm);

/* Whether there is what a step of all takes, a new communicator or messages between all: who fails in it alone leaves the others
 * waiting. */
int api_topo_room(struct rank *, const struct comm *);
/* Before all go on together: an error that one of them has met alone. Collective. */
static inline int topo_agree(struct rank *r, struct comm *old, int e)
{
    return SMALL ? e : mpico_inner_worst(r, old, e);
}

/* The neighbour of `rank` so many steps along a dimension, or MPI_PROC_NULL. */
int api_cart_step(const struct topology *, int rank, int dimension, int steps);
/* Coordinates of a rank, at most `room` of them. */
void api_cart_coords(const struct topology *, int rank, int room, int *coords);

/* The rank in a new Cartesian communicator of this one's process, which has rank `mine` of `old`; all ask alike. Better than the
 * order of `old` where the machine says how far its processes are apart. */
int api_cart_place(struct rank *, const struct comm *old, const struct topology *, int nodes, int mine);

/* n as a product of k (not 0) factors as near together as can be, in the k zeros of `dims`; they do not increase. */
void api_dims_balance(int n, int k, int *dims);

/* Where the integers of each of `size` ranks stand, one behind the other; their number, or -1 when it is too much. */
int api_topo_line_up(const int *count, int *at, int size);

/* A graph that all know wholly. Edges are ways of messages; weights are not negative. */
struct edge {
    int from, to, weight;
};
struct graph {
    int nodes, edges;
    const struct edge *edge;
};
/* The process of each node: place[] has room for twice the nodes, the first half gets ranks of `old`. The machine says its
 * hops. */
void api_graph_place(struct rank *, const struct comm *old, const struct graph *, int *place);

/* The node that this process takes, whose graph has been made in the order of `old`: its own rank, or a better one where the machine
 * says how far its processes are apart. Of a distributed graph, `t` becomes the part of that node; collective, and an error has been
 * raised then. */
int api_graph_reorder(struct rank *, const struct comm *old, const struct topology *t, int *node);
int api_dist_reorder(struct rank *, struct comm *old, struct topology **t, int *node);
static inline int topo_may_reorder(const struct rank *r, int reorder) { return !SMALL && reorder && r->machine->hops; }

#endif
