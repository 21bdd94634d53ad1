/* Buffered sends complete before any receive; a buffer of exactly the sum of sizes and overheads is enough. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MESSAGES = 8, LENGTH = 30000 };
    check_start(&argc, &argv);
    int size = MESSAGES * (LENGTH + MPI_BSEND_OVERHEAD), detached_size = -1;
    void *buffer = check_alloc((size_t)size), *detached = NULL;
    unsigned char *message = check_alloc(LENGTH);
    MPI_Buffer_attach(buffer, size);
    for (int round = 0; round < 3; round++) { /* the space comes back once the messages have left */
        for (int i = 0; i < MESSAGES; i++) {
            fill_bytes(message, LENGTH, me + i);
            if (i % 2) {
                MPI_Bsend(message, LENGTH, MPI_BYTE, right_of(me), i, MPI_COMM_WORLD);
            } else {
                MPI_Request request;
                MPI_Ibsend(message, LENGTH, MPI_BYTE, right_of(me), i, MPI_COMM_WORLD, &request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
            }
            memset(message, 0, LENGTH); /* ours again */
        }
        for (int i = MESSAGES - 1; i >= 0; i--) {
            MPI_Recv(message, LENGTH, MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(wrong_byte(message, LENGTH, left_of(me) + i) < 0, "round %d, message %d", round, i);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* all received, so that detaching below can be immediate */
        MPI_Buffer_detach(&detached, &detached_size);
        CHECK(detached == buffer && detached_size == size, "%p of %d bytes, wanted %p of %d", detached, detached_size,
              buffer, size);
        MPI_Buffer_attach(buffer, size);
    }
    MPI_Buffer_detach(&detached, &detached_size);
    free(buffer);
    free(message);
    return check_finish();
}
