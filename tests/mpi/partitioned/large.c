/* Long partitions, that ask before they are sent; several pairs under the same tag meet in the order in which they were made. */
#include "check.h"

enum { PARTS = 3, BYTES = CHECK_SMALL ? 2000 : 200000, PAIRS = 2 };

static unsigned char out[PAIRS][PARTS * BYTES], in[PAIRS][PARTS * BYTES];

int main(int argc, char **argv)
{
    MPI_Request send[PAIRS], recv[PAIRS];
    check_start(&argc, &argv);
    for (int k = 0; k < PAIRS; k++) {
        fill_bytes(out[k], sizeof out[k], me + 10 * k);
        MPI_Psend_init(out[k], PARTS, BYTES, MPI_BYTE, right_of(me), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send[k]);
    }
    for (int k = 0; k < PAIRS; k++)
        MPI_Precv_init(in[k], 2, PARTS * BYTES / 2, MPI_BYTE, left_of(me), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &recv[k]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(PAIRS, recv);
        MPI_Startall(PAIRS, send);
        for (int k = PAIRS - 1; k >= 0; k--)
            MPI_Pready_range(0, PARTS - 1, send[k]);
        MPI_Waitall(PAIRS, recv, MPI_STATUSES_IGNORE);
        MPI_Waitall(PAIRS, send, MPI_STATUSES_IGNORE);
        for (int k = 0; k < PAIRS; k++) {
            long wrong = wrong_byte(in[k], sizeof in[k], left_of(me) + 10 * k);
            CHECK(wrong < 0, "pair %d: byte %ld", k, wrong);
            memset(in[k], 0, sizeof in[k]);
        }
    }
    for (int k = 0; k < PAIRS; k++) {
        MPI_Request_free(&send[k]);
        MPI_Request_free(&recv[k]);
    }
    return check_finish();
}
