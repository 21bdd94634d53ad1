/* Operations with a request: Rput and Raccumulate are over when the buffer is free, Rget and Rget_accumulate when the result is there.
 * Many at a time, short and long, completed in every way; one to nobody. */
#include "rma.h"

enum { MANY = 12, LONG = CHECK_SMALL ? 300 : 30000, SUMS = LONG / 6 };

static void many(struct window *w, int bytes)
{
    int right = right_of(me);
    unsigned char *out[MANY], *in[MANY];
    MPI_Request q[MANY];
    for (int i = 0; i < MANY; i++) {
        out[i] = check_alloc((size_t)bytes);
        in[i] = check_alloc((size_t)bytes);
        fill_bytes(out[i], (size_t)bytes, 20 * me + i);
    }
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    for (int i = 0; i < MANY; i++)
        CHECK_OK(MPI_Rput(out[i], bytes, MPI_BYTE, right, w->at[right] + i * bytes, bytes, MPI_BYTE, w->win, &q[i]));
    CHECK_OK(MPI_Waitall(MANY, q, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++) {
        CHECK(q[i] == MPI_REQUEST_NULL, "request %d is still there", i);
        memset(out[i], 0, (size_t)bytes);
    }
    CHECK_OK(MPI_Win_flush(right, w->win));
    for (int i = 0; i < MANY; i++)
        CHECK_OK(MPI_Rget(in[i], bytes, MPI_BYTE, right, w->at[right] + i * bytes, bytes, MPI_BYTE, w->win, &q[i]));
    for (int left = MANY; left > 0; left--) {
        int i;
        CHECK_OK(MPI_Waitany(MANY, q, &i, MPI_STATUS_IGNORE));
        CHECK(wrong_byte(in[i], (size_t)bytes, 20 * me + i) < 0, "get %d of %d bytes, byte %ld", i, bytes,
              wrong_byte(in[i], (size_t)bytes, 20 * me + i));
    }
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < MANY; i++) {
        free(out[i]);
        free(in[i]);
    }
}

static void sums(struct window *w, int count)
{
    int *ones = check_alloc((size_t)count * sizeof *ones), *old = check_alloc((size_t)count * sizeof *old), flag = 0;
    MPI_Request q;
    MPI_Status status;
    memset(w->memory, 0, (size_t)count * sizeof *ones);
    for (int i = 0; i < count; i++)
        ones[i] = 1;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    for (int to = 0; to < np; to++) {
        CHECK_OK(MPI_Raccumulate(ones, count, MPI_INT, to, w->at[to], count, MPI_INT, MPI_SUM, w->win, &q));
        CHECK_OK(MPI_Wait(&q, &status));
        CHECK_OK(MPI_Rget_accumulate(ones, count, MPI_INT, old, count, MPI_INT, to, w->at[to], count, MPI_INT, MPI_SUM,
                                     w->win, &q));
        for (flag = 0; !flag;)
            CHECK_OK(MPI_Test(&q, &flag, &status));
        for (int i = 0; i < count; i++)
            CHECK(old[i] >= 1 && old[i] < 2 * np, "sum %d at rank %d was %d", i, to, old[i]);
    }
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < count; i++)
        CHECK(((int *)(void *)w->memory)[i] == 2 * np, "sum %d: %d", i, ((int *)(void *)w->memory)[i]);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    free(ones);
    free(old);
}

static void nobody(struct window *w)
{
    MPI_Request q[4];
    int x = 1, y = 2;
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK_OK(MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Get(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w->win));
    CHECK_OK(MPI_Accumulate(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w->win));
    CHECK_OK(MPI_Get_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w->win));
    CHECK_OK(MPI_Fetch_and_op(&x, &y, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, w->win));
    CHECK_OK(MPI_Compare_and_swap(&x, &x, &y, MPI_INT, MPI_PROC_NULL, 0, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    CHECK_OK(MPI_Rput(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w->win, &q[0]));
    CHECK_OK(MPI_Rget(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w->win, &q[1]));
    CHECK_OK(MPI_Raccumulate(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w->win, &q[2]));
    CHECK_OK(MPI_Rget_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w->win, &q[3]));
    CHECK_OK(MPI_Waitall(4, q, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK(x == 1 && y == 2, "%d and %d have changed", x, y);
}

/* The forms with large counts, once each. */
static void large_counts(struct window *w)
{
    int right = right_of(me), one = 1, got = 0, old = -1, *memory = (int *)(void *)w->memory;
    MPI_Request q[4];
    memory[0] = memory[1] = 0;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock_all(0, w->win));
    CHECK_OK(MPI_Put_c(&me, 1, MPI_INT, right, w->at[right], 1, MPI_INT, w->win));
    CHECK_OK(MPI_Win_flush_all(w->win));
    CHECK_OK(MPI_Get_c(&got, 1, MPI_INT, right, w->at[right], 1, MPI_INT, w->win));
    CHECK_OK(MPI_Accumulate_c(&one, 1, MPI_INT, right, w->at[right] + 4, 1, MPI_INT, MPI_SUM, w->win));
    CHECK_OK(
        MPI_Get_accumulate_c(&one, 1, MPI_INT, &old, 1, MPI_INT, right, w->at[right] + 4, 1, MPI_INT, MPI_SUM, w->win));
    CHECK_OK(MPI_Win_flush_all(w->win));
    CHECK(got == me && old == 1, "got %d, old %d", got, old);
    CHECK_OK(MPI_Rput_c(&me, 1, MPI_INT, right, w->at[right] + 8, 1, MPI_INT, w->win, &q[0]));
    CHECK_OK(MPI_Rget_c(&got, 1, MPI_INT, right, w->at[right], 1, MPI_INT, w->win, &q[1]));
    CHECK_OK(MPI_Raccumulate_c(&one, 1, MPI_INT, right, w->at[right] + 4, 1, MPI_INT, MPI_SUM, w->win, &q[2]));
    CHECK_OK(MPI_Rget_accumulate_c(&one, 1, MPI_INT, &old, 1, MPI_INT, right, w->at[right] + 4, 1, MPI_INT, MPI_SUM,
                                   w->win, &q[3]));
    CHECK_OK(MPI_Waitall(4, q, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Win_unlock_all(w->win));
    CHECK(got == me && old == 3, "got %d, old %d", got, old);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(memory[0] == left_of(me) && memory[1] == 4 && memory[2] == left_of(me), "%d %d %d", memory[0], memory[1],
          memory[2]);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, MANY * LONG);
        many(&w, 8);
        many(&w, np > 4 && LONG > 9000 ? 9000 : LONG);
        sums(&w, 1);
        sums(&w, np > 8 ? 100 : SUMS);
        nobody(&w);
        large_counts(&w);
        window_close(&w);
    }
    return check_finish();
}
