/* A nonblocking collective and a blocking one that the ranks call in different orders do not meet: each rank in turn starts
 * an allreduce and then waits at a barrier, the others the other way round. The standard leaves such programs undefined; there are
 * some that count on it. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int first = 0; first < np; first++) {
        MPI_Request request;
        int mine = me == first ? 11 : 13, both = mine, flag = 1;
        if (me == first) {
            CHECK_OK(MPI_Iallreduce(&mine, &both, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD, &request));
            CHECK_OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            CHECK(np == 1 || !flag, "the others have not begun the allreduce");
            CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        } else {
            CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
            CHECK_OK(MPI_Iallreduce(&mine, &both, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD, &request));
        }
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(both == (np == 1 ? 11 : 9), "the bits of all: %d", both);
    }
    return check_finish();
}
