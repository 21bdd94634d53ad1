/* Many non-blocking collectives outstanding at once on two communicators, with point to point between them,
 * completed last first. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { N = 20 };
    check_start(&argc, &argv);
    MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    int mine[N], sum[N], data[N][3], token[N], got[N];
    MPI_Request requests[5 * N];
    for (int i = 0; i < N; i++) {
        MPI_Comm comm = comms[i % 2];
        mine[i] = me + i;
        token[i] = me * 50 + i;
        for (int j = 0; j < 3; j++)
            data[i][j] = me == i % np ? i * 3 + j : -1;
        MPI_Irecv(&got[i], 1, MPI_INT, left_of(me), MPI_ANY_TAG, comm, &requests[5 * i]);
        MPI_Iallreduce(&mine[i], &sum[i], 1, MPI_INT, MPI_SUM, comm, &requests[5 * i + 1]);
        MPI_Ibcast(data[i], 3, MPI_INT, i % np, comm, &requests[5 * i + 2]);
        MPI_Isend(&token[i], 1, MPI_INT, right_of(me), i, comm, &requests[5 * i + 3]);
        MPI_Ibarrier(comm, &requests[5 * i + 4]);
    }
    for (int i = 5 * N - 1; i >= 0; i--)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) {
        CHECK(got[i] == left_of(me) * 50 + i, "message %d holds %d", i, got[i]);
        CHECK(sum[i] == np * (np - 1) / 2 + np * i, "sum %d is %d", i, sum[i]);
        for (int j = 0; j < 3; j++)
            CHECK(data[i][j] == i * 3 + j, "broadcast %d: element %d is %d", i, j, data[i][j]);
    }
    MPI_Comm_free(&comms[1]);
    return check_finish();
}
