/* topo_dims.c: the sizes of a balanced grid (MPI 5.0, section 8.5.2): of all factorisations the one whose largest factor is
 * smallest, among those the one whose next factor is, and so on.
 */
#include "topo.h"

/* Whether the k-th power of f is n at least. */
static int power_reaches(int f, int k, int n)
{
    int p = 1;
    while (k-- > 0) {
        if (p > n / f)
            return 1;
        p *= f;
    }
    return p >= n;
}

/* The least divisor of n that is more than `last`: n itself at the end, and then 0. Of two divisors whose product is n, one
 * is no more than the root, so that few numbers are tried. */
static int next_divisor(int n, int last)
{
    for (int d = last + 1; d <= n / d; d++)
        if (n % d == 0)
            return d;
    int best = 0;
    for (int q = 1; q <= n / q && n / q > last; q++)
        if (n % q == 0)
            best = n / q;
    return best;
}

/* n as a product of k factors that do not increase, the first not above `most`, in the zeros of an array from `slot` on: 1, or 0
 * when there is none. The first factor that works is the least. */
static int balance(int n, int k, int most, int *slot)
{
    for (; n == 1 && k > 0; slot++) /* without this, many sizes would be many calls below each other */
        if (!*slot) {
            *slot = 1;
            k--;
        }
    if (k == 0)
        return n == 1;
    while (*slot)
        slot++;
    for (int f = next_divisor(n, 0); f && f <= most; f = next_divisor(n, f)) {
        if (!power_reaches(f, k, n))
            continue;
        if (k == 1 ? f == n : balance(n / f, k - 1, f, slot + 1)) {
            *slot = f;
            return 1;
        }
    }
    return 0;
}

static int check(struct rank *r, int nnodes, int ndims, const int *dims, int *rest, int *open)
{
    int e;
    *rest = nnodes;
    *open = 0;
    if (nnodes <= 0)
        return mpico_fault(r, MPI_ERR_DIMS, topo_text("nnodes: %d is not positive"), nnodes);
    if (ndims < 0)
        return mpico_fault(r, MPI_ERR_DIMS, topo_text("ndims: %d is negative"), ndims);
    if (ndims && (e = check_pointer(r, dims, "dims")))
        return e;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return mpico_fault(r, MPI_ERR_DIMS, topo_text("dims: %d is negative"), dims[i]);
        *open += dims[i] == 0;
        if (dims[i] && *rest % dims[i])
            return mpico_fault(r, MPI_ERR_DIMS, topo_text("dims: the sizes given do not divide %d nodes"), nnodes);
        *rest = dims[i] ? *rest / dims[i] : *rest;
    }
    if (!*open && ndims && *rest != 1)
        return mpico_fault(r, MPI_ERR_DIMS, topo_text("dims: the sizes given do not make %d nodes"), nnodes);
    return MPI_SUCCESS;
}

#pragma weak MPI_Dims_create = PMPI_Dims_create
int PMPI_Dims_create(int nnodes, int ndims, int dims[])
{
    struct rank *r = api_enter("MPI_Dims_create");
    int rest, open, e = check(r, nnodes, ndims, dims, &rest, &open);
    if (e)
        return api_error(r, NULL, e);
    if (open)
        balance(rest, open, rest, dims);
    return MPI_SUCCESS;
}
