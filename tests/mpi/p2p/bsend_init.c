/* Persistent buffered sends complete before their receives are posted, start after start. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { SENDS = 4, LENGTH = 20000 };
    check_start(&argc, &argv);
    int size = SENDS * (LENGTH + MPI_BSEND_OVERHEAD), detached_size = -1;
    void *buffer = check_alloc((size_t)size), *detached = NULL;
    unsigned char *out = check_alloc(SENDS * LENGTH), *in = check_alloc(LENGTH);
    const int lengths[SENDS] = {0, 10, 5000, LENGTH};
    MPI_Request q[SENDS];
    for (int i = 0; i < SENDS; i++)
        MPI_Bsend_init(out + i * LENGTH, lengths[i], MPI_BYTE, right_of(me), i, MPI_COMM_WORLD, &q[i]);
    for (int round = 0; round < 5; round++) {
        MPI_Buffer_attach(buffer, size);
        for (int i = 0; i < SENDS; i++)
            fill_bytes(out + i * LENGTH, (size_t)lengths[i], me + i + round);
        MPI_Startall(SENDS, q);
        MPI_Waitall(SENDS, q, MPI_STATUSES_IGNORE);
        memset(out, 0, SENDS * LENGTH); /* ours again */
        for (int i = SENDS - 1; i >= 0; i--) {
            CHECK(q[i] != MPI_REQUEST_NULL, "round %d: request %d is gone", round, i);
            MPI_Recv(in, LENGTH, MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(wrong_byte(in, (size_t)lengths[i], left_of(me) + i + round) < 0, "round %d, %d bytes", round,
                  lengths[i]);
        }
        MPI_Buffer_detach(&detached, &detached_size);
        CHECK(detached == buffer && detached_size == size, "%d bytes, wanted %d", detached_size, size);
    }
    for (int i = 0; i < SENDS; i++)
        MPI_Request_free(&q[i]);
    free(buffer);
    free(out);
    free(in);
    return check_finish();
}
