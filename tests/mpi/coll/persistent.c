/* Persistent collectives: many at once, started in another order at each rank, beside others of the same communicator; their
 * datatype, operation and communicator freed before they are started; what is refused. */
#include "check.h"

enum { EACH = 12 };

/* All of one kind are made in the same order, but started in any. */
static void shuffled(MPI_Comm comm)
{
    MPI_Request q[EACH];
    int in[EACH], out[EACH], order[EACH], bar = -1, one = 1;
    for (int i = 0; i < EACH; i++)
        CHECK_OK(MPI_Allreduce_init(&out[i], &in[i], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &q[i]));
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < EACH; i++) {
            int at = (int)(check_random((uint64_t)(round * 64 + me), (uint64_t)i) % (uint64_t)(i + 1));
            order[i] = order[at];
            order[at] = i;
            out[i] = round * 1000 + i * 10 + me;
            in[i] = -1;
        }
        for (int i = 0; i < EACH; i++) {
            CHECK_OK(MPI_Start(&q[order[i]]));
            if (i == EACH / 2)
                CHECK_OK(MPI_Allreduce(&one, &bar, 1, MPI_INT, MPI_SUM, comm));
        }
        CHECK(bar == np, "sum %d", bar);
        CHECK_OK(MPI_Waitall(EACH, q, MPI_STATUSES_IGNORE));
        for (int i = 0; i < EACH; i++)
            CHECK(in[i] == np * (round * 1000 + i * 10) + np * (np - 1) / 2, "round %d, %d: %d", round, i, in[i]);
    }
    CHECK_OK(MPI_Startall(EACH, q));
    for (int i = 0; i < EACH; i++) {
        int at = -1;
        CHECK_OK(MPI_Waitany(EACH, q, &at, MPI_STATUS_IGNORE));
        CHECK(at >= 0 && at < EACH, "index %d", at);
    }
    for (int i = 0; i < EACH; i++)
        CHECK_OK(MPI_Request_free(&q[i]));
}

static void last(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in; /* the operand on the right wins: does not commute */
    (void)inout;
    (void)len;
    (void)type;
}

/* A request keeps what it needs. */
static void freed(MPI_Comm comm)
{
    MPI_Comm own;
    MPI_Datatype spread;
    MPI_Op op;
    MPI_Request q[2];
    int data[8], in = -1;
    MPI_Comm_dup(comm, &own);
    MPI_Type_vector(4, 1, 2, MPI_INT, &spread);
    MPI_Type_commit(&spread);
    MPI_Op_create(last, 0, &op);
    CHECK_OK(MPI_Bcast_init(data, 1, spread, np - 1, own, MPI_INFO_NULL, &q[0]));
    CHECK_OK(MPI_Allreduce_init(&me, &in, 1, MPI_INT, op, own, MPI_INFO_NULL, &q[1]));
    MPI_Type_free(&spread);
    MPI_Op_free(&op);
    MPI_Comm_free(&own);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++)
            data[i] = me == np - 1 ? round * 10 + i : -1;
        CHECK_OK(MPI_Startall(2, q));
        CHECK_OK(MPI_Waitall(2, q, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 8; i += 2)
            CHECK(data[i] == round * 10 + i && (me == np - 1 || data[i + 1] == -1), "round %d: [%d] %d %d", round, i,
                  data[i], data[i + 1]);
        CHECK(in == np - 1, "the last rank is %d", in);
    }
    CHECK_OK(MPI_Request_free(&q[0]));
    CHECK_OK(MPI_Request_free(&q[1]));
}

static void refused(void)
{
    MPI_Request q, started;
    int n = 0, flag = 0;
    MPI_Status status;
    check_return_errors();
    CHECK_CLASS(MPI_Bcast_init(&n, 1, MPI_INT, np, MPI_COMM_WORLD, MPI_INFO_NULL, &q), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast_init(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &q), MPI_ERR_COMM);
    CHECK_OK(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q));
    CHECK_OK(MPI_Wait(&q, &status)); /* inactive */
    check_empty_status(&status, __LINE__);
    CHECK_OK(MPI_Start(&q));
    CHECK_CLASS(MPI_Start(&q), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Cancel(&q), MPI_ERR_REQUEST);
    while (!flag)
        CHECK_OK(MPI_Test(&q, &flag, &status));
    CHECK_OK(MPI_Request_free(&q));
    CHECK_OK(MPI_Ibarrier(MPI_COMM_WORLD, &started));
    CHECK_CLASS(MPI_Start(&started), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Request_free(&started), MPI_ERR_REQUEST);
    CHECK_OK(MPI_Wait(&started, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    shuffled(MPI_COMM_WORLD);
    freed(MPI_COMM_WORLD);
    refused();
    return check_finish();
}
