/* Partitioned messages around the ring: any numbers of partitions on both sides, given in any order; each arrives by itself. */
#include "check.h"

enum { TOTAL = 24, ROUNDS = 3, TAG = 2 };

static int out[TOTAL], in[TOTAL];

static void check_values(int round, int line)
{
    for (int i = 0; i < TOTAL; i++)
        CHECK(in[i] == left_of(me) * 1000 + round * 100 + i, "from line %d: round %d element %d is %d", line, round, i,
              in[i]);
}

static void fill(int round)
{
    for (int i = 0; i < TOTAL; i++) {
        out[i] = me * 1000 + round * 100 + i;
        in[i] = -1;
    }
}

/* Sends `s` partitions, receives `d`: the last given first. */
static void differing(int s, int d)
{
    MPI_Request send, recv;
    CHECK_OK(MPI_Psend_init(out, s, TOTAL / s, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_OK(MPI_Precv_init(in, d, TOTAL / d, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Status status;
        int flag = -1;
        fill(round);
        CHECK_OK(MPI_Start(&recv));
        CHECK_OK(MPI_Parrived(recv, 0, &flag));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!flag, "round %d: arrived before it was sent", round);
        CHECK_OK(MPI_Start(&send));
        for (int i = s - 1; i >= 0; i--)
            CHECK_OK(MPI_Pready(i, send));
        for (int i = 0; i < d; i++)
            for (flag = 0; !flag;)
                CHECK_OK(MPI_Parrived(recv, i, &flag));
        check_values(round, __LINE__);
        CHECK_OK(MPI_Wait(&recv, &status));
        CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK(status.MPI_SOURCE == left_of(me) && status.MPI_TAG == TAG && bytes_of(&status) == (int)sizeof in,
              "source %d tag %d bytes %d", status.MPI_SOURCE, status.MPI_TAG, bytes_of(&status));
        CHECK(recv != MPI_REQUEST_NULL && send != MPI_REQUEST_NULL, "round %d: a request is gone", round);
        CHECK_OK(MPI_Parrived(recv, d - 1, &flag));
        CHECK(flag, "flag %d of an inactive request", flag);
    }
    CHECK_OK(MPI_Request_free(&send));
    CHECK_OK(MPI_Request_free(&recv));
}

/* One partition is here before the next is given, whatever the other side has done. */
static void one_by_one(void)
{
    enum { PARTS = 4 };
    MPI_Request request[2];
    CHECK_OK(MPI_Precv_init_c(in, PARTS, TOTAL / PARTS, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                              &request[0]));
    CHECK_OK(MPI_Psend_init_c(out, PARTS, TOTAL / PARTS, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                              &request[1]));
    fill(0);
    CHECK_OK(MPI_Startall(2, request));
    for (int i = 0; i < PARTS; i++) {
        int flag = 0, next = 0;
        CHECK_OK(MPI_Pready(i, request[1]));
        while (!flag)
            CHECK_OK(MPI_Parrived(request[0], i, &flag));
        if (i + 1 < PARTS)
            CHECK_OK(MPI_Parrived(request[0], i + 1, &next));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!next, "partition %d came before it was given", i + 1);
    }
    CHECK_OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    check_values(0, __LINE__);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void ranges_and_lists(void)
{
    MPI_Request send, recv;
    const int list[] = {5, 0, 3};
    CHECK_OK(MPI_Psend_init(out, 8, TOTAL / 8, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_OK(MPI_Precv_init(in, 1, TOTAL, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
    fill(1);
    CHECK_CLASS(MPI_Pready(0, send), MPI_ERR_REQUEST);
    CHECK_OK(MPI_Start(&send));
    CHECK_OK(MPI_Pready_list(3, list, send));
    CHECK_CLASS(MPI_Pready(5, send), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Pready(8, send), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Pready(0, recv), MPI_ERR_REQUEST);
    CHECK_OK(MPI_Pready_range(1, 2, send));
    CHECK_OK(MPI_Pready(4, send));
    CHECK_OK(MPI_Pready_range(6, 7, send));
    CHECK_OK(MPI_Start(&recv)); /* after all was sent */
    CHECK_OK(MPI_Wait(&recv, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    check_values(1, __LINE__);
    MPI_Request_free(&send);
    MPI_Request_free(&recv);
}

/* Partitions that end inside an element of the receiver's type. */
static void other_types(void)
{
    MPI_Datatype three;
    MPI_Request send, recv;
    int spread[2 * TOTAL];
    MPI_Type_vector(3, 1, 2, MPI_INT, &three);
    MPI_Type_create_resized(three, 0, 6 * (MPI_Aint)sizeof(int), &three);
    MPI_Type_commit(&three);
    memset(spread, -1, sizeof spread);
    fill(2);
    CHECK_OK(MPI_Psend_init(out, 12, 2, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_OK(MPI_Precv_init(spread, 4, 2, three, left_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
    MPI_Type_free(&three);
    CHECK_OK(MPI_Start(&recv));
    CHECK_OK(MPI_Start(&send));
    CHECK_OK(MPI_Pready_range(0, 11, send));
    CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&recv, MPI_STATUS_IGNORE));
    for (int i = 0; i < TOTAL; i++)
        CHECK(spread[2 * i] == left_of(me) * 1000 + 200 + i && spread[2 * i + 1] == -1, "element %d is %d", i,
              spread[2 * i]);
    MPI_Request_free(&send);
    MPI_Request_free(&recv);
}

static void nobody_and_nothing(void)
{
    MPI_Request request[2];
    MPI_Status status;
    CHECK_OK(MPI_Psend_init(out, 2, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    CHECK_OK(MPI_Precv_init(in, 2, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    CHECK_OK(MPI_Startall(2, request));
    CHECK_OK(MPI_Pready_range(0, 1, request[0]));
    CHECK_OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&request[1], &status));
    check_null_status(&status, __LINE__);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    CHECK_OK(MPI_Psend_init(NULL, 3, 0, MPI_INT, right_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    CHECK_OK(MPI_Precv_init(NULL, 2, 0, MPI_INT, left_of(me), TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    CHECK_OK(MPI_Startall(2, request));
    CHECK_OK(MPI_Pready_range(0, 2, request[0]));
    CHECK_OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    CHECK_CLASS(MPI_Psend_init(out, 0, 1, MPI_INT, me, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]),
                MPI_ERR_RANK);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    static const int divisors[] = {1, 2, 3, 4, 8, 12, 24};
    for (int s = 0; s < 7; s++)
        differing(divisors[s], divisors[(s * 3 + 2) % 7]);
    one_by_one();
    ranges_and_lists();
    other_types();
    nobody_and_nothing();
    return check_finish();
}
