/* topo_cart.c: Cartesian topologies (MPI 5.0, sections 8.5.1, 8.5.5 to 8.5.7). Ranks count the last dimension first. */
#include <limits.h>

#include "topo.h"

/* ---- Arithmetic ---- */

static const int *periods(const struct topology *t) { return t->list + t->n; }

static int nodes_of(const struct topology *t)
{
    int nodes = 1;
    for (int i = 0; i < t->n; i++)
        nodes *= t->list[i];
    return nodes;
}

void api_cart_coords(const struct topology *t, int rank, int room, int *coords)
{
    int behind = nodes_of(t);
    for (int i = 0; i < t->n && i < room; i++) {
        behind /= t->list[i];
        coords[i] = rank / behind;
        rank %= behind;
    }
}

/* The remainder that is not negative. */
static int wrap(int a, int size)
{
    a %= size;
    return a < 0 ? a + size : a;
}

int api_cart_step(const struct topology *t, int rank, int dimension, int steps)
{
    int size = t->list[dimension], behind = 1;
    for (int i = dimension + 1; i < t->n; i++)
        behind *= t->list[i];
    int at = rank / behind % size;
    if (periods(t)[dimension])
        return rank + (wrap(at + steps % size, size) - at) * behind;
    if (steps >= size - at || steps < -at)
        return MPI_PROC_NULL;
    return rank + steps * behind;
}

/* ---- Making ---- */

/* Sizes that make a grid of at most so many nodes, or an error class; *nodes is their product. Nobody is in a grid with an extent of 0,
 * as nobody is in a graph without nodes (MPI 5.0, sections 8.5.1 and 8.5.3). */
static int check_dims(struct rank *r, int ndims, const int *dims, const int *flags, int most, int *nodes)
{
    int e;
    *nodes = 1;
    if (ndims < 0)
        return mpico_fault(r, MPI_ERR_DIMS, topo_text("ndims: %d is negative"), ndims);
    if (ndims && ((e = check_pointer(r, dims, "dims")) || (e = check_pointer(r, flags, "periods"))))
        return e;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return mpico_fault(r, MPI_ERR_DIMS, topo_text("dims: %d is negative"), dims[i]);
        if (*nodes && dims[i] > most / *nodes)
            return mpico_fault(r, MPI_ERR_DIMS,
                               topo_text("dims: the grid has more nodes than the communicator's %d ranks"), most);
        *nodes *= dims[i];
    }
    return MPI_SUCCESS;
}

static struct topology *make(struct rank *r, int ndims, const int *dims, const int *flags)
{
    struct topology *t = api_topo_alloc(r, MPI_CART, ndims, 0, 0);
    for (int i = 0; t && i < ndims; i++) {
        t->list[i] = dims[i];
        t->list[ndims + i] = flags[i] != 0;
    }
    return t;
}

/* The grid that both calls ask for, and this process's rank in it: negative when it has none. */
static int plan(struct rank *r, MPI_Comm old, int ndims, const int *dims, const int *flags, int reorder,
                const void *result, struct comm **c, struct topology **t, int *rank)
{
    int e, nodes;
    if ((e = check_topo_parent(r, old, c)) || (e = check_dims(r, ndims, dims, flags, (*c)->size, &nodes)) ||
        (e = check_pointer(r, result, "result")))
        return e;
    *t = make(r, ndims, dims, flags);
    if (!*t)
        return MPI_ERR_NO_MEM;
    *rank = (*c)->rank;
    if (*rank >= nodes)
        *rank = MPI_UNDEFINED;
    else if (!SMALL && reorder)
        *rank = api_cart_place(r, *c, *t, nodes, *rank);
    return MPI_SUCCESS;
}

#pragma weak MPI_Cart_create = PMPI_Cart_create
int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int flags[], int reorder,
                     MPI_Comm *comm_cart)
{
    struct rank *r = api_enter("MPI_Cart_create");
    struct comm *c = NULL;
    struct topology *t;
    int rank, e = plan(r, comm_old, ndims, dims, flags, reorder, comm_cart, &c, &t, &rank);
    return e ? api_error(r, c, e) : api_topo_make(r, c, t, rank < 0 ? rank : 0, rank, comm_cart);
}

#pragma weak MPI_Cart_map = PMPI_Cart_map
int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int flags[], int *newrank)
{
    struct rank *r = api_enter("MPI_Cart_map");
    struct comm *c = NULL;
    struct topology *t;
    int rank, e = plan(r, comm, ndims, dims, flags, 1, newrank, &c, &t, &rank);
    if (e)
        return api_error(r, c, e);
    mpico_heap_free(&r->heap, t);
    *newrank = rank;
    return MPI_SUCCESS;
}

