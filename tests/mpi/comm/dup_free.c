/* A thousand duplicates made, used and freed; some kept while others come and go. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm kept[10], comm;
    for (int i = 0; i < 1000; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, i % 100 == 0 ? &kept[i / 100] : &comm);
        if (i % 100 == 0)
            continue;
        if (i % 50 == 1) {
            int sum = -1;
            MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
            CHECK(sum == np * (np - 1) / 2, "duplicate %d: %d", i, sum);
        }
        MPI_Comm_free(&comm);
        CHECK(comm == MPI_COMM_NULL, "duplicate %d", i);
    }
    for (int i = 0; i < 10; i++)
        MPI_Comm_free(&kept[i]);
    return check_finish();
}
