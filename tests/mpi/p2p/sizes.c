/* A message of every border length arrives whole, with its status, and writes nothing beyond its end. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    size_t room = (size_t)border_bytes[BORDERS - 1];
    unsigned char *out = check_alloc(room), *in = check_alloc(room + 16);
    for (int i = 0; i < BORDERS; i++) {
        size_t length = (size_t)border_bytes[i];
        MPI_Request request;
        MPI_Status status;
        fill_bytes(out, length, me + i);
        memset(in, 0xEE, length + 16);
        MPI_Irecv(in, border_bytes[i], MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, &request);
        MPI_Send(out, border_bytes[i], MPI_BYTE, right_of(me), i, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        CHECK(request == MPI_REQUEST_NULL, "length %zu", length);
        CHECK(status.MPI_SOURCE == left_of(me) && status.MPI_TAG == i && bytes_of(&status) == border_bytes[i],
              "source %d, tag %d, %d bytes instead of %zu", status.MPI_SOURCE, status.MPI_TAG, bytes_of(&status),
              length);
        long wrong = wrong_byte(in, length, left_of(me) + i);
        CHECK(wrong < 0, "byte %ld of %zu", wrong, length);
        for (size_t j = length; j < length + 16; j++) {
            CHECK(in[j] == 0xEE, "byte %zu of %zu was written", j, length);
        }
    }
    free(out);
    free(in);
    return check_finish();
}
