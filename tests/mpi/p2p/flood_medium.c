/* 200 messages of 8 KiB are on their way before the first is received, the last first. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MESSAGES = 200, LENGTH = 8192 };
    check_start(&argc, &argv);
    int pairs = np / 2, done = 0;
    if (me < pairs) {
        unsigned char *out = check_alloc((size_t)MESSAGES * LENGTH);
        MPI_Request requests[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            fill_bytes(out + i * LENGTH, LENGTH, me + i);
            MPI_Isend(out + i * LENGTH, LENGTH, MPI_BYTE, me + pairs, i, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Send(&done, 1, MPI_INT, me + pairs, MESSAGES, MPI_COMM_WORLD);
        MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
        free(out);
    } else if (me < 2 * pairs) {
        unsigned char in[LENGTH];
        MPI_Recv(&done, 1, MPI_INT, me - pairs, MESSAGES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = MESSAGES - 1; i >= 0; i--) {
            MPI_Recv(in, LENGTH, MPI_BYTE, me - pairs, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(wrong_byte(in, LENGTH, me - pairs + i) < 0, "message %d: byte %ld", i,
                  wrong_byte(in, LENGTH, me - pairs + i));
        }
    }
    return check_finish();
}
