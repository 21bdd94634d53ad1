/* Persistent requests of each mode, started many times, singly and together. */
#include "check.h"

int main(int argc, char **argv)
{
    const int lengths[] = {1, 24, 5000, 70000};
    check_start(&argc, &argv);
    unsigned char *out = check_alloc(70000), *in = check_alloc(70000);
    for (int k = 0; k < 12; k++) {
        int length = lengths[k % 4];
        MPI_Request q[2];
        MPI_Recv_init(in, length, MPI_BYTE, left_of(me), k, MPI_COMM_WORLD, &q[0]);
        if (k < 4)
            MPI_Send_init(out, length, MPI_BYTE, right_of(me), k, MPI_COMM_WORLD, &q[1]);
        else if (k < 8)
            MPI_Ssend_init(out, length, MPI_BYTE, right_of(me), k, MPI_COMM_WORLD, &q[1]);
        else
            MPI_Rsend_init(out, length, MPI_BYTE, right_of(me), k, MPI_COMM_WORLD, &q[1]);
        for (int i = 0; i < 5; i++) {
            fill_bytes(out, (size_t)length, me + i);
            if (k < 8 && i % 2) {
                MPI_Startall(2, q);
            } else {
                MPI_Start(&q[0]);
                if (k >= 8)
                    MPI_Barrier(MPI_COMM_WORLD);
                MPI_Start(&q[1]);
            }
            MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
            CHECK(q[0] != MPI_REQUEST_NULL && q[1] != MPI_REQUEST_NULL, "request gone after start %d", i);
            CHECK(wrong_byte(in, (size_t)length, left_of(me) + i) < 0, "form %d, length %d, start %d", k, length, i);
        }
        MPI_Request_free(&q[0]);
        MPI_Request_free(&q[1]);
    }
    free(out);
    free(in);
    return check_finish();
}
