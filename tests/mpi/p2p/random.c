/* All ranks send random lengths to random ranks, the pattern known to all; every message is checked. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { N = 200 };
    check_start(&argc, &argv);
    unsigned char *buffers[N];
    MPI_Request q[N];
    int used = 0, owner[N], receive[N], sizes[N];
    for (int i = 0; i < N; i++) {
        int from = (int)(check_random(1, (uint64_t)i) % (uint64_t)np),
            to = (int)(check_random(2, (uint64_t)i) % (uint64_t)np);
        int length = (int)(check_random(3, (uint64_t)i) % (i % 10 ? 3000 : 90000));
        for (int side = 0; side < 2; side++) {
            if (me != (side ? to : from) || used == N)
                continue;
            if (from == to)
                continue;
            buffers[used] = check_alloc((size_t)length);
            owner[used] = i;
            receive[used] = side;
            sizes[used] = length;
            if (side)
                MPI_Irecv(buffers[used], length, MPI_BYTE, from, i % 3, MPI_COMM_WORLD, &q[used]);
            else {
                fill_bytes(buffers[used], (size_t)length, i);
                MPI_Isend(buffers[used], length, MPI_BYTE, to, i % 3, MPI_COMM_WORLD, &q[used]);
            }
            used++;
        }
    }
    MPI_Waitall(used, q, MPI_STATUSES_IGNORE);
    for (int k = 0; k < used; k++) {
        CHECK(!receive[k] || wrong_byte(buffers[k], (size_t)sizes[k], owner[k]) < 0, "message %d of %d bytes", owner[k],
              sizes[k]);
        free(buffers[k]);
    }
    return check_finish();
}
