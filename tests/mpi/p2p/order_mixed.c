/* Messages of one sender, tag and communicator do not overtake, short and long ones mixed at random;
 * half of the receives are posted before, half after the messages arrive. */
#include "check.h"

enum { MESSAGES = 120, ROOM = 70000 };

static int length_of(int sender, int i)
{
    static const int lengths[] = {4, 8, 40, 1000, 5000, 17000, 70000};
    return lengths[check_random((uint64_t)sender, (uint64_t)i) % 7];
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    unsigned char *out[MESSAGES], *in[MESSAGES];
    MPI_Request sends[MESSAGES], receives[MESSAGES];
    int from = left_of(me);
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = check_alloc((size_t)length_of(me, i));
        in[i] = check_alloc(ROOM);
        fill_bytes(out[i], (size_t)length_of(me, i), i);
    }
    for (int i = 0; i < MESSAGES / 2; i++) {
        MPI_Irecv(in[i], ROOM, MPI_BYTE, i % 3 ? from : MPI_ANY_SOURCE, i % 2 ? 5 : MPI_ANY_TAG, MPI_COMM_WORLD,
                  &receives[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Isend(out[i], length_of(me, i), MPI_BYTE, right_of(me), 5, MPI_COMM_WORLD, &sends[i]);
    }
    for (int i = MESSAGES / 2; i < MESSAGES; i++) {
        MPI_Irecv(in[i], ROOM, MPI_BYTE, i % 3 ? from : MPI_ANY_SOURCE, i % 2 ? 5 : MPI_ANY_TAG, MPI_COMM_WORLD,
                  &receives[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Status status;
        MPI_Wait(&receives[i], &status);
        CHECK(bytes_of(&status) == length_of(from, i), "message %d: %d bytes instead of %d", i, bytes_of(&status),
              length_of(from, i));
        CHECK(status.MPI_SOURCE == from && status.MPI_TAG == 5, "source %d, tag %d", status.MPI_SOURCE, status.MPI_TAG);
        long wrong = wrong_byte(in[i], (size_t)length_of(from, i), i);
        CHECK(wrong < 0, "message %d: byte %ld", i, wrong);
    }
    MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MESSAGES; i++) {
        free(out[i]);
        free(in[i]);
    }
    return check_finish();
}
