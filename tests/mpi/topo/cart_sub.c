/* MPI_Cart_sub: the slices of a grid, for every choice of dimensions. */
#include "check.h"

enum { DIMS = 3 };

static void check_slice(MPI_Comm cart, int bits, const int *dims, const int *periods, const int *coords)
{
    int remain[DIMS], kept = 0, n, sub_dims[DIMS], sub_periods[DIMS], sub_coords[DIMS], sum = 0, wanted = 0, size = 1;
    MPI_Comm sub;
    for (int i = 0; i < DIMS; i++) {
        remain[i] = bits >> i & 1;
        wanted = wanted * 100 + (remain[i] ? 0 : coords[i]);
    }
    CHECK_OK(MPI_Cart_sub(cart, remain, &sub));
    CHECK_OK(MPI_Cartdim_get(sub, &n));
    CHECK_OK(MPI_Cart_get(sub, DIMS, sub_dims, sub_periods, sub_coords));
    for (int i = 0; i < DIMS; i++) {
        if (remain[i]) {
            CHECK(kept < n && sub_dims[kept] == dims[i] && sub_periods[kept] == periods[i] &&
                      sub_coords[kept] == coords[i],
                  "choice %d, dimension %d", bits, i);
            kept++;
            size *= dims[i];
        }
    }
    MPI_Comm_size(sub, &n);
    CHECK(n == size, "choice %d: %d, wanted %d", bits, n, size);
    /* All of a slice have the same coordinates in the other dimensions. */
    MPI_Allreduce(&wanted, &sum, 1, MPI_INT, MPI_SUM, sub);
    CHECK(sum == wanted * size, "choice %d: %d, wanted %d of %d", bits, sum, size, wanted);
    MPI_Comm_free(&sub);
}

int main(int argc, char **argv)
{
    int dims[DIMS] = {0}, periods[DIMS] = {1, 0, 1}, coords[DIMS];
    MPI_Comm cart;
    check_start(&argc, &argv);
    MPI_Dims_create(np, DIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, dims, periods, 0, &cart);
    MPI_Cart_coords(cart, me, DIMS, coords);
    for (int bits = 0; bits < 1 << DIMS; bits++) {
        check_slice(cart, bits, dims, periods, coords);
    }
    MPI_Comm_free(&cart);
    return check_finish();
}
