/* Every rank sends to every rank at once, itself included; sends are posted before the receives, and after them. */
#include "check.h"

int main(int argc, char **argv)
{
    const int lengths[] = {0, 8, 3000, 40000};
    enum { MOST = 40000 };
    check_start(&argc, &argv);
    unsigned char *out = check_alloc((size_t)np * MOST), *in = check_alloc((size_t)np * MOST);
    MPI_Request *q = check_alloc(sizeof *q * 2 * (size_t)np);
    MPI_Status *status = check_alloc(sizeof *status * 2 * (size_t)np);
    for (int round = 0; round < 8; round++) {
        size_t length = (size_t)lengths[round / 2];
        int n = 0, first_receive = round % 2 ? 0 : np;
        memset(in, 0, (size_t)np * MOST);
        for (int half = 0; half < 2; half++) {
            for (int i = 0; i < np; i++) {
                int peer = (me + i) % np;
                if ((half == 0) == (first_receive == 0)) {
                    MPI_Irecv(in + peer * MOST, MOST, MPI_BYTE, peer, round, MPI_COMM_WORLD, &q[n++]);
                } else {
                    fill_bytes(out + peer * MOST, length, me * 17 + peer);
                    MPI_Isend(out + peer * MOST, (int)length, MPI_BYTE, peer, round, MPI_COMM_WORLD, &q[n++]);
                }
            }
        }
        MPI_Waitall(n, q, status);
        for (int i = 0; i < np; i++) {
            int peer = (me + i) % np, got = bytes_of(&status[first_receive + i]);
            CHECK(got == (int)length, "round %d: %d bytes from %d, wanted %zu", round, got, peer, length);
            CHECK(wrong_byte(in + peer * MOST, length, peer * 17 + me) < 0, "round %d: from %d", round, peer);
        }
    }
    free(out);
    free(in);
    free(q);
    free(status);
    return check_finish();
}
