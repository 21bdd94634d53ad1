/* Derived datatypes at the origin, at the target, at both; messages of one piece and of many. What lies between the elements stays. */
#include "rma.h"

enum { MUCH = CHECK_SMALL ? 60 : 600, SLOTS = 10 * MUCH, UNTOUCHED = -77 };

static MPI_Datatype committed(MPI_Datatype t)
{
    CHECK_OK(MPI_Type_commit(&t));
    return t;
}

static MPI_Datatype columns(int count, int len, int stride)
{
    MPI_Datatype t;
    CHECK_OK(MPI_Type_vector(count, len, stride, MPI_INT, &t));
    return committed(t);
}

static MPI_Datatype irregular(int count)
{
    int *lens = check_alloc((size_t)count * sizeof *lens), *places = check_alloc((size_t)count * sizeof *places),
        at = 1;
    for (int i = 0; i < count; i++) {
        lens[i] = 1 + i % 3;
        places[i] = at;
        at += lens[i] + 1 + i % 2;
    }
    MPI_Datatype t;
    CHECK_OK(MPI_Type_indexed(count, lens, places, MPI_INT, &t));
    free(lens);
    free(places);
    return committed(t);
}

/* Blocks of two kinds, and a pair of vectors. */
static MPI_Datatype structure(void)
{
    MPI_Datatype inner = columns(3, 2, 4), t;
    int lens[3] = {2, 1, 3};
    MPI_Aint places[3] = {0, 16, 80};
    MPI_Datatype types[3] = {MPI_INT, inner, MPI_INT};
    CHECK_OK(MPI_Type_create_struct(3, lens, places, types, &t));
    CHECK_OK(MPI_Type_free(&inner));
    return committed(t);
}

/* Elements `t` in `memory` become 100, 101, ...; the rest UNTOUCHED: by MPI_Unpack, which is tested elsewhere. */
static void fill(int *memory, MPI_Datatype t, int count, int first)
{
    int size, at = 0;
    CHECK_OK(MPI_Type_size(t, &size));
    int ints = count * size / (int)sizeof(int);
    int *packed = check_alloc((size_t)ints * sizeof *packed);
    for (int i = 0; i < ints; i++)
        packed[i] = first + i;
    for (int i = 0; i < SLOTS; i++)
        memory[i] = UNTOUCHED;
    CHECK_OK(MPI_Unpack(packed, count * size, &at, memory, count, t, MPI_COMM_WORLD));
    free(packed);
}

static void compare(const int *memory, const int *wanted, const char *what, int line)
{
    for (int i = 0; i < SLOTS; i++)
        CHECK(memory[i] == wanted[i], "%s, from line %d: word %d is %d, wanted %d", what, line, i, memory[i],
              wanted[i]);
}

static void both_ways(struct window *w, MPI_Datatype mine, int mine_count, MPI_Datatype there, int there_count,
                      int line)
{
    int right = right_of(me), *out = check_alloc(SLOTS * sizeof *out), *wanted = check_alloc(SLOTS * sizeof *wanted);
    fill((int *)(void *)w->memory, there, 0, 0);
    fill(out, mine, mine_count, 100 + left_of(me));
    fill(wanted, there, there_count, 100 + left_of(left_of(me)));
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK_OK(MPI_Put(out, mine_count, mine, right, w->at[right], there_count, there, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    compare((int *)(void *)w->memory, wanted, "put", line);
    fill(out, mine, 0, 0);
    fill(wanted, mine, mine_count, 100 + left_of(me));
    CHECK_OK(MPI_Get(out, mine_count, mine, right, w->at[right], there_count, there, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    compare(out, wanted, "get", line);
    free(out);
    free(wanted);
}

/* The target's values are added to, and handed out. */
static void combine(struct window *w, MPI_Datatype mine, int mine_count, MPI_Datatype there, int there_count, int line)
{
    int right = right_of(me);
    int *out = check_alloc(SLOTS * sizeof *out), *old = check_alloc(SLOTS * sizeof *old),
        *wanted = check_alloc(SLOTS * sizeof *wanted);
    fill((int *)(void *)w->memory, there, there_count, 1000);
    fill(out, mine, mine_count, 1);
    fill(old, mine, 0, 0);
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK_OK(MPI_Get_accumulate(out, mine_count, mine, old, mine_count, mine, right, w->at[right], there_count, there,
                                MPI_SUM, w->win));
    CHECK_OK(MPI_Accumulate(out, mine_count, mine, right, w->at[right], there_count, there, MPI_SUM, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    fill(wanted, mine, mine_count, 1000);
    compare(old, wanted, "old values", line);
    const int *now = (const int *)(const void *)w->memory;
    fill(wanted, there, there_count, 0); /* packed place i: 1000 + i + 2 * (1 + i) */
    for (int i = 0; i < SLOTS; i++) {
        int sum = wanted[i] == UNTOUCHED ? UNTOUCHED : 1002 + 3 * wanted[i];
        CHECK(now[i] == sum, "sum, from line %d: word %d is %d, wanted %d", line, i, now[i], sum);
    }
    free(out);
    free(old);
    free(wanted);
}

static void pair_up(struct window *w, MPI_Datatype mine, int mine_count, MPI_Datatype there, int there_count, int line)
{
    both_ways(w, mine, mine_count, there, there_count, line);
    combine(w, mine, mine_count, there, there_count, line);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Datatype narrow = columns(MUCH, 1, 5), wide = columns(MUCH / 10, 10, 23), list = irregular(MUCH / 2 + 1),
                 mix = structure();
    int list_bytes;
    CHECK_OK(MPI_Type_size(list, &list_bytes));
    int list_ints = list_bytes / (int)sizeof(int);
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, SLOTS * (int)sizeof(int));
        pair_up(&w, MPI_INT, MUCH, narrow, 1, __LINE__);
        pair_up(&w, narrow, 1, MPI_INT, MUCH, __LINE__);
        pair_up(&w, narrow, 1, wide, 1, __LINE__);
        pair_up(&w, wide, 1, narrow, 1, __LINE__);
        pair_up(&w, MPI_INT, list_ints, list, 1, __LINE__);
        pair_up(&w, list, 1, list, 1, __LINE__);
        pair_up(&w, list, 2, MPI_INT, 2 * list_ints, __LINE__);
        pair_up(&w, MPI_INT, 11 * (MUCH / 15), mix, MUCH / 15, __LINE__);
        pair_up(&w, mix, 1, MPI_INT, 11, __LINE__);
        pair_up(&w, MPI_INT, 5 * MUCH, MPI_INT, 5 * MUCH, __LINE__);
        window_close(&w);
    }
    CHECK_OK(MPI_Type_free(&narrow));
    CHECK_OK(MPI_Type_free(&wide));
    CHECK_OK(MPI_Type_free(&list));
    CHECK_OK(MPI_Type_free(&mix));
    return check_finish();
}
