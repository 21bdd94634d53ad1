/* A missing array of requests is an error and not a crash; an empty one needs no array. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    CHECK(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE) != MPI_SUCCESS, "rank %d", me);
    CHECK(MPI_Startall(1, NULL) != MPI_SUCCESS, "rank %d", me);
    CHECK_OK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    return check_finish();
}
