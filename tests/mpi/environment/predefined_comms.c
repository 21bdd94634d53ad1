/* MPI_COMM_WORLD and MPI_COMM_SELF are there after MPI_Init, and every world rank is present once. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int rank = -1, size = -1;
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
    MPI_Comm_size(MPI_COMM_SELF, &size);
    CHECK(rank == 0 && size == 1, "self: %d of %d", rank, size);
    int *all = check_alloc((size_t)np * sizeof *all);
    MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < np; i++) {
        CHECK(all[i] == i, "place %d holds %d", i, all[i]);
    }
    free(all);
    return check_finish();
}
