/* Thousands of receives outstanding, answered in the same and in the opposite order. */
#include "check.h"

enum { MESSAGES = 2000 };
static int in[MESSAGES], out[MESSAGES];
static MPI_Request sends[MESSAGES], receives[MESSAGES];

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int reverse = 0; reverse < 2; reverse++) {
        for (int i = 0; i < MESSAGES; i++) {
            in[i] = -1;
            MPI_Irecv(&in[i], 1, MPI_INT, left_of(me), i, MPI_COMM_WORLD, &receives[i]);
        }
        for (int i = 0; i < MESSAGES; i++) {
            int tag = reverse ? MESSAGES - 1 - i : i;
            out[tag] = me + tag * 3;
            MPI_Isend(&out[tag], 1, MPI_INT, right_of(me), tag, MPI_COMM_WORLD, &sends[i]);
        }
        MPI_Waitall(MESSAGES, receives, MPI_STATUSES_IGNORE);
        MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
        for (int i = 0; i < MESSAGES; i++) {
            CHECK(in[i] == left_of(me) + i * 3, "reverse %d: tag %d holds %d", reverse, i, in[i]);
            CHECK(sends[i] == MPI_REQUEST_NULL && receives[i] == MPI_REQUEST_NULL, "request %d not null", i);
        }
    }
    return check_finish();
}
