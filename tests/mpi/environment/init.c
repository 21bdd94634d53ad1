/* MPI_Initialized and MPI_Finalized may be called at any time, and tell the truth. */
#include "check.h"

int main(int argc, char **argv)
{
    int up = -1, down = -1;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    CHECK(!up && !down, "before: initialized %d, finalized %d", up, down);
    check_start(&argc, &argv);
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    CHECK(up && !down, "between: initialized %d, finalized %d", up, down);
    CHECK(np >= 1 && me >= 0 && me < np, "rank %d of %d", me, np);
    MPI_Finalize();
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    CHECK(up && down, "after: initialized %d, finalized %d", up, down);
    return 0;
}
