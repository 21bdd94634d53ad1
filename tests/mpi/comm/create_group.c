/* Communicators made by the members of a group alone: by tag within a communicator, by name without one. */
#include "check.h"

static void use(MPI_Comm comm, int rank, int size, int line)
{
    int r = -1, n = -1, sum = -1, one = 1;
    CHECK(comm != MPI_COMM_NULL, "null, from line %d", line);
    MPI_Comm_rank(comm, &r);
    MPI_Comm_size(comm, &n);
    CHECK(r == rank && n == size, "from line %d: %d of %d, wanted %d of %d", line, r, n, rank, size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size, "from line %d: sum %d", line, sum);
}

/* Neighbours pair up along a line: each rank is in two groups, one after the other, with one tag. A message of the program with
 * the same tag is on its way meanwhile. */
static void chain(MPI_Group world, MPI_Comm parent)
{
    MPI_Comm comm;
    int in = -1;
    MPI_Request q;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, parent, &q);
    for (int left = 0; left + 1 < np; left++) {
        if (me != left && me != left + 1)
            continue;
        MPI_Group pair;
        int ranks[2] = {left + 1, left}; /* in the other order */
        MPI_Group_incl(world, 2, ranks, &pair);
        CHECK_OK(MPI_Comm_create_group(parent, pair, 3, &comm));
        MPI_Group_free(&pair);
        use(comm, me == left, 2, __LINE__);
        MPI_Comm_free(&comm);
    }
    MPI_Send(&me, 1, MPI_INT, right_of(me), 3, parent);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    CHECK(in == left_of(me), "from %d", in);
}

/* Groups that hold the last rank, one of every size, while the others do something else. */
static void tails(MPI_Group world, MPI_Comm parent)
{
    for (int first = 0; first <= me; first++) {
        MPI_Group tail;
        MPI_Comm comm;
        MPI_Group_range_incl(world, 1, (int[1][3]){{np - 1, first, -1}}, &tail);
        CHECK_OK(MPI_Comm_create_group(parent, tail, first, &comm));
        use(comm, np - 1 - me, np - first, __LINE__);
        MPI_Comm_free(&comm);
        CHECK_OK(MPI_Comm_create_from_group(tail, "org.example.tail", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        use(comm, np - 1 - me, np - first, __LINE__);
        MPI_Errhandler handler;
        MPI_Comm_get_errhandler(comm, &handler);
        CHECK(handler == MPI_ERRORS_RETURN, "rank %d of %d", me, np);
        MPI_Errhandler_free(&handler);
        MPI_Comm_free(&comm);
        MPI_Group_free(&tail);
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Group world, other;
    MPI_Comm parent, comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_group(parent, &world);
    chain(world, parent);
    chain(world, MPI_COMM_WORLD);
    tails(world, parent);
    CHECK_OK(MPI_Comm_create_group(parent, MPI_GROUP_EMPTY, 0, &comm));
    CHECK(comm == MPI_COMM_NULL, "over nobody, rank %d", me);
    CHECK_OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK(comm == MPI_COMM_NULL, "over nobody, rank %d", me);
    MPI_Group_excl(world, 1, &me, &other);
    CHECK_OK(MPI_Comm_create_group(parent, other, 0, &comm));
    CHECK(comm == MPI_COMM_NULL, "without me, rank %d", me);
    check_return_errors();
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Comm_create_group(parent, world, -1, &comm), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Comm_create_group(parent, MPI_GROUP_NULL, 0, &comm), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Comm_create_group(parent, world, 0, NULL), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Comm_create_from_group(world, NULL, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm), MPI_ERR_ARG);
    if (np > 1) {
        CHECK_CLASS(MPI_Comm_create_group(MPI_COMM_SELF, world, 0, &comm), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Comm_create_from_group(other, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm), MPI_ERR_GROUP);
    }
    MPI_Barrier(parent);
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Comm_free(&parent);
    return check_finish();
}
