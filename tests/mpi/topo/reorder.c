/* A grid with reordering is a grid all the same: every rank has one place in it, and messages along its edges come from the neighbour.
 */
#include "check.h"

int main(int argc, char **argv)
{
    int dims[2] = {0, 0}, periods[2] = {0, 1}, rank, coords[2], at, out[4], in[4], source[4], sum;
    MPI_Comm grid;
    check_start(&argc, &argv);
    MPI_Dims_create(np, 2, dims);
    for (int turn = 0; turn < 2; turn++) {
        int sizes[2] = {dims[turn], dims[!turn]};
        CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 1, &grid));
        MPI_Comm_rank(grid, &rank);
        MPI_Cart_coords(grid, rank, 2, coords);
        MPI_Cart_rank(grid, coords, &at);
        CHECK(at == rank, "%d %d", at, rank);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(sum == np * (np - 1) / 2, "%d", sum);
        MPI_Cart_shift(grid, 0, 1, &source[0], &source[1]);
        MPI_Cart_shift(grid, 1, 1, &source[2], &source[3]);
        for (int i = 0; i < 4; i++) {
            out[i] = 10 * rank + i;
            in[i] = -1;
        }
        CHECK_OK(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid));
        for (int i = 0; i < 4; i++) {
            int wanted = source[i] < 0 ? -1 : 10 * source[i] + (i ^ 1);
            CHECK(in[i] == wanted, "edge %d: %d, wanted %d", i, in[i], wanted);
        }
        MPI_Comm_free(&grid);
    }
    return check_finish();
}
