/* Intercommunicators: made of two parts of the world, asked about, used for messages, copied, compared, merged. */
#include "sides.h"

static void check_groups(const struct sides *s, MPI_Comm inter)
{
    int flag = 0, rank = -1, size = -1, others = -1;
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &size);
    CHECK_OK(MPI_Comm_remote_size(inter, &others));
    CHECK(flag && rank == s->rank && size == s->size && others == s->others, "flag %d, rank %d of %d, others %d", flag,
          rank, size, others);
    MPI_Group world, own, other;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(inter, &own);
    CHECK_OK(MPI_Comm_remote_group(inter, &other));
    for (int i = 0; i < others; i++) {
        int found = -1;
        MPI_Group_translate_ranks(other, 1, &i, world, &found);
        CHECK(found == sides_world(s, i), "peer %d is %d", i, found);
    }
    MPI_Group_rank(own, &rank);
    CHECK(rank == s->rank, "rank %d in the own group", rank);
    MPI_Group_rank(other, &rank);
    CHECK(rank == MPI_UNDEFINED, "rank %d in the other group", rank);
    MPI_Group_free(&own);
    MPI_Group_free(&other);
    MPI_Group_free(&world);
}

/* From each to each of the other part; received by rank, then from anybody. */
static void messages(const struct sides *s, MPI_Comm inter)
{
    MPI_Request *q = check_alloc((size_t)s->others * sizeof *q);
    int(*out)[2] = check_alloc((size_t)s->others * sizeof *out), seen = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < s->others; i++) {
            out[i][0] = me;
            out[i][1] = i;
            MPI_Isend(out[i], 2, MPI_INT, i, 5 + round, inter, &q[i]);
        }
        for (int i = 0; i < s->others; i++) {
            int in[2] = {-1, -1};
            MPI_Status status;
            MPI_Recv(in, 2, MPI_INT, round ? MPI_ANY_SOURCE : i, 5 + round, inter, &status);
            CHECK(in[0] == sides_world(s, status.MPI_SOURCE) && in[1] == s->rank && (round || status.MPI_SOURCE == i),
                  "from %d: %d to %d", status.MPI_SOURCE, in[0], in[1]);
            seen += status.MPI_SOURCE;
        }
        MPI_Waitall(s->others, q, MPI_STATUSES_IGNORE);
    }
    CHECK(seen == s->others * (s->others - 1), "sources add up to %d", seen);
    int in = -1;
    MPI_Sendrecv(&me, 1, MPI_INT, s->rank < s->others ? s->rank : MPI_PROC_NULL, 1, &in, 1, MPI_INT,
                 s->rank < s->others ? s->rank : MPI_PROC_NULL, 1, inter, MPI_STATUS_IGNORE);
    CHECK(in == (s->rank < s->others ? sides_world(s, s->rank) : -1), "exchanged with %d", in);
    free(q);
    free(out);
}

static void compare(const struct sides *s)
{
    MPI_Comm copy;
    int result = -1;
    CHECK_OK(MPI_Comm_dup(s->inter, &copy));
    check_groups(s, copy);
    messages(s, copy);
    MPI_Comm_compare(s->inter, s->inter, &result);
    CHECK(result == MPI_IDENT, "%d", result);
    MPI_Comm_compare(s->inter, copy, &result);
    CHECK(result == MPI_CONGRUENT, "%d", result);
    MPI_Comm_compare(s->inter, s->part, &result);
    CHECK(result == MPI_UNEQUAL, "%d", result);
    MPI_Comm_free(&copy);
}

static void merge(const struct sides *s, int high, int first_is_low)
{
    MPI_Comm all;
    int rank = -1, size = -1, flag = 1, sum = 0;
    CHECK_OK(MPI_Intercomm_merge(s->inter, high, &all));
    MPI_Comm_test_inter(all, &flag);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    int wanted = first_is_low == !s->upper ? s->rank : s->others + s->rank;
    CHECK(!flag && size == np && rank == wanted, "rank %d of %d, wanted %d", rank, size, wanted);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK(sum == np * (np - 1) / 2, "sum %d", sum);
    MPI_Comm_free(&all);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int low = 1; low < np; low += low < 3 ? 1 : np / 2) {
        struct sides s = sides_make(low, low);
        check_groups(&s, s.inter);
        messages(&s, s.inter);
        compare(&s);
        merge(&s, s.upper, 1);
        merge(&s, !s.upper, 0);
        merge(&s, 0, 1);
        merge(&s, 1, 1);
        sides_free(&s);
    }
    return check_finish();
}
