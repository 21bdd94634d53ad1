/* Reductions between groups keep the order of the group that gives: an operation that does not commute. */
#include "sides.h"

struct run {
    int first, last; /* ranks whose operands are joined, in order; first < 0: they were not */
};

static void join(void *in, void *inout, int *len, MPI_Datatype *type)
{
    struct run *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *len; i++)
        b[i] = a[i].first >= 0 && b[i].first >= 0 && a[i].last + 1 == b[i].first ? (struct run){a[i].first, b[i].last}
                                                                                 : (struct run){-1, -1};
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Op op;
    MPI_Op_create(join, 0, &op);
    for (int low = 1; low < np; low++) {
        struct sides s = sides_make(low, 3);
        struct run mine = {s.rank, s.rank}, got = {-2, -2};
        CHECK_OK(MPI_Allreduce(&mine, &got, 1, MPI_2INT, op, s.inter));
        CHECK(got.first == 0 && got.last == s.others - 1, "%d to %d of %d", got.first, got.last, s.others);
        int root = s.upper ? 0 : s.rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
        got = (struct run){-2, -2};
        CHECK_OK(MPI_Reduce(&mine, &got, 1, MPI_2INT, op, root, s.inter));
        CHECK(root != MPI_ROOT || (got.first == 0 && got.last == s.others - 1), "%d to %d of %d", got.first, got.last,
              s.others);
        sides_free(&s);
    }
    MPI_Op_free(&op);
    return check_finish();
}
