/* MPI_Waitall and MPI_Testall with one failed receive: MPI_ERR_IN_STATUS, each status with its own code. */
#include "check.h"

enum { N = 4, BAD = 2 };

int main(int argc, char **argv)
{
    enum { LONG = CHECK_SMALL ? 3000 : 200000 };
    const int lengths[] = {8, CHECK_SMALL ? 700 : 3000, LONG};
    check_start(&argc, &argv);
    check_return_errors();
    unsigned char *out = check_alloc(LONG), *in = check_alloc(N * LONG);
    for (int k = 0; k < 6; k++) {
        int length = lengths[k / 2], done = 0, code = MPI_SUCCESS;
        MPI_Request q[2 * N];
        MPI_Status status[2 * N];
        fill_bytes(out, (size_t)length, me);
        for (int i = 0; i < N; i++)
            MPI_Irecv(in + i * LONG, i == BAD ? length / 2 : length, MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, &q[i]);
        for (int i = 0; i < N; i++)
            MPI_Isend(out, length, MPI_BYTE, right_of(me), i, MPI_COMM_WORLD, &q[N + i]);
        for (int i = 0; i < 2 * N; i++)
            status[i].MPI_ERROR = -5;
        if (k % 2)
            while (!done)
                code = MPI_Testall(2 * N, q, &done, status);
        else
            code = MPI_Waitall(2 * N, q, status);
        CHECK(class_of(code) == MPI_ERR_IN_STATUS, "%d bytes: class %d", length, class_of(code));
        for (int i = 0; i < 2 * N; i++) {
            int wanted = i == BAD ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
            CHECK(class_of(status[i].MPI_ERROR) == wanted, "%d bytes: status %d: class %d, wanted %d", length, i,
                  class_of(status[i].MPI_ERROR), wanted);
            CHECK(q[i] == MPI_REQUEST_NULL, "%d bytes: request %d is left", length, i);
        }
        for (int i = 0; i < N; i++)
            CHECK(i == BAD || wrong_byte(in + i * LONG, (size_t)length, left_of(me)) < 0, "%d bytes: message %d",
                  length, i);
    }
    free(out);
    free(in);
    return check_finish();
}
