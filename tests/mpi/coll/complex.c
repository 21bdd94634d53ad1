/* Sums and products of complex numbers: both parts, at every size of them. */
#include "check.h"
#include <complex.h>

enum { COUNT = 50 };

static int re(int rank, int i) { return (rank + i) % 3 - 1; }
static int im(int rank, int i) { return (rank * 2 + i) % 3; }

/* One body for three types of C: the parts are small integers, exact in all of them, and so are the results. */
#define TRY(type, c, part)                                                                                             \
    do {                                                                                                               \
        c out[COUNT], sum[COUNT], product[COUNT];                                                                      \
        for (int i = 0; i < COUNT; i++)                                                                                \
            out[i] = (part)re(me, i) + (part)im(me, i) * (c)I;                                                         \
        MPI_Allreduce(out, sum, COUNT, type, MPI_SUM, MPI_COMM_WORLD);                                                 \
        MPI_Allreduce(out, product, COUNT, type, MPI_PROD, MPI_COMM_WORLD);                                            \
        for (int i = 0; i < COUNT; i++) {                                                                              \
            long a = 0, b = 0, x = 1, y = 0;                                                                           \
            for (int r = 0; r < np; r++) {                                                                             \
                long old = x;                                                                                          \
                a += re(r, i);                                                                                         \
                b += im(r, i);                                                                                         \
                x = x * re(r, i) - y * im(r, i);                                                                       \
                y = old * im(r, i) + y * re(r, i);                                                                     \
            }                                                                                                          \
            long got[4] = {(long)creall(sum[i]), (long)cimagl(sum[i]), (long)creall(product[i]),                       \
                           (long)cimagl(product[i])};                                                                  \
            CHECK(got[0] == a && got[1] == b, #type " sum %d: %ld + %ldi, wanted %ld + %ldi", i, got[0], got[1], a,    \
                  b);                                                                                                  \
            CHECK(got[2] == x && got[3] == y, #type " product %d: %ld + %ldi, wanted %ld + %ldi", i, got[2], got[3],   \
                  x, y);                                                                                               \
        }                                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    TRY(MPI_C_FLOAT_COMPLEX, float complex, float);
    TRY(MPI_C_DOUBLE_COMPLEX, double complex, double);
    TRY(MPI_C_LONG_DOUBLE_COMPLEX, long double complex, long double);
    return check_finish();
}
