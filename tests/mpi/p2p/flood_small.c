/* 5000 short messages are on their way before the first is received. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MESSAGES = 5000 };
    check_start(&argc, &argv);
    static int out[MESSAGES];
    static MPI_Request requests[MESSAGES];
    int pairs = np / 2, done = 0;
    if (me < pairs) { /* rank r floods rank r + pairs */
        for (int i = 0; i < MESSAGES; i++) {
            out[i] = i * 5 + me;
            MPI_Isend(&out[i], 1, MPI_INT, me + pairs, 3, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Send(&done, 1, MPI_INT, me + pairs, 4, MPI_COMM_WORLD);
        MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    } else if (me < 2 * pairs) {
        MPI_Recv(&done, 1, MPI_INT, me - pairs, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MESSAGES; i++) {
            int in = -1;
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, i % 2 ? MPI_ANY_TAG : 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(in == i * 5 + me - pairs, "message %d holds %d", i, in);
        }
    }
    return check_finish();
}
