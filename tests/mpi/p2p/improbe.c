/* Several messages matched in order of arrival and received in another order. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MESSAGES = 20 };
    check_start(&argc, &argv);
    int out[MESSAGES], in = -1;
    MPI_Request requests[MESSAGES];
    MPI_Message messages[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = me * 100 + i;
        MPI_Isend(&out[i], 1, MPI_INT, right_of(me), 2, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        int found = 0;
        MPI_Status status;
        while (!found) {
            MPI_Improbe(i % 2 ? MPI_ANY_SOURCE : left_of(me), 2, MPI_COMM_WORLD, &found, &messages[i], &status);
        }
        CHECK(status.MPI_SOURCE == left_of(me) && bytes_of(&status) == (int)sizeof(int), "source %d",
              status.MPI_SOURCE);
    }
    for (int i = 0; i < MESSAGES; i++) {
        int which = (i * 7) % MESSAGES;
        MPI_Mrecv(&in, 1, MPI_INT, &messages[which], MPI_STATUS_IGNORE);
        CHECK(in == left_of(me) * 100 + which, "message %d holds %d", which, in);
    }
    MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    return check_finish();
}
