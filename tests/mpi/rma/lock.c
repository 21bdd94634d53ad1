/* Locks: an exclusive one keeps all others out, shared ones do not exclude each other, and flush completes what was asked so far. */
#include "rma.h"

enum { ROUNDS = 15 };

/* Read, change, write: nothing is lost only if nobody else comes between. */
static void exclusive(struct window *w)
{
    for (int i = 0; i < ROUNDS; i++) {
        int pair[2], target = (i + me) % np;
        CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win));
        CHECK_OK(MPI_Get(pair, 2, MPI_INT, target, w->at[target], 2, MPI_INT, w->win));
        CHECK_OK(MPI_Win_flush(target, w->win));
        CHECK(pair[0] == pair[1], "%d and %d differ: somebody has written half", pair[0], pair[1]);
        pair[0]++;
        CHECK_OK(MPI_Put(&pair[0], 1, MPI_INT, target, w->at[target], 1, MPI_INT, w->win));
        pair[1]++;
        CHECK_OK(MPI_Win_flush_local(target, w->win));
        CHECK_OK(MPI_Put(&pair[1], 1, MPI_INT, target, w->at[target] + 4, 1, MPI_INT, w->win));
        CHECK_OK(MPI_Win_unlock(target, w->win));
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    int sum = ((int *)(void *)w->memory)[0], all = 0;
    CHECK_OK(MPI_Win_unlock(me, w->win));
    CHECK_OK(MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all == np * ROUNDS, "%d changes of %d", all, np * ROUNDS);
}

