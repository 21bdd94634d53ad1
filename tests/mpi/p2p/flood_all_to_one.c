/* Every rank floods rank 0 with blocking sends while rank 0 is slow to receive from the highest rank first. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { MESSAGES = 300, LENGTH = 600 };
    check_start(&argc, &argv);
    unsigned char buffer[LENGTH];
    if (me > 0) {
        for (int i = 0; i < MESSAGES; i++) {
            fill_bytes(buffer, LENGTH, me + i);
            MPI_Send(buffer, LENGTH, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    } else {
        for (int from = np - 1; from > 0; from--) {
            for (int i = 0; i < MESSAGES; i++) {
                MPI_Recv(buffer, LENGTH, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                CHECK(wrong_byte(buffer, LENGTH, from + i) < 0, "from %d: message %d: byte %ld", from, i,
                      wrong_byte(buffer, LENGTH, from + i));
            }
        }
    }
    return check_finish();
}
