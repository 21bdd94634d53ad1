/* A message longer than its buffer, completed by any, some and single forms of waiting and testing. */
#include "check.h"

enum { WAITANY, TESTANY, WAITSOME, TESTSOME, WAIT, TEST, FORMS };

/* Completes the two receives; the code of the call that completed the second, which was too small. */
static int complete(int form, MPI_Request q[2])
{
    int failed = MPI_SUCCESS, left = 2;
    while (left > 0) {
        int index[2] = {0, 0}, count = 1, flag = 1, code = MPI_SUCCESS;
        MPI_Status status[2];
        status[0].MPI_ERROR = status[1].MPI_ERROR = MPI_SUCCESS;
        if (form == WAITANY)
            code = MPI_Waitany(2, q, &index[0], &status[0]);
        else if (form == TESTANY)
            code = MPI_Testany(2, q, &index[0], &flag, &status[0]);
        else if (form == WAITSOME)
            code = MPI_Waitsome(2, q, &count, index, status);
        else if (form == TESTSOME)
            code = MPI_Testsome(2, q, &count, index, status);
        else if (form == WAIT)
            code = MPI_Wait(&q[index[0] = 2 - left], &status[0]);
        else
            code = MPI_Test(&q[index[0] = 2 - left], &flag, &status[0]);
        int some = form == WAITSOME || form == TESTSOME;
        for (int i = 0; i < (flag ? count : 0); i++, left--) {
            int error = !some ? code : class_of(code) == MPI_ERR_IN_STATUS ? status[i].MPI_ERROR : MPI_SUCCESS;
            CHECK(index[i] == 1 || error == MPI_SUCCESS, "form %d: request %d: code %d", form, index[i], error);
            CHECK(q[index[i]] == MPI_REQUEST_NULL, "form %d: request %d is left", form, index[i]);
            failed = index[i] == 1 ? error : failed;
        }
        CHECK(flag || code == MPI_SUCCESS, "form %d: code %d, nothing complete", form, code);
    }
    return failed;
}

int main(int argc, char **argv)
{
    enum { LONG = CHECK_SMALL ? 3000 : 100000 };
    const int lengths[] = {10, CHECK_SMALL ? 700 : 4000, LONG};
    check_start(&argc, &argv);
    check_return_errors();
    unsigned char *out = check_alloc(LONG), *in = check_alloc(2 * LONG);
    for (int k = 0; k < 3 * FORMS; k++) {
        int length = lengths[k / FORMS], form = k % FORMS;
        MPI_Request q[2], send[2];
        fill_bytes(out, (size_t)length, me + k);
        for (int i = 0; i < 2; i++)
            MPI_Irecv(in + i * LONG, length - i, MPI_BYTE, left_of(me), i, MPI_COMM_WORLD, &q[i]);
        for (int i = 0; i < 2; i++)
            MPI_Isend(out, length, MPI_BYTE, right_of(me), i, MPI_COMM_WORLD, &send[i]);
        CHECK_CLASS(complete(form, q), MPI_ERR_TRUNCATE);
        CHECK(wrong_byte(in, (size_t)length, left_of(me) + k) < 0, "form %d, %d bytes", form, length);
        CHECK_OK(MPI_Waitall(2, send, MPI_STATUSES_IGNORE));
    }
    free(out);
    free(in);
    return check_finish();
}
