/* MPI_Sendrecv_replace and its nonblocking form around the ring and with itself: the one buffer sends before it receives. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    unsigned char *buffer = check_alloc((size_t)border_bytes[BORDERS - 1]);
    for (int k = 0; k < BORDERS; k++) {
        int length = border_bytes[k];
        for (int form = 0; form < 3; form++) {
            int to = form == 2 ? me : right_of(me), from = form == 2 ? me : left_of(me);
            MPI_Status status;
            fill_bytes(buffer, (size_t)length, me + k);
            if (form == 1) {
                MPI_Request request;
                MPI_Isendrecv_replace(buffer, length, MPI_BYTE, to, me, from, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
                MPI_Wait(&request, &status);
                CHECK(wrong_byte(buffer, (size_t)length, from + k) < 0, "nonblocking, %d bytes", length);
                continue;
            }
            MPI_Sendrecv_replace(buffer, length, MPI_BYTE, to, me, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK(wrong_byte(buffer, (size_t)length, from + k) < 0, "form %d, %d bytes", form, length);
            CHECK(status.MPI_SOURCE == from && status.MPI_TAG == from && bytes_of(&status) == length,
                  "form %d: source %d, tag %d, %d bytes of %d", form, status.MPI_SOURCE, status.MPI_TAG,
                  bytes_of(&status), length);
        }
    }
    fill_bytes(buffer, 100, me); /* nobody receives on the last rank's right: its buffer keeps its own */
    MPI_Sendrecv_replace(buffer, 100, MPI_BYTE, me + 1 < np ? me + 1 : MPI_PROC_NULL, 0,
                         me > 0 ? me - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(wrong_byte(buffer, 100, me > 0 ? me - 1 : me) < 0, "line of %d", np);
    free(buffer);
    return check_finish();
}
