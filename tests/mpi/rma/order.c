/* Accumulates of one origin to one place happen in the order of the calls, also those of many pieces; what one fetches is what the one before
 * has left (MPI 5.0, section 12.7.2). */
#include "rma.h"

enum { LONG = CHECK_SMALL ? 300 : 9000 };

static void in_order(struct window *w, int count)
{
    int *a = check_alloc((size_t)count * sizeof *a), *b = check_alloc((size_t)count * sizeof *b),
        *old = check_alloc((size_t)count * sizeof *old), right = right_of(me);
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < count; i++) {
            a[i] = 100 * me + i + round;
            b[i] = 10;
        }
        CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, w->win));
        CHECK_OK(MPI_Accumulate(a, count, MPI_INT, right, w->at[right], count, MPI_INT, MPI_REPLACE, w->win));
        CHECK_OK(MPI_Accumulate(b, count, MPI_INT, right, w->at[right], count, MPI_INT, MPI_SUM, w->win));
        CHECK_OK(MPI_Get_accumulate(b, count, MPI_INT, old, count, MPI_INT, right, w->at[right], count, MPI_INT,
                                    MPI_PROD, w->win));
        CHECK_OK(MPI_Win_unlock(right, w->win));
        for (int i = 0; i < count; i++)
            CHECK(old[i] == a[i] + 10, "round %d, element %d: %d", round, i, old[i]);
        CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w->win));
        CHECK_OK(MPI_Get(old, count, MPI_INT, right, w->at[right], count, MPI_INT, w->win));
        CHECK_OK(MPI_Win_unlock(right, w->win));
        for (int i = 0; i < count; i++)
            CHECK(old[i] == 10 * (a[i] + 10), "round %d, element %d: %d at last", round, i, old[i]);
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    free(a);
    free(b);
    free(old);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, LONG * (int)sizeof(int));
        in_order(&w, 1);
        in_order(&w, 100);
        in_order(&w, np > 8 && LONG > 3000 ? 3000 : LONG);
        window_close(&w);
    }
    return check_finish();
}
