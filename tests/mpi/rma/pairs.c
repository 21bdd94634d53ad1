/* Accumulates of pairs, most of which have gaps, in derived datatypes of all shapes: every pair is combined as a whole, and what lies
 * between them stays.
 */
#include "rma.h"
#include <stddef.h>

enum { PAIRS = 6, SLOTS = 2 * PAIRS, ROOM = SLOTS * 32, UNTOUCHED = 0x5a, LONG = CHECK_SMALL ? 40 : 500 };

/* ---- Pairs ---- */

#define PAIR(name, c)                                                                                                  \
    struct name {                                                                                                      \
        c value;                                                                                                       \
        int index;                                                                                                     \
    }
PAIR(of_float, float);
PAIR(of_double, double);
PAIR(of_long, long);
PAIR(of_int, int);
PAIR(of_short, short);
PAIR(of_long_double, long double);

enum value { FLOAT, DOUBLE, LONG_, INT, SHORT, LONG_DOUBLE };
static const struct pair {
    MPI_Datatype type;
    enum value value;
    int index_at, extent;
} pairs[] = {
#define ENTRY(type, value, name)                                                                                       \
    {                                                                                                                  \
        type, value, (int)offsetof(struct name, index), (int)sizeof(struct name)                                       \
    }
    ENTRY(MPI_FLOAT_INT, FLOAT, of_float), ENTRY(MPI_DOUBLE_INT, DOUBLE, of_double),
    ENTRY(MPI_LONG_INT, LONG_, of_long),   ENTRY(MPI_2INT, INT, of_int),
    ENTRY(MPI_SHORT_INT, SHORT, of_short), ENTRY(MPI_LONG_DOUBLE_INT, LONG_DOUBLE, of_long_double),
};
enum { KINDS = sizeof pairs / sizeof *pairs };

static void put_pair(const struct pair *p, char *at, int value, int index)
{
    float f = (float)value;
    double d = value;
    long l = value;
    short s = (short)value;
    long double ld = value;
    const void *from[] = {&f, &d, &l, &value, &s, &ld};
    const size_t bytes[] = {sizeof f, sizeof d, sizeof l, sizeof value, sizeof s, sizeof ld};
    memcpy(at, from[p->value], bytes[p->value]);
    memcpy(at + p->index_at, &index, sizeof index);
}

static int value_of(const struct pair *p, const char *at)
{
    float f;
    double d;
    long l;
    int i;
    short s;
    long double ld;
    switch (p->value) {
    case FLOAT:
        return (int)*(float *)memcpy(&f, at, sizeof f);
    case DOUBLE:
        return (int)*(double *)memcpy(&d, at, sizeof d);
    case LONG_:
        return (int)*(long *)memcpy(&l, at, sizeof l);
    case INT:
        return *(int *)memcpy(&i, at, sizeof i);
    case SHORT:
        return *(short *)memcpy(&s, at, sizeof s);
    default:
        return (int)*(long double *)memcpy(&ld, at, sizeof ld);
    }
}

static int index_of(const struct pair *p, const char *at)
{
    int index;
    memcpy(&index, at + p->index_at, sizeof index);
    return index;
}

/* ---- Layouts: in which slots the pairs of one element are, in their order ---- */

