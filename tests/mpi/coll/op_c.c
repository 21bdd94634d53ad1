/* The program's own operations with counts of MPI_Count; MPI_Reduce_local in both forms; which operations commute. */
#include "check.h"

static int calls, longest;

/* Matrices (a b; 0 1): a product that does not commute. */
static void compose(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    int *f = in, *g = inout;
    CHECK(*type == MPI_2INT, "another datatype, %d elements", (int)*len);
    for (MPI_Count i = 0; i < 2 * *len; i += 2) {
        g[i + 1] = f[i] * g[i + 1] + f[i + 1];
        g[i] = f[i] * g[i];
    }
    calls++;
    longest = *len > longest ? (int)*len : longest;
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    enum { N = 50 };
    int in[2 * N], got[2 * N], commutes = -1;
    MPI_Op op, other;
    CHECK_OK(MPI_Op_create_c(compose, 0, &op));
    MPI_Op_commutative(op, &commutes);
    CHECK(!commutes, "%d", commutes);
    CHECK_OK(MPI_Op_create_c(compose, 1, &other));
    MPI_Op_commutative(other, &commutes);
    CHECK(commutes, "%d", commutes);
    MPI_Op_commutative(MPI_SUM, &commutes);
    CHECK(commutes, "%d", commutes);
    for (int i = 0; i < N; i++) {
        in[2 * i] = me % 3 == 0 ? 1 : -1;
        in[2 * i + 1] = me + i;
    }
    CHECK_OK(MPI_Allreduce_c(in, got, N, MPI_2INT, op, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++) {
        int a = 1, b = 0;
        for (int p = 0; p < np; p++) {
            b += a * (p + i);
            a *= p % 3 == 0 ? 1 : -1;
        }
        CHECK(got[2 * i] == a && got[2 * i + 1] == b, "[%d] %d %d, wanted %d %d", i, got[2 * i], got[2 * i + 1], a, b);
    }
    int before = calls;
    CHECK_OK(MPI_Reduce_local_c(in, got, N, MPI_2INT, op));
    CHECK(calls == before + 1 && longest == N, "%d calls, longest %d", calls - before, longest);
    int x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
    CHECK_OK(MPI_Reduce_local_c(x, y, 3, MPI_INT, MPI_SUM));
    CHECK(y[0] == 11 && y[1] == 22 && y[2] == 33, "%d %d %d", y[0], y[1], y[2]);
    check_return_errors();
    CHECK_CLASS(MPI_Reduce_local_c(x, y, -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Op_create_c(NULL, 1, &op), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Bcast_c(x, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Bcast_c(x, INT64_MAX / 2, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    MPI_Op_free(&op);
    MPI_Op_free(&other);
    return check_finish();
}
