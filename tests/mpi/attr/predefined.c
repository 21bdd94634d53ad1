/* The values that communicators are born with. */
#include <limits.h>

#include "check.h"

static int value_of(int key)
{
    int *value = NULL, flag = 0;
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
    CHECK(flag && value, "key %d: flag %d", key, flag);
    return *value;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    CHECK(value_of(MPI_TAG_UB) >= 32767, "%d", value_of(MPI_TAG_UB));
    CHECK(value_of(MPI_UNIVERSE_SIZE) == np, "%d of %d", value_of(MPI_UNIVERSE_SIZE), np);
    int host = value_of(MPI_HOST), io = value_of(MPI_IO), global = value_of(MPI_WTIME_IS_GLOBAL);
    CHECK(host == MPI_PROC_NULL || (host >= 0 && host < np), "%d", host);
    CHECK(io == MPI_PROC_NULL || io == MPI_ANY_SOURCE || (io >= 0 && io < np), "%d", io);
    CHECK(global == 0 || global == 1, "%d", global);
    CHECK(value_of(MPI_APPNUM) >= 0, "%d", value_of(MPI_APPNUM));
    CHECK(value_of(MPI_LASTUSEDCODE) >= MPI_ERR_LASTCODE, "%d", value_of(MPI_LASTUSEDCODE));
    /* The highest tag works. */
    int x = me, y = -1;
    MPI_Sendrecv(&x, 1, MPI_INT, right_of(me), value_of(MPI_TAG_UB), &y, 1, MPI_INT, left_of(me), value_of(MPI_TAG_UB),
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(y == left_of(me), "%d", y);
    return check_finish();
}
