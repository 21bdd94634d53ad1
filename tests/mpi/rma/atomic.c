/* Many ranks, one place: each fetch_and_op must see another value, a compare_and_swap succeeds for one at a time, and nothing that is added
 * may be lost. */
#include "rma.h"

enum { ROUNDS = CHECK_SMALL ? 6 : 20 };

static void count(struct window *w)
{
    long one = 1, old = -1, last = -1;
    int *taken = calloc((size_t)(np * ROUNDS), sizeof *taken), *all = calloc((size_t)(np * ROUNDS), sizeof *all);
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_OK(MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, w->at[0], MPI_SUM, w->win));
        CHECK_OK(MPI_Win_flush(0, w->win));
        CHECK(old > last && old < np * ROUNDS, "ticket %ld after %ld", old, last);
        last = old;
        taken[old]++;
    }
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK_OK(MPI_Allreduce(taken, all, np * ROUNDS, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < np * ROUNDS; i++)
        CHECK(all[i] == 1, "ticket %d was given out %d times", i, all[i]);
    free(taken);
    free(all);
}

/* Add by compare and swap. */
static void swap(struct window *w)
{
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
    for (int i = 0; i < ROUNDS; i++) {
        int seen, guess = 0, wanted;
        for (;;) {
            wanted = guess + 1;
            CHECK_OK(MPI_Compare_and_swap(&wanted, &guess, &seen, MPI_INT, 0, w->at[0] + 8, w->win));
            CHECK_OK(MPI_Win_flush(0, w->win));
            if (seen == guess)
                break;
            guess = seen;
        }
    }
    CHECK_OK(MPI_Win_unlock(0, w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    int sum = -1;
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
    CHECK_OK(MPI_Get(&sum, 1, MPI_INT, 0, w->at[0] + 8, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_unlock(0, w->win));
    CHECK(sum == np * ROUNDS, "%d swaps", sum);
    unsigned char byte = 9, zero = 0, was = 1;
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, w->win));
    CHECK_OK(MPI_Compare_and_swap(&byte, &zero, &was, MPI_BYTE, me, w->at[me] + 17, w->win));
    CHECK_OK(MPI_Win_unlock(me, w->win));
    CHECK(was == 0 && w->memory[17] == 9, "a byte: was %d, is %d", was, w->memory[17]);
}

/* Without an answer: the sum is complete when all have unlocked. */
static void add(struct window *w)
{
    double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, sums[8] = {0};
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    for (int i = 0; i < ROUNDS; i++)
        for (int to = 0; to < np; to++)
            CHECK_OK(MPI_Accumulate(ones, 8, MPI_DOUBLE, to, w->at[to] + 32, 8, MPI_DOUBLE, MPI_SUM, w->win));
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right_of(me), 0, w->win));
    CHECK_OK(MPI_Get(sums, 8, MPI_DOUBLE, right_of(me), w->at[right_of(me)] + 32, 8, MPI_DOUBLE, w->win));
    CHECK_OK(MPI_Win_unlock(right_of(me), w->win));
    for (int i = 0; i < 8; i++)
        CHECK(sums[i] == np * ROUNDS, "sum %d is %g", i, sums[i]);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, 128);
        count(&w);
        swap(&w);
        add(&w);
        window_close(&w);
    }
    return check_finish();
}
