/* Wait and test in all, any and some forms over active, null and inactive requests; MPI_Request_get_status. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { N = 10 };
    check_start(&argc, &argv);
    MPI_Request q[N], send, idle;
    MPI_Status status[N], one;
    int index = 7, flag = 0, count = 7, indices[N], in[N], seen = 0, out[N];
    for (int i = 0; i < N; i++)
        q[i] = MPI_REQUEST_NULL;
    MPI_Wait(&q[0], &one);
    check_empty_status(&one, __LINE__);
    MPI_Test(&q[0], &flag, &one);
    check_empty_status(&one, __LINE__);
    CHECK(flag, "%d", flag);
    MPI_Waitany(N, q, &index, &one);
    check_empty_status(&one, __LINE__);
    CHECK(index == MPI_UNDEFINED, "%d", index);
    MPI_Testany(N, q, &index, &flag, &one);
    check_empty_status(&one, __LINE__);
    CHECK(flag && index == MPI_UNDEFINED, "%d %d", flag, index);
    MPI_Waitsome(N, q, &count, indices, status);
    CHECK(count == MPI_UNDEFINED, "%d", count);
    MPI_Testsome(N, q, &count, indices, status);
    CHECK(count == MPI_UNDEFINED, "%d", count);
    MPI_Waitall(N, q, status);
    for (int i = 0; i < N; i++)
        check_empty_status(&status[i], __LINE__);
    MPI_Testall(N, q, &flag, status);
    CHECK(flag, "%d", flag);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Recv_init(in, 1, MPI_INT, left_of(me), 99, MPI_COMM_WORLD, &idle);
    MPI_Wait(&idle, &one);
    check_empty_status(&one, __LINE__);
    CHECK(idle != MPI_REQUEST_NULL, "persistent request is gone, %d", flag);
    q[3] = idle;
    MPI_Waitany(N, q, &index, &one);
    CHECK(index == MPI_UNDEFINED, "%d", index);
    MPI_Testsome(N, q, &count, indices, MPI_STATUSES_IGNORE);
    CHECK(count == MPI_UNDEFINED, "%d", count);
    MPI_Request_free(&idle);
    q[3] = MPI_REQUEST_NULL;
    for (int round = 0; round < 4; round++) {
        int left = N - 1;
        for (int i = 1; i < N; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, left_of(me), i, MPI_COMM_WORLD, &q[i]);
        MPI_Testall(N, q, &flag, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!flag, "all complete before any was sent, round %d", round);
        for (int i = N - 1; i > 0; i--) {
            out[i] = me + i * 7 + round;
            MPI_Isend(&out[i], 1, MPI_INT, right_of(me), i, MPI_COMM_WORLD, &send);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
        }
        MPI_Request_get_status(q[1], &flag, &one);
        CHECK(q[1] != MPI_REQUEST_NULL, "request freed by MPI_Request_get_status, %d", flag);
        for (seen = 0; left > 0;) {
            count = 1;
            flag = 1;
            if (round == 0)
                MPI_Waitany(N, q, &indices[0], &status[0]);
            if (round == 1) {
                MPI_Testany(N, q, &indices[0], &flag, &status[0]);
                count = flag;
            }
            if (round == 2)
                MPI_Waitsome(N, q, &count, indices, status);
            if (round == 3)
                MPI_Testsome(N, q, &count, indices, status);
            for (int k = 0; k < count; k++) {
                int i = indices[k];
                CHECK(i > 0 && i < N && !(seen & 1 << i), "round %d: index %d, seen %x", round, i, (unsigned)seen);
                CHECK(status[k].MPI_TAG == i && status[k].MPI_SOURCE == left_of(me), "tag %d, wanted %d",
                      status[k].MPI_TAG, i);
                CHECK(in[i] == left_of(me) + i * 7 + round && q[i] == MPI_REQUEST_NULL, "round %d: %d holds %d", round,
                      i, in[i]);
                seen |= 1 << i;
                left--;
            }
        }
    }
    return check_finish();
}