/* Those with the same coordinates in the dimensions that go are together, in the order of the others. */
#pragma weak MPI_Cart_sub = PMPI_Cart_sub
int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Cart_sub");
    struct comm *c = NULL;
    const struct topology *t;
    int e, kept = 0, color = 0, rank = 0, behind;
    if ((e = check_topo(r, comm, MPI_CART, &c, &t)) || (t->n && (e = check_pointer(r, remain_dims, "remain_dims"))) ||
        (e = check_pointer(r, newcomm, "newcomm")))
        return api_error(r, c, e);
    for (int i = 0; i < t->n; i++)
        kept += remain_dims[i] != 0;
    struct topology *sub = api_topo_alloc(r, MPI_CART, kept, 0, 0);
    if (!sub)
        return api_error(r, c, MPI_ERR_NO_MEM);
    behind = nodes_of(t);
    for (int i = 0, k = 0; i < t->n; i++) {
        int size = t->list[i];
        behind /= size;
        int at = c->rank / behind % size;
        if (remain_dims[i]) {
            sub->list[k] = size;
            sub->list[kept + k++] = periods(t)[i];
            rank = rank * size + at;
        } else {
            color = color * size + at;
        }
    }
    return api_topo_make(r, c, sub, color, rank, newcomm);
}

/* ---- Asking ---- */

/* A grid, and where the answer goes. */
static int check_cart(struct rank *r, MPI_Comm comm, const void *result, struct comm **c, const struct topology **t)
{
    int e = check_topo(r, comm, MPI_CART, c, t);
    return e ? e : check_pointer(r, result, "result");
}

#pragma weak MPI_Cartdim_get = PMPI_Cartdim_get
int PMPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    struct rank *r = api_enter("MPI_Cartdim_get");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_cart(r, comm, ndims, &c, &t)))
        return api_error(r, c, e);
    *ndims = t->n;
    return MPI_SUCCESS;
}

static int check_room(struct rank *r, int room, const int *array, const char *name)
{
    if (room < 0)
        return mpico_fault(r, MPI_ERR_ARG, "%s: room for %d", name, room);
    return room ? check_pointer(r, array, name) : MPI_SUCCESS;
}

#pragma weak MPI_Cart_get = PMPI_Cart_get
int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int flags[], int coords[])
{
    struct rank *r = api_enter("MPI_Cart_get");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_topo(r, comm, MPI_CART, &c, &t)) || (e = check_room(r, maxdims, dims, "dims")) ||
        (e = check_room(r, maxdims, flags, "periods")) || (e = check_room(r, maxdims, coords, "coords")))
        return api_error(r, c, e);
    for (int i = 0; i < t->n && i < maxdims; i++) {
        dims[i] = t->list[i];
        flags[i] = periods(t)[i];
    }
    api_cart_coords(t, c->rank, maxdims, coords);
    return MPI_SUCCESS;
}

#pragma weak MPI_Cart_coords = PMPI_Cart_coords
int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
    struct rank *r = api_enter("MPI_Cart_coords");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_topo(r, comm, MPI_CART, &c, &t)) || (e = check_room(r, maxdims, coords, "coords")))
        return api_error(r, c, e);
    if (rank < 0 || rank >= c->size)
        return api_error(
            r, c, mpico_fault(r, MPI_ERR_RANK, topo_text("rank: %d is not in the grid of %d nodes"), rank, c->size));
    api_cart_coords(t, rank, maxdims, coords);
    return MPI_SUCCESS;
}

#pragma weak MPI_Cart_rank = PMPI_Cart_rank
int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
    struct rank *r = api_enter("MPI_Cart_rank");
    struct comm *c = NULL;
    const struct topology *t;
    int e, at = 0;
    if ((e = check_topo(r, comm, MPI_CART, &c, &t)) || (t->n && (e = check_pointer(r, coords, "coords"))) ||
        (e = check_pointer(r, rank, "rank")))
        return api_error(r, c, e);
    for (int i = 0; i < t->n; i++) {
        int size = t->list[i], here = wrap(coords[i], size);
        if (here != coords[i] && !periods(t)[i])
            return api_error(r, c,
                             mpico_fault(r, MPI_ERR_ARG,
                                         topo_text("coords: %d is outside of dimension %d, which has %d and no wrap"),
                                         coords[i], i, size));
        at = at * size + here;
    }
    *rank = at;
    return MPI_SUCCESS;
}

#pragma weak MPI_Cart_shift = PMPI_Cart_shift
int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    struct rank *r = api_enter("MPI_Cart_shift");
    struct comm *c = NULL;
    const struct topology *t;
    int e;
    if ((e = check_topo(r, comm, MPI_CART, &c, &t)) || (e = check_pointer(r, rank_source, "rank_source")) ||
        (e = check_pointer(r, rank_dest, "rank_dest")))
        return api_error(r, c, e);
    if (direction < 0 || direction >= t->n)
        return api_error(
            r, c,
            mpico_fault(r, MPI_ERR_DIMS, topo_text("direction: %d is none of the %d dimensions"), direction, t->n));
    if (disp == INT_MIN) /* of which there is no negative: the same way round, and as far outside */
        disp += t->list[direction];
    *rank_source = api_cart_step(t, c->rank, direction, -disp);
    *rank_dest = api_cart_step(t, c->rank, direction, disp);
    return MPI_SUCCESS;
}
