/* Detaching waits until the buffered messages have left: the buffer may be overwritten at once. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { LENGTH = CHECK_SMALL ? 3000 : 200000 };
    check_start(&argc, &argv);
    int size = 2 * (LENGTH + MPI_BSEND_OVERHEAD), detached_size = 0;
    unsigned char *buffer = check_alloc((size_t)size), *message = check_alloc(LENGTH);
    unsigned char *in[2] = {check_alloc(LENGTH), check_alloc(LENGTH)};
    MPI_Request requests[2];
    void *detached = NULL;
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(in[i], LENGTH, MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Buffer_attach(buffer, size);
    for (int i = 0; i < 2; i++) {
        fill_bytes(message, LENGTH, me + i);
        MPI_Bsend(message, LENGTH, MPI_BYTE, right_of(me), i, MPI_COMM_WORLD);
    }
    MPI_Buffer_detach(&detached, &detached_size);
    CHECK(detached == buffer && detached_size == size, "%d bytes of %d", detached_size, size);
    memset(buffer, 0xDD, (size_t)size);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) {
        CHECK(wrong_byte(in[i], LENGTH, left_of(me) + i) < 0, "message %d: byte %ld", i,
              wrong_byte(in[i], LENGTH, left_of(me) + i));
        free(in[i]);
    }
    free(buffer);
    free(message);
    return check_finish();
}
