/* Cartesian grids of one to four dimensions: ranks and coordinates, shifts with and without wrap, ranks left over. */
#include <limits.h>

#include "check.h"

enum { MOST = 4 };

static void check_shift(MPI_Comm cart, int ndims, const int *dims, const int *periods, const int *coords, int d,
                        int disp)
{
    int source, dest, to[MOST], at, ends[2];
    CHECK_OK(MPI_Cart_shift(cart, d, disp, &source, &dest));
    for (int sign = 0; sign < 2; sign++) {
        memcpy(to, coords, (size_t)ndims * sizeof *to);
        to[d] += sign ? disp : -disp;
        at = MPI_PROC_NULL;
        if (periods[d] || (to[d] >= 0 && to[d] < dims[d])) {
            CHECK_OK(MPI_Cart_rank(cart, to, &at));
        }
        ends[sign] = at;
    }
    CHECK(source == ends[0] && dest == ends[1], "dimension %d by %d: %d and %d, wanted %d and %d", d, disp, source,
          dest, ends[0], ends[1]);
}

static void check_grid(MPI_Comm cart, int ndims, const int *dims, const int *periods)
{
    int n = -1, got[MOST], flags[MOST], coords[MOST], again[MOST], rank, at, kind;
    MPI_Comm_rank(cart, &rank);
    CHECK_OK(MPI_Topo_test(cart, &kind));
    CHECK(kind == MPI_CART, "%d", kind);
    CHECK_OK(MPI_Cartdim_get(cart, &n));
    CHECK(n == ndims, "%d, wanted %d", n, ndims);
    CHECK_OK(MPI_Cart_get(cart, MOST, got, flags, coords));
    CHECK_OK(MPI_Cart_coords(cart, rank, MOST, again));
    CHECK_OK(MPI_Cart_rank(cart, coords, &at));
    CHECK(at == rank, "%d, wanted %d", at, rank);
    for (int i = 0; i < ndims; i++) {
        CHECK(got[i] == dims[i] && flags[i] == periods[i] && coords[i] == again[i], "dimension %d: %d %d %d %d", i,
              got[i], flags[i], coords[i], again[i]);
        for (int disp = -dims[i] - 1; disp <= dims[i] + 1; disp++) {
            check_shift(cart, ndims, dims, periods, coords, i, disp);
        }
    }
}

/* The last dimension counts first. */
static void check_order(MPI_Comm cart, int ndims, const int *dims)
{
    int size, coords[MOST];
    MPI_Comm_size(cart, &size);
    for (int rank = 0; rank < size; rank++) {
        int at = 0;
        CHECK_OK(MPI_Cart_coords(cart, rank, MOST, coords));
        for (int i = 0; i < ndims; i++) {
            at = at * dims[i] + coords[i];
        }
        CHECK(at == rank, "%d, wanted %d", at, rank);
    }
}

static void check_all(int ndims, int reorder)
{
    int dims[MOST] = {0}, periods[MOST], nodes = np > 2 ? np - np % 2 : np, mapped;
    MPI_Comm cart, twin;
    CHECK_OK(MPI_Dims_create(nodes, ndims, dims));
    for (int bits = 0; bits < 1 << ndims; bits++) {
        for (int i = 0; i < ndims; i++) {
            periods[i] = bits >> i & 1;
        }
        CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, reorder, &cart));
        CHECK_OK(MPI_Cart_map(MPI_COMM_WORLD, ndims, dims, periods, &mapped));
        CHECK((cart == MPI_COMM_NULL) == (me >= nodes) && (mapped == MPI_UNDEFINED) == (me >= nodes), "%d nodes",
              nodes);
        if (cart == MPI_COMM_NULL) {
            continue;
        }
        int rank;
        MPI_Comm_rank(cart, &rank);
        CHECK(rank == (reorder ? mapped : me), "%d, mapped to %d", rank, mapped);
        check_grid(cart, ndims, dims, periods);
        check_order(cart, ndims, dims);
        MPI_Comm_dup(cart, &twin);
        check_grid(twin, ndims, dims, periods);
        MPI_Comm_free(&cart);
        check_grid(twin, ndims, dims, periods);
        MPI_Comm_free(&twin);
    }
}

/* A grid of no dimensions has one node. */
static void check_point(void)
{
    int n = -1, rank = -1, none;
    MPI_Comm cart;
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &cart));
    CHECK((cart == MPI_COMM_NULL) == (me != 0), "np %d", np);
    if (cart == MPI_COMM_NULL) {
        return;
    }
    CHECK_OK(MPI_Cartdim_get(cart, &n));
    CHECK_OK(MPI_Cart_get(cart, 0, &none, &none, &none));
    CHECK_OK(MPI_Cart_rank(cart, NULL, &rank));
    CHECK(n == 0 && rank == 0, "%d %d", n, rank);
    CHECK_CLASS(MPI_Cart_shift(cart, 0, 1, &n, &rank), MPI_ERR_DIMS);
    MPI_Comm_free(&cart);
}

static void check_errors(void)
{
    int n, kind, wrap = 0, around = 1;
    MPI_Comm cart;
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){np + 1}, &wrap, 0, &cart), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){-1}, &wrap, 0, &cart), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_map(MPI_COMM_WORLD, 2, (int[]){0, -1}, (int[]){0, 0}, &n), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){65536, 65536}, (int[]){0, 0}, 0, &cart), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, -1, NULL, NULL, 0, &cart), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, NULL, &wrap, 0, &cart), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cartdim_get(MPI_COMM_WORLD, &n), MPI_ERR_TOPOLOGY);
    CHECK_OK(MPI_Topo_test(MPI_COMM_WORLD, &kind));
    CHECK(kind == MPI_UNDEFINED, "%d", kind);
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &wrap, 0, &cart));
    CHECK_CLASS(MPI_Cart_rank(cart, &np, &n), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Cart_coords(cart, np, 1, &n), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Cart_shift(cart, 1, 1, &n, &kind), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Graphdims_get(cart, &n, &kind), MPI_ERR_TOPOLOGY);
    int source, dest;
    CHECK_OK(MPI_Cart_shift(cart, 0, INT_MIN, &source, &dest));
    CHECK(source == MPI_PROC_NULL && dest == MPI_PROC_NULL, "%d %d", source, dest);
    MPI_Comm_free(&cart);
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &around, 0, &cart));
    CHECK_OK(MPI_Cart_shift(cart, 0, INT_MIN, &source, &dest));
    int left = (int)((me + (long long)INT_MIN) % np + np) % np, right = (int)((me - (long long)INT_MIN) % np);
    CHECK(source == right && dest == left, "%d %d, wanted %d %d", source, dest, right, left);
    MPI_Comm_free(&cart);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    int most = np > 16 ? 2 : MOST; /* many ranks share a processor */
    for (int ndims = 1; ndims <= most; ndims++) {
        check_all(ndims, 0);
        check_all(ndims, 1);
    }
    check_point();
    check_errors();
    return check_finish();
}
