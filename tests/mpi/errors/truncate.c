/* A message longer than its buffer gives MPI_ERR_TRUNCATE, writes nothing beyond, and communication goes on. */
#include "check.h"

int main(int argc, char **argv)
{
    const int lengths[] = {2, 100, 4097, 300000};
    check_start(&argc, &argv);
    check_return_errors();
    unsigned char *out = check_alloc(300000), *in = check_alloc(300000);
    for (int i = 0; i < 8; i++) {
        int length = lengths[i / 2], room = length / 2, next = i, got = -1;
        MPI_Request requests[2];
        fill_bytes(out, (size_t)length, i);
        memset(in, 0xEE, 300000);
        if (i % 2) {
            MPI_Irecv(in, room, MPI_BYTE, left_of(me), 0, MPI_COMM_WORLD, &requests[0]);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Isend(out, length, MPI_BYTE, right_of(me), 0, MPI_COMM_WORLD, &requests[1]);
        int code = i % 2 ? MPI_Wait(&requests[0], MPI_STATUS_IGNORE)
                         : MPI_Recv(in, room, MPI_BYTE, left_of(me), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(class_of(code) == MPI_ERR_TRUNCATE, "%d bytes into %d: class %d", length, room, class_of(code));
        for (int j = room; j < 300000; j++)
            CHECK(in[j] == 0xEE, "%d bytes into %d: byte %d was written", length, room, j);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        CHECK_OK(MPI_Sendrecv(&next, 1, MPI_INT, right_of(me), 0, &got, 1, MPI_INT, left_of(me), 0, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE));
        CHECK(got == i, "%d", got);
    }
    free(out);
    free(in);
    return check_finish();
}
