/* Intercommunicators made of others: MPI_Comm_create and MPI_Comm_split on them, and groups alone. */
#include "sides.h"

static void expect(MPI_Comm comm, int rank, int size, int others, int line)
{
    int r = -1, n = -1, o = -1, inter = 0;
    CHECK(comm != MPI_COMM_NULL, "null, from line %d", line);
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &r);
    MPI_Comm_size(comm, &n);
    MPI_Comm_remote_size(comm, &o);
    CHECK(inter && r == rank && n == size && o == others, "from line %d: rank %d of %d, others %d", line, r, n, o);
    int sum = -1, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == others, "from line %d: sum %d", line, sum);
    MPI_Barrier(comm);
}

/* The even ranks of both parts. */
static void create(const struct sides *s)
{
    MPI_Group own, some;
    MPI_Comm comm;
    MPI_Comm_group(s->inter, &own);
    MPI_Group_range_incl(own, 1, (int[1][3]){{0, s->size - 1, 2}}, &some);
    CHECK_OK(MPI_Comm_create(s->inter, some, &comm));
    if (s->rank % 2)
        CHECK(comm == MPI_COMM_NULL, "rank %d got one", s->rank);
    else {
        expect(comm, s->rank / 2, (s->size + 1) / 2, (s->others + 1) / 2, __LINE__);
        MPI_Comm_free(&comm);
    }
    CHECK_OK(MPI_Comm_create(s->inter, s->upper ? own : MPI_GROUP_EMPTY, &comm));
    CHECK(comm == MPI_COMM_NULL, "with an empty group, rank %d", s->rank);
    MPI_Group_free(&some);
    MPI_Group_free(&own);
}

static void split(const struct sides *s)
{
    MPI_Comm comm;
    CHECK_OK(MPI_Comm_split(s->inter, 7, -s->rank, &comm));
    expect(comm, s->size - 1 - s->rank, s->size, s->others, __LINE__);
    MPI_Comm_free(&comm);
    CHECK_OK(MPI_Comm_split(s->inter, s->rank, 0, &comm));
    if (s->rank < s->others)
        expect(comm, 0, 1, 1, __LINE__);
    else
        CHECK(comm == MPI_COMM_NULL, "no peer has color %d", s->rank);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    CHECK_OK(MPI_Comm_split(s->inter, s->upper ? MPI_UNDEFINED : 1, 0, &comm));
    CHECK(comm == MPI_COMM_NULL, "one side undefined, rank %d", s->rank);
    CHECK_OK(MPI_Comm_split_type(s->inter, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
    CHECK(comm == MPI_COMM_NULL, "undefined type, rank %d", s->rank);
    CHECK_OK(MPI_Comm_split_type(s->inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

static void from_groups(const struct sides *s)
{
    MPI_Group own, other;
    MPI_Comm comm;
    int result = -1;
    MPI_Comm_group(s->inter, &own);
    MPI_Comm_remote_group(s->inter, &other);
    CHECK_OK(MPI_Intercomm_create_from_groups(own, 0, other, s->others - 1, "org.example.sides", MPI_INFO_NULL,
                                              MPI_ERRORS_RETURN, &comm));
    expect(comm, s->rank, s->size, s->others, __LINE__);
    MPI_Comm_compare(comm, s->inter, &result);
    CHECK(result == MPI_CONGRUENT, "%d", result);
    MPI_Comm_free(&comm);
    MPI_Group_free(&own);
    MPI_Group_free(&other);
}

/* Duplicates made while the program goes on. */
static void idups(const struct sides *s)
{
    enum { COPIES = 3 };
    MPI_Comm comm[COPIES];
    MPI_Request q[COPIES];
    for (int i = 0; i < COPIES; i++)
        CHECK_OK(MPI_Comm_idup(s->inter, &comm[i], &q[i]));
    MPI_Barrier(s->inter);
    CHECK_OK(MPI_Waitall(COPIES, q, MPI_STATUSES_IGNORE));
    for (int i = COPIES; i-- > 0;) {
        expect(comm[i], s->rank, s->size, s->others, __LINE__);
        MPI_Comm_free(&comm[i]);
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int low = 1; low < np; low += low < 3 ? 1 : np / 2) {
        struct sides s = sides_make(low, 0);
        expect(s.inter, s.rank, s.size, s.others, __LINE__);
        create(&s);
        split(&s);
        from_groups(&s);
        idups(&s);
        sides_free(&s);
    }
    return check_finish();
}