/* All hold a shared lock at a time: each waits for all others while it does. */
static void shared(struct window *w)
{
    int mine = 50 + me, seen = 0;
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
    CHECK_OK(MPI_Put(&mine, 1, MPI_INT, 0, w->at[0] + 64 + 4 * me, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_flush(0, w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Get(&seen, 1, MPI_INT, 0, w->at[0] + 64 + 4 * right_of(me), 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_flush_local(0, w->win));
    CHECK(seen == 50 + right_of(me), "%d", seen);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_unlock(0, w->win));
}

/* Several ranks locked by one, given back in another order. */
static void several(struct window *w)
{
    int mine = 7 + me;
    for (int i = 0; i < np; i++)
        CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, i, 0, w->win));
    for (int i = 0; i < np; i++)
        CHECK_OK(MPI_Put(&mine, 1, MPI_INT, i, w->at[i] + 64 + 4 * me, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_flush_all(w->win));
    CHECK_OK(MPI_Win_flush_local_all(w->win));
    for (int i = np - 1; i >= 0; i--)
        CHECK_OK(MPI_Win_unlock(i, w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < np; i++)
        CHECK(((int *)(void *)w->memory)[16 + i] == 7 + i, "from rank %d: %d", i, ((int *)(void *)w->memory)[16 + i]);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Who knows that nobody else is there needs no lock. */
static void no_check(struct window *w)
{
    int mine = 90 + me;
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right_of(me), MPI_MODE_NOCHECK, w->win));
    CHECK_OK(MPI_Put(&mine, 1, MPI_INT, right_of(me), w->at[right_of(me)] + 64, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_unlock(right_of(me), w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(((int *)(void *)w->memory)[16] == 90 + left_of(me), "%d", ((int *)(void *)w->memory)[16]);
    CHECK_OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win));
    CHECK_OK(MPI_Put(&me, 1, MPI_INT, right_of(me), w->at[right_of(me)] + 68, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(((int *)(void *)w->memory)[17] == left_of(me), "%d", ((int *)(void *)w->memory)[17]);
}

/* A rank waits in MPI_Win_sync for a change that another makes. */
static void watch(struct window *w)
{
    volatile int *flag = (volatile int *)(void *)(w->memory + 32);
    int one = 1;
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    if (me == 0) {
        CHECK_OK(MPI_Put(&one, 1, MPI_INT, right_of(me), w->at[right_of(me)] + 32, 1, MPI_INT, w->win));
        CHECK_OK(MPI_Win_flush(right_of(me), w->win));
    }
    while (*flag == 0)
        CHECK_OK(MPI_Win_sync(w->win));
    if (me != 0) {
        CHECK_OK(MPI_Put(&one, 1, MPI_INT, right_of(me), w->at[right_of(me)] + 32, 1, MPI_INT, w->win));
        CHECK_OK(MPI_Win_flush(right_of(me), w->win));
    }
    CHECK_OK(MPI_Win_unlock_all(w->win));
}

/* Rank 1 waits to have the window for itself; rank 2 must share it with rank 0 all the same, who goes on only then. */
static void let_in(struct window *w)
{
    int word = 0, target = 0;
    if (me == 0) {
        CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, w->win));
        for (int i = 1; i < 3; i++)
            CHECK_OK(MPI_Send(&word, 1, MPI_INT, i, 0, MPI_COMM_WORLD));
        CHECK_OK(MPI_Recv(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Win_unlock(target, w->win));
    } else if (me == 1) {
        CHECK_OK(MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Send(&word, 1, MPI_INT, 2, 1, MPI_COMM_WORLD));
        CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win));
        CHECK_OK(MPI_Win_unlock(target, w->win));
    } else if (me == 2) {
        CHECK_OK(MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (double until = MPI_Wtime() + 1e-3; MPI_Wtime() < until;)
            ; /* rank 1 asks meanwhile */
        CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, w->win));
        CHECK_OK(MPI_Win_unlock(target, w->win));
        CHECK_OK(MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    }
}

/* Those who share the lock again and again must not keep out for ever who wants it alone: rank 1, of rank 0. */
static void fair(struct window *w)
{
    enum { TURNS = CHECK_SMALL ? 2 : 10 };
    int word = 0, stop = 0;
    if (me == 1) {
        for (int i = 0; i < TURNS; i++) {
            CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->win));
            CHECK_OK(MPI_Win_unlock(0, w->win));
        }
        for (int i = 0; i < np; i++)
            CHECK_OK(i == me ? MPI_SUCCESS : MPI_Send(&word, 1, MPI_INT, i, 2, MPI_COMM_WORLD));
        return;
    }
    while (me > 1 && !stop) {
        int value;
        CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
        for (int i = 0; i < 8; i++) { /* long enough that the next comes before this one goes */
            CHECK_OK(MPI_Get(&value, 1, MPI_INT, 0, w->at[0], 1, MPI_INT, w->win));
            CHECK_OK(MPI_Win_flush(0, w->win));
        }
        CHECK_OK(MPI_Win_unlock(0, w->win));
        CHECK_OK(MPI_Iprobe(1, 2, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Recv(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Nor must those who lock all again and again, rank 1 or each other. */
static void fair_to_all(struct window *w)
{
    enum { TURNS = CHECK_SMALL ? 2 : 10 };
    int word = 0, stop = 0;
    if (me == 1) {
        for (int i = 0; i < TURNS; i++) {
            CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, i % np, 0, w->win));
            CHECK_OK(MPI_Win_unlock(i % np, w->win));
        }
        for (int i = 0; i < np; i++)
            CHECK_OK(i == me ? MPI_SUCCESS : MPI_Send(&word, 1, MPI_INT, i, 3, MPI_COMM_WORLD));
        return;
    }
    while (me > 1 && !stop) {
        int value;
        CHECK_OK(MPI_Win_lock_all(0, w->win));
        for (int i = 0; i < 8; i++) { /* long enough that the next comes before this one goes */
            CHECK_OK(MPI_Get(&value, 1, MPI_INT, 0, w->at[0], 1, MPI_INT, w->win));
            CHECK_OK(MPI_Win_flush_all(w->win));
        }
        CHECK_OK(MPI_Win_unlock_all(w->win));
        CHECK_OK(MPI_Iprobe(1, 3, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Recv(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, 64 + 4 * (np > 2 ? np : 2));
        exclusive(&w);
        shared(&w);
        several(&w);
        no_check(&w);
        watch(&w);
        if (np > 2)
            let_in(&w);
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        if (np > 2 && f == CREATE)
            fair(&w);
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        if (np > 3 && f == CREATE)
            fair_to_all(&w);
        window_close(&w);
    }
    return check_finish();
}
