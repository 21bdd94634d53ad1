/* 300000 elements through MPI_Bcast and MPI_Allreduce, blocking and not, at any number of ranks. */
#include "check.h"

enum { COUNT = 300000 };

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    int *data = check_alloc(COUNT * sizeof *data), *sum = check_alloc(COUNT * sizeof *sum), root = np - 1;
    for (int i = 0; i < COUNT; i++)
        data[i] = me == root ? i * 3 : -1;
    MPI_Bcast(data, COUNT, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        CHECK(data[i] == i * 3, "bcast: element %d: %d", i, data[i]);
    for (int i = 0; i < COUNT; i++)
        data[i] = me + i;
    MPI_Request q;
    MPI_Iallreduce(data, sum, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++)
        CHECK(sum[i] == np * (np - 1) / 2 + np * i, "allreduce: element %d: %d", i, sum[i]);
    MPI_Allreduce(MPI_IN_PLACE, data, COUNT, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        CHECK(data[i] == np - 1 + i, "allreduce in place: element %d: %d", i, data[i]);
    free(data);
    free(sum);
    return check_finish();
}
