/* All predefined operations on the datatypes they are for, accumulated by all ranks at once into every rank: compared with what plain
 * arithmetic says, on windows of all kinds. */
#include "rma.h"

#include "values.h"

enum { COUNT = CHECK_SMALL ? 9 : 40, OPS = 11 };

struct operation {
    MPI_Op op;
    int kinds; /* a bit an enum kind */
};

enum { NUMBERS = 1 << INTEGER | 1 << UNSIGNED | 1 << FLOATING, WHOLE = 1 << INTEGER | 1 << UNSIGNED };

static long reference(MPI_Op op, long a, long b)
{
    if (op == MPI_SUM)
        return a + b;
    if (op == MPI_PROD)
        return a * b;
    if (op == MPI_MAX)
        return a > b ? a : b;
    if (op == MPI_MIN)
        return a < b ? a : b;
    if (op == MPI_BAND)
        return a & b;
    if (op == MPI_BOR)
        return a | b;
    if (op == MPI_BXOR)
        return a ^ b;
    if (op == MPI_LAND)
        return a && b;
    if (op == MPI_LOR)
        return a || b;
    if (op == MPI_LXOR)
        return !a != !b;
    return a;
}

/* Small enough for one byte, whatever the number of ranks. */
static long value(MPI_Op op, int rank, int i)
{
    return op == MPI_PROD ? 1 + (rank == i % np) : (rank + i) % 4 < 2 ? i % 3 : 0;
}
static long start(MPI_Op op, int i) { return op == MPI_PROD ? 3 : i % 2; }

static void one(struct window *w, const struct type *t, MPI_Op op)
{
    _Alignas(16) char mine[COUNT * 32], *memory = w->memory;
    for (int i = 0; i < COUNT; i++) {
        put(t, memory, i, start(op, i));
        put(t, mine, i, value(op, me, i));
    }
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; i < np; i++)
        CHECK_OK(MPI_Accumulate(mine, COUNT, t->type, i, w->at[i], COUNT, t->type, op, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; i < COUNT; i++) {
        long wanted = start(op, i);
        for (int rank = 0; rank < np; rank++)
            wanted = reference(op, value(op, rank, i), wanted);
        CHECK(get(t, memory, i) == wanted, "element %d: %ld, wanted %ld", i, get(t, memory, i), wanted);
    }
    CHECK_OK(MPI_Win_fence(0, w->win));
}

/* The last one to come wins, and its elements come together only one by one. */
static void replace(struct window *w)
{
    int mine[COUNT], seen[COUNT], *memory = (int *)(void *)w->memory;
    for (int i = 0; i < COUNT; i++)
        mine[i] = 100 * (me + 1) + i;
    CHECK_OK(MPI_Win_fence(0, w->win));
    CHECK_OK(MPI_Accumulate(mine, COUNT, MPI_INT, 0, w->at[0], COUNT, MPI_INT, MPI_REPLACE, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; me == 0 && i < COUNT; i++)
        CHECK(memory[i] % 100 == i && memory[i] / 100 >= 1 && memory[i] / 100 <= np, "element %d: %d", i, memory[i]);
    CHECK_OK(
        MPI_Get_accumulate(NULL, 0, MPI_INT, seen, COUNT, MPI_INT, 0, w->at[0], COUNT, MPI_INT, MPI_NO_OP, w->win));
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; i < COUNT; i++)
        CHECK(seen[i] % 100 == i, "fetched element %d: %d", i, seen[i]);
}

/* Pairs, which may have gaps. */
static void places(struct window *w)
{
    struct {
        double value;
        int index;
    } mine = {me % 3, me}, *memory = (void *)w->memory;
    CHECK_OK(MPI_Win_fence(0, w->win));
    memory[0].value = memory[1].value = 1;
    memory[0].index = memory[1].index = 1000;
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; i < np; i++) {
        CHECK_OK(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, i, w->at[i], 1, MPI_DOUBLE_INT, MPI_MAXLOC, w->win));
        CHECK_OK(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, i, w->at[i] + (MPI_Aint)sizeof mine, 1, MPI_DOUBLE_INT,
                                MPI_MINLOC, w->win));
    }
    CHECK_OK(MPI_Win_fence(0, w->win));
    int high = np > 2 ? 2 : np == 2 ? 1 : 1000;
    CHECK(memory[0].index == high && memory[1].index == 0, "maximum at %d, minimum at %d", memory[0].index,
          memory[1].index);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    const struct operation operations[OPS] = {{MPI_SUM, NUMBERS},
                                              {MPI_PROD, 1 << FLOATING},
                                              {MPI_MAX, NUMBERS},
                                              {MPI_MIN, NUMBERS},
                                              {MPI_BAND, WHOLE},
                                              {MPI_BOR, WHOLE},
                                              {MPI_BXOR, WHOLE},
                                              {MPI_LAND, WHOLE | 1 << LOGICAL},
                                              {MPI_LOR, WHOLE | 1 << LOGICAL},
                                              {MPI_LXOR, WHOLE | 1 << LOGICAL},
                                              {MPI_SUM, 1 << COMPLEX}};
    struct type types[TYPES];
    int n = types_fill(types), skip = CHECK_SMALL ? 7 : np <= 8 ? 1 : np <= 16 ? 5 : 61; /* what is left is bearable */
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, COUNT * 32);
        for (int t = 0; t < n; t++)
            for (int k = 0; k < OPS; k++)
                if (operations[k].kinds >> types[t].kind & 1 && (t + k * n) % skip == 0)
                    one(&w, &types[t], operations[k].op);
        replace(&w);
        places(&w);
        window_close(&w);
    }
    return check_finish();
}