enum layout { PLAIN, CONTIGUOUS, VECTOR, BACKWARDS, NESTED, LAYOUTS };
static const int slots[LAYOUTS][PAIRS] = {
    {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {0, 2, 4, 6, 8, 10}, {11, 9, 7, 4, 2, 0}, {1, 3, 6, 8, 5, 10},
};

static int make(const struct pair *p, enum layout l, MPI_Datatype *type)
{
    MPI_Datatype part;
    MPI_Aint at[PAIRS];
    int ones[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        at[i] = (MPI_Aint)slots[l][i] * p->extent;
        ones[i] = 1;
    }
    switch (l) {
    case PLAIN:
        CHECK_OK(MPI_Type_dup(p->type, type));
        break;
    case CONTIGUOUS:
        CHECK_OK(MPI_Type_contiguous(PAIRS, p->type, type));
        break;
    case VECTOR:
        CHECK_OK(MPI_Type_vector(PAIRS, 1, 2, p->type, type));
        break;
    case BACKWARDS:
        CHECK_OK(MPI_Type_create_hindexed(PAIRS, ones, at, p->type, type));
        break;
    default: /* two, five slots further two more, and two single ones */
        CHECK_OK(MPI_Type_vector(2, 1, 2, p->type, &part));
        MPI_Datatype types[] = {part, part, p->type, p->type};
        MPI_Aint places[] = {at[0], at[2], at[4], at[5]};
        CHECK_OK(MPI_Type_create_struct(4, ones, places, types, type));
        CHECK_OK(MPI_Type_free(&part));
    }
    CHECK_OK(MPI_Type_commit(type));
    return l == PLAIN ? PAIRS : 1;
}

/* ---- The test ---- */

static int target_value(int slot) { return slot * 5 % 7; }
static int origin_value(int rank, int k) { return (k + rank) % 7; }

static void fill(const struct pair *p, enum layout l, char *memory, int rank)
{
    memset(memory, UNTOUCHED, ROOM);
    for (int k = 0; k < PAIRS; k++) {
        int slot = slots[l][k];
        put_pair(p, memory + slot * p->extent, rank < 0 ? target_value(slot) : origin_value(rank, k),
                 rank < 0 ? 1000 + slot : 10 * rank + k);
    }
}

/* Pair k is this, and all bytes that are no pair's are as they were. */
static void expect(const struct pair *p, enum layout l, const char *memory, int k, int value, int index)
{
    const char *at = memory + slots[l][k] * p->extent;
    CHECK(value_of(p, at) == value && index_of(p, at) == index, "pair %d: %d at %d, wanted %d at %d", k,
          value_of(p, at), index_of(p, at), value, index);
}
static void expect_untouched(const struct pair *p, enum layout l, const char *memory)
{
    char used[SLOTS] = {0};
    for (int k = 0; k < PAIRS; k++)
        used[slots[l][k]] = 1;
    for (int i = 0; i < SLOTS * p->extent; i++)
        CHECK(used[i / p->extent] || memory[i] == UNTOUCHED, "byte %d has changed", i);
}

static void one(struct window *w, const struct pair *p, enum layout here, enum layout there, MPI_Op op, int way)
{
    char mine[ROOM], old[ROOM];
    MPI_Datatype from, to;
    MPI_Request q;
    int n_from = make(p, here, &from), n_to = make(p, there, &to), right = (me + 1) % np, left = (me + np - 1) % np;
    MPI_Aint at = w->at[right];
    fill(p, here, mine, me);
    memset(old, UNTOUCHED, sizeof old);
    fill(p, there, w->memory, -1);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w->win));
    if (way == 0) {
        CHECK_OK(MPI_Accumulate(mine, n_from, from, right, at, n_to, to, op, w->win));
    } else if (way == 1) {
        CHECK_OK(MPI_Get_accumulate(mine, n_from, from, old, n_from, from, right, at, n_to, to, op, w->win));
    } else {
        CHECK_OK(MPI_Raccumulate(mine, n_from, from, right, at, n_to, to, op, w->win, &q));
        CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Win_unlock(right, w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    for (int k = 0; k < PAIRS; k++) {
        int slot = slots[there][k], value = target_value(slot), index = 1000 + slot, other = origin_value(left, k);
        if (way == 1)
            expect(p, here, old, k, value, index);
        /* of equal values the lower index wins, which is the origin's */
        if (op == MPI_REPLACE || (op == MPI_MINLOC && other <= value) || (op == MPI_MAXLOC && other >= value)) {
            value = other;
            index = 10 * left + k;
        }
        expect(p, there, w->memory, k, value, index);
    }
    expect_untouched(p, there, w->memory);
    expect_untouched(p, here, way == 1 ? old : mine);
    CHECK_OK(MPI_Win_unlock(me, w->win));
    CHECK_OK(MPI_Type_free(&from));
    CHECK_OK(MPI_Type_free(&to));
}

/* More than one message holds, at odd addresses. */
static void lengthy(struct window *w, const struct pair *p)
{
    MPI_Datatype every_second;
    char *mine = check_alloc((size_t)(2 * LONG * p->extent)), *at = w->memory + 1;
    int right = (me + 1) % np, left = (me + np - 1) % np;
    CHECK_OK(MPI_Type_vector(LONG, 1, 2, p->type, &every_second));
    CHECK_OK(MPI_Type_commit(&every_second));
    for (int i = 0; i < LONG; i++) {
        put_pair(p, mine + 2 * i * p->extent, origin_value(me, i), me);
        put_pair(p, at + i * p->extent, target_value(i), 1000);
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w->win));
    CHECK_OK(MPI_Get_accumulate(mine, 1, every_second, mine, 1, every_second, right, w->at[right] + 1, LONG, p->type,
                                MPI_NO_OP, w->win));
    CHECK_OK(MPI_Win_flush(right, w->win));
    for (int i = 0; i < LONG; i++) {
        const char *got = mine + 2 * i * p->extent;
        CHECK(value_of(p, got) == target_value(i) && index_of(p, got) == 1000, "fetched pair %d: %d at %d", i,
              value_of(p, got), index_of(p, got));
        put_pair(p, mine + 2 * i * p->extent, origin_value(me, i), me);
    }
    CHECK_OK(MPI_Accumulate(mine, 1, every_second, right, w->at[right] + 1, LONG, p->type, MPI_MAXLOC, w->win));
    CHECK_OK(MPI_Win_unlock(right, w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    for (int i = 0; i < LONG; i++) {
        int other = origin_value(left, i), value = target_value(i), wins = other >= value;
        const char *pair = at + i * p->extent;
        CHECK(value_of(p, pair) == (wins ? other : value) && index_of(p, pair) == (wins ? left : 1000),
              "pair %d: %d at %d", i, value_of(p, pair), index_of(p, pair));
    }
    CHECK_OK(MPI_Win_unlock(me, w->win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Type_free(&every_second));
    free(mine);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    const MPI_Op ops[] = {MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
    int turn = 0, skip = np == 1 && !CHECK_SMALL ? 1 : np == 2 && !CHECK_SMALL ? 13 : 53; /* what is left is bearable */
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        window_open(&w, (enum flavor)f, LONG * 32 + ROOM);
        for (int k = 0; k < KINDS; k++)
            for (int here = 0; here < LAYOUTS; here++)
                for (int there = 0; there < LAYOUTS; there++)
                    for (int o = 0; o < 4; o++)
                        if (turn++ % skip == 0)
                            one(&w, &pairs[k], (enum layout)here, (enum layout)there, ops[o], turn % 3);
        for (int k = 0; k < KINDS; k++)
            lengthy(&w, &pairs[k]);
        window_close(&w);
    }
    return check_finish();
}
