/* As many communicators as there can be, and one more: an error, not a crash; those that were freed make room. */
#include "check.h"

enum { MOST = 5000 };
static MPI_Comm comm[MOST];

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm base, one;
    int n = 0, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &base);
    MPI_Comm_set_errhandler(base, MPI_ERRORS_RETURN);
    while (n < MOST && MPI_Comm_dup(base, &comm[n]) == MPI_SUCCESS)
        n++;
    CHECK(n > 50 && n < MOST, "%d communicators", n);
    MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, comm[n - 1]);
    CHECK(sum == n * np, "sum %d of %d", sum, n);
    MPI_Comm_free(&comm[n / 2]);
    MPI_Comm_free(&comm[n - 1]);
    CHECK_OK(MPI_Comm_dup(base, &comm[n / 2]));
    CHECK_OK(MPI_Comm_split(base, me % 2, 0, &comm[n - 1]));
    CHECK(MPI_Comm_dup(base, &one) != MPI_SUCCESS, "one too many, of %d", n);
    MPI_Barrier(comm[n - 1]);
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&comm[i]);
    CHECK_OK(MPI_Comm_dup(base, &one));
    MPI_Barrier(one);
    MPI_Comm_free(&one);
    MPI_Comm_free(&base);
    return check_finish();
}
