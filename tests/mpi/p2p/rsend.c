/* Ready sends, blocking and not, of every border length, when the receive is known to be posted. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    size_t room = (size_t)border_bytes[BORDERS - 1];
    unsigned char *out = check_alloc(room), *in = check_alloc(room);
    for (int i = 0; i < BORDERS; i++) {
        MPI_Request receive, send;
        MPI_Irecv(in, border_bytes[i], MPI_BYTE, left_of(me), 0, MPI_COMM_WORLD, &receive);
        fill_bytes(out, (size_t)border_bytes[i], me + i);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i % 2) {
            MPI_Rsend(out, border_bytes[i], MPI_BYTE, right_of(me), 0, MPI_COMM_WORLD);
        } else {
            MPI_Irsend(out, border_bytes[i], MPI_BYTE, right_of(me), 0, MPI_COMM_WORLD, &send);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        CHECK(wrong_byte(in, (size_t)border_bytes[i], left_of(me) + i) < 0, "length %d", border_bytes[i]);
    }
    free(out);
    free(in);
    return check_finish();
}
