/* A matched message is out of the matching: no probe or receive finds it, only MPI_Mrecv and MPI_Imrecv. */
#include "check.h"

int main(int argc, char **argv)
{
    const int lengths[] = {0, 4, 64, 5000, 100000};
    check_start(&argc, &argv);
    unsigned char *out[2] = {check_alloc(100000), check_alloc(100000)}, *in = check_alloc(100000);
    for (int i = 0; i < 5; i++) {
        int length = lengths[i], from = left_of(me), found = -1;
        MPI_Request sends[2], receive;
        MPI_Message first = MPI_MESSAGE_NULL, none = MPI_MESSAGE_NULL;
        MPI_Status status;
        for (int j = 0; j < 2; j++) {
            fill_bytes(out[j], (size_t)length, j + i);
            MPI_Isend(out[j], length, MPI_BYTE, right_of(me), 6, MPI_COMM_WORLD, &sends[j]);
        }
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &first, &status);
        CHECK(first != MPI_MESSAGE_NULL && status.MPI_SOURCE == from && status.MPI_TAG == 6 &&
                  bytes_of(&status) == length,
              "source %d, tag %d, %d bytes", status.MPI_SOURCE, status.MPI_TAG, bytes_of(&status));
        MPI_Recv(in, length, MPI_BYTE, from, 6, MPI_COMM_WORLD, &status); /* takes the second */
        CHECK(wrong_byte(in, (size_t)length, 1 + i) < 0, "length %d: the second message", length);
        MPI_Iprobe(from, 6, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        CHECK(!found, "length %d: the matched message is still found", length);
        MPI_Improbe(from, 6, MPI_COMM_WORLD, &found, &none, MPI_STATUS_IGNORE);
        CHECK(!found, "length %d: the matched message is matched again", length);
        memset(in, 0, (size_t)length);
        if (i % 2) {
            MPI_Mrecv(in, length, MPI_BYTE, &first, &status);
        } else {
            MPI_Imrecv(in, length, MPI_BYTE, &first, &receive);
            MPI_Wait(&receive, &status);
        }
        CHECK(first == MPI_MESSAGE_NULL, "length %d: message not null", length);
        CHECK(status.MPI_SOURCE == from && status.MPI_TAG == 6 && bytes_of(&status) == length,
              "source %d, tag %d, %d bytes", status.MPI_SOURCE, status.MPI_TAG, bytes_of(&status));
        CHECK(wrong_byte(in, (size_t)length, i) < 0, "length %d: the first message", length);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD); /* else a fast neighbour's next pair could be found above */
    }
    free(out[0]);
    free(out[1]);
    free(in);
    return check_finish();
}
