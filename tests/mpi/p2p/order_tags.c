/* Receives by tag in reverse order of sending: the tag selects, not the time of arrival. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MESSAGES = 500 };
    check_start(&argc, &argv);
    int out[MESSAGES];
    MPI_Request requests[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = me * 1000 + i;
        MPI_Isend(&out[i], 1, MPI_INT, right_of(me), i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = MESSAGES - 1; i >= 0; i--) {
        int in = -1;
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(in == left_of(me) * 1000 + i, "tag %d holds %d", i, in);
    }
    MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    return check_finish();
}
