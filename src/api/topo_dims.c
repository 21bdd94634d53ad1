/* topo_dims.c: the sizes of a balanced grid (MPI 5.0, section 8.5.2): of all factorisations the one whose largest and smallest factors
 * differ least; among those the one whose smallest factor is largest, then the one whose second smallest is, and so on, as others have it.
 */
#include "topo.h"

/* Whether the k-th power of f is more than n. Apart, for size. */
static __attribute__((noinline)) int power_exceeds(int f, int k, int n)
{
    int p = 1;
    while (k-- > 0) {
        if (p > n / f)
            return 1;
        p *= f;
    }
    return 0;
}

/* The least divisor of n that is more than `last`: n itself at the end, and then 0. Of two divisors whose product is n, one
 * is no more than the root, so that few numbers are tried. */
static int next_divisor(int n, int last)
{
    if (last == n)
        return 0;
    for (int d = last + 1; d <= n / d; d++)
        if (n % d == 0)
            return d;
    int best = 0;
    for (int q = 1; q <= n / q && n / q > last; q++)
        if (n % q == 0)
            best = n / q;
    return best;
}

/* n as a product of k factors from `most` down to `least` that do not increase, the first that there are if the least are tried first: the
 * smallest of them, or 0 when there is no such product. In small builds they go to the zeros of an array from `slot` on. */
static int factors(int n, int k, int most, int least, int *slot)
{
    while (SMALL && *slot)
        slot++;
    if (n == 1 || k == 1) { /* all at once: many ones would be many calls below each other */
        if (n > most || (!SMALL && n < least))
            return 0;
        for (; SMALL && k; slot++)
            if (!*slot) {
                *slot = n;
                k--;
            }
        return n;
    }
    int smallest = 0, f = 1;
    while (!smallest && (f = next_divisor(n, f)) && f <= most && (SMALL || !power_exceeds(least, k - 1, n / f)))
        if (power_exceeds(f, k, n - 1))
            smallest = factors(n / f, k - 1, f, least, SMALL ? slot + 1 : NULL);
    if (SMALL && smallest)
        *slot = f;
    return smallest;
}

/* The largest that can be the smallest of k factors of n. */
static int largest_smallest(int n, int k, int most, int least)
{
    int found = least;
    for (int f = least; !power_exceeds(f, k, n); f++)
        if (n % f == 0 && factors(n / f, k - 1, most, f, NULL))
            found = f;
    return found;
}

/* The zeros of the array, of which `slot` is the last, get k factors, the smallest first. */
static void fill(int n, int k, int most, int least, int *slot)
{
    enum { FACTORS = 31 }; /* of an int, at most, that are more than 1 */
    for (; k; k--, slot--) {
        while (*slot)
            slot--;
        least = k > FACTORS ? 1 : k == 1 ? n : largest_smallest(n, k, most, least);
        *slot = least;
        n /= least;
    }
}

static int *last_zero(int *dims, int k)
{
    for (;; dims++)
        if (!*dims && --k == 0)
            return dims;
}

/* Largest factors are tried from the least up, and only what is no farther apart than the best so far: as the smallest is no more than
 * the root, this soon ends. Small builds have no room for it, and take the product whose largest factor is least. */
void api_dims_balance(int n, int k, int *dims)
{
    int most = n, spread = n - 1, smallest, least = 1;
    for (int f = 1; !SMALL && k > 1 && f; f = next_divisor(n, f)) {
        least = f > spread ? f - spread : 1;
        if (power_exceeds(least, k, n))
            break;
        while ((smallest = factors(n / f, k - 1, f, least, NULL))) {
            most = f;
            spread = f - smallest;
            least = smallest + 1;
        }
    }
    if (SMALL)
        factors(n, k, most, 1, dims);
    else
        fill(n, k, most, most - spread, last_zero(dims, k));
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
        api_dims_balance(rest, open, dims);
    return MPI_SUCCESS;
}
