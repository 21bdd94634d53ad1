/* Post, start, complete, wait and test: a ring of neighbours, one rank with all others, empty groups. */
#include "rma.h"

enum { LONGEST = CHECK_SMALL ? 2000 : 50000 };

static MPI_Group group_of(const int *ranks, int count)
{
    MPI_Group world, g;
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_incl(world, count, ranks, &g));
    CHECK_OK(MPI_Group_free(&world));
    return g;
}

static void free_group(MPI_Group *g)
{
    if (*g != MPI_GROUP_EMPTY)
        CHECK_OK(MPI_Group_free(g));
}

static void ring(struct window *w, int assert, int rounds)
{
    int right = right_of(me), left = left_of(me), back[100], out[100];
    MPI_Group to = group_of(&right, 1), from = group_of(&left, 1);
    for (int i = 0; i < rounds; i++) {
        int *memory = (int *)(void *)w->memory;
        CHECK_OK(MPI_Win_post(from, assert, w->win));
        if (assert)
            CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_OK(MPI_Win_start(to, assert, w->win));
        for (int k = 0; k < 100; k++)
            out[k] = 1000 * i + 100 * me + k;
        CHECK_OK(MPI_Put(out, 100, MPI_INT, right, w->at[right], 100, MPI_INT, w->win));
        CHECK_OK(MPI_Win_complete(w->win));
        CHECK_OK(MPI_Win_wait(w->win));
        for (int k = 0; k < 100; k++)
            CHECK(memory[k] == 1000 * i + 100 * left + k, "round %d, word %d: %d", i, k, memory[k]);
        CHECK_OK(MPI_Win_post(from, 0, w->win));
        CHECK_OK(MPI_Win_start(to, 0, w->win));
        CHECK_OK(MPI_Get(back, 100, MPI_INT, right, w->at[right], 100, MPI_INT, w->win));
        CHECK_OK(MPI_Win_complete(w->win));
        for (int k = 0; k < 100; k++)
            CHECK(back[k] == out[k], "round %d, word %d came back as %d", i, k, back[k]);
        for (int flag = 0; !flag;)
            CHECK_OK(MPI_Win_test(w->win, &flag));
    }
    free_group(&to);
    free_group(&from);
}

/* Rank 0 exposes its window to all others, who add to it; then the other way. */
static void star(struct window *w, int bytes)
{
    int *others = check_alloc((size_t)np * sizeof *others), zero = 0;
    for (int i = 1; i < np; i++)
        others[i - 1] = i;
    MPI_Group all = group_of(others, np - 1), first = group_of(&zero, 1);
    unsigned char *data = check_alloc((size_t)bytes);
    if (me == 0) {
        memset(w->memory, 0, 8);
        CHECK_OK(MPI_Win_post(all, 0, w->win));
        CHECK_OK(MPI_Win_wait(w->win));
        CHECK(((int *)(void *)w->memory)[0] == np - 1, "%d of %d came", ((int *)(void *)w->memory)[0], np - 1);
        fill_bytes(data, (size_t)bytes, 5);
        CHECK_OK(MPI_Win_start(all, 0, w->win));
        for (int i = 1; i < np; i++)
            CHECK_OK(MPI_Put(data, bytes, MPI_BYTE, i, w->at[i], bytes, MPI_BYTE, w->win));
        CHECK_OK(MPI_Win_complete(w->win));
    } else {
        int one = 1;
        CHECK_OK(MPI_Win_start(first, 0, w->win));
        CHECK_OK(MPI_Accumulate(&one, 1, MPI_INT, 0, w->at[0], 1, MPI_INT, MPI_SUM, w->win));
        CHECK_OK(MPI_Win_complete(w->win));
        CHECK_OK(MPI_Win_post(first, 0, w->win));
        CHECK_OK(MPI_Win_wait(w->win));
        CHECK(wrong_byte((unsigned char *)w->memory, (size_t)bytes, 5) < 0, "byte %ld of %d",
              wrong_byte((unsigned char *)w->memory, (size_t)bytes, 5), bytes);
    }
    free(data);
    free(others);
    free_group(&all);
    free_group(&first);
}

static void not_yet(struct window *w)
{
    int flag = 1, zero = 0, one = 1;
    MPI_Group first = group_of(&zero, 1), second = group_of(&one, 1);
    if (me == 1) {
        CHECK_OK(MPI_Win_post(first, 0, w->win));
        CHECK_OK(MPI_Win_test(w->win, &flag));
        CHECK(!flag, "nobody has started");
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        CHECK_OK(MPI_Win_start(second, 0, w->win));
        CHECK_OK(MPI_Win_complete(w->win));
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 1)
        CHECK_OK(MPI_Win_wait(w->win));
    free_group(&first);
    free_group(&second);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, LONGEST);
        CHECK_OK(MPI_Win_start(MPI_GROUP_EMPTY, 0, w.win));
        CHECK_OK(MPI_Win_complete(w.win));
        CHECK_OK(MPI_Win_post(MPI_GROUP_EMPTY, 0, w.win));
        CHECK_OK(MPI_Win_wait(w.win));
        ring(&w, 0, 3);
        ring(&w, MPI_MODE_NOCHECK, 2);
        if (np > 1) {
            star(&w, 100);
            star(&w, LONGEST);
            not_yet(&w);
        }
        CHECK_OK(MPI_Win_fence(0, w.win));
        window_close(&w);
    }
    return check_finish();
}
