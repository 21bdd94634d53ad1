/* MAXLOC and MINLOC of the pair types; the lowest index wins a tie. */
#include "check.h"

/* One body for six pair types of C. */
#define TRY(type, c)                                                                                                   \
    do {                                                                                                               \
        struct {                                                                                                       \
            c value;                                                                                                   \
            int index;                                                                                                 \
        } out[20], in[20];                                                                                             \
        for (int min = 0; min < 2; min++) {                                                                            \
            memset(out, 0, sizeof out);                                                                                \
            for (int i = 0; i < 20; i++) {                                                                             \
                out[i].value = (c)((me * 7 + i) % 5);                                                                  \
                out[i].index = me;                                                                                     \
            }                                                                                                          \
            MPI_Allreduce(out, in, 20, type, min ? MPI_MINLOC : MPI_MAXLOC, MPI_COMM_WORLD);                           \
            for (int i = 0; i < 20; i++) {                                                                             \
                int best = 0;                                                                                          \
                for (int r = 1; r < np; r++) {                                                                         \
                    int a = (r * 7 + i) % 5, b = (best * 7 + i) % 5;                                                   \
                    if (min ? a < b : a > b)                                                                           \
                        best = r;                                                                                      \
                }                                                                                                      \
                CHECK(in[i].index == best && (int)in[i].value == (best * 7 + i) % 5,                                   \
                      #type " min %d: %d at %d, wanted %d", min, (int)in[i].value, in[i].index, best);                 \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    TRY(MPI_FLOAT_INT, float);
    TRY(MPI_DOUBLE_INT, double);
    TRY(MPI_LONG_INT, long);
    TRY(MPI_2INT, int);
    TRY(MPI_SHORT_INT, short);
    TRY(MPI_LONG_DOUBLE_INT, long double);
    return check_finish();
}
