/* MPI_Dims_create: sizes do not increase, make the nodes, and are as near to each other as can be; sizes given stay. */
#include "check.h"

/* Of three factors of n that do not increase, those that differ least; of several such, those with the largest smallest one. */
static void best_of_three(int n, int *first, int *second)
{
    int spread = n;
    *first = n;
    *second = 1;
    for (int a = 1; a <= n; a++) {
        for (int b = 1; b <= a && n % a == 0; b++) {
            int c = n / a / b;
            int apart = CHECK_SMALL ? a : a - c; /* small builds have the least largest */
            int is_better = apart < spread || (!CHECK_SMALL && apart == spread && a > *first);
            if (n / a % b == 0 && c <= b && is_better) {
                spread = apart;
                *first = a;
                *second = b;
            }
        }
    }
}

static void check_three(int n)
{
    int dims[3] = {0, 0, 0}, first, second;
    CHECK_OK(MPI_Dims_create(n, 3, dims));
    best_of_three(n, &first, &second);
    CHECK(dims[0] * dims[1] * dims[2] == n && dims[0] == first && dims[1] == second, "%d: %d %d %d, not %d %d", n,
          dims[0], dims[1], dims[2], first, second);
}

static void check_two(int n, int a, int b)
{
    int dims[2] = {0, 0};
    CHECK_OK(MPI_Dims_create(n, 2, dims));
    CHECK(dims[0] == a && dims[1] == b, "%d: %d %d", n, dims[0], dims[1]);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    for (int n = 1; n <= 300; n++) {
        check_three(n);
    }
    check_three(7488); /* 26 18 16, not 24 24 13, but in small builds */
    check_two(2147483647, 2147483647, 1);
    check_two(2147395600, 46340, 46340);
    check_two(2146654199, 46337, 46327);
    check_two(1000000, 1000, 1000);
    int given[4] = {0, 3, 0, 1}, many[40] = {0}, none = 0, fixed[2] = {2, 3};
    CHECK_OK(MPI_Dims_create(36, 4, given));
    CHECK(given[0] == 4 && given[1] == 3 && given[2] == 3 && given[3] == 1, "%d %d %d %d", given[0], given[1], given[2],
          given[3]);
    CHECK_OK(MPI_Dims_create(96, 40, many));
    CHECK(many[0] == 3 && many[1] == 2 && many[5] == 2 && many[6] == 1 && many[39] == 1, "%d %d %d %d", many[0],
          many[1], many[5], many[6]);
    CHECK_OK(MPI_Dims_create(6, 2, fixed));
    CHECK_OK(MPI_Dims_create(6, 0, &none));
    CHECK_CLASS(MPI_Dims_create(7, 2, fixed), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(12, 2, fixed), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(7, 4, (int[]){2, 0, 0, 0}), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(0, 1, &none), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(4, 2, (int[]){-1, 0}), MPI_ERR_DIMS);
    CHECK_CLASS(MPI_Dims_create(4, -1, &none), MPI_ERR_DIMS);
    return check_finish();
}
