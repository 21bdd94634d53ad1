/* Random puts, gets and sums of all lengths between fences, the same at every rank's reckoning: each rank knows what all others do, and so
 * what its own window holds in the end. */
#include "rma.h"

enum { ROUNDS = 12, OPERATIONS = 6, WORDS = CHECK_SMALL ? 300 : 12000 };

struct step {
    int target, at, count;
    long value;
};

/* In a round each origin has a part of every window for itself, so that nothing meets. */
static struct step step_of(int round, int origin, int i)
{
    uint64_t seed = (uint64_t)(1000 * round + origin);
    int part = WORDS / np, most = i % 3 == 0 ? 4 : part / OPERATIONS;
    struct step s;
    s.target = (int)(check_random(seed, (uint64_t)(4 * i)) % (uint64_t)np);
    s.count = 1 + (int)(check_random(seed, (uint64_t)(4 * i + 1)) % (uint64_t)most);
    s.at = origin * part + i * (part / OPERATIONS);
    s.value = (long)(check_random(seed, (uint64_t)(4 * i + 2)) % 100000);
    return s;
}

static void reckon(long *model, int round, int sums)
{
    for (int origin = 0; origin < np; origin++)
        for (int i = 0; i < OPERATIONS; i++) {
            struct step s = step_of(round, origin, i);
            for (int k = 0; s.target == me && k < s.count; k++)
                model[s.at + k] = sums ? model[s.at + k] + s.value + k : s.value + k;
        }
}

static void one_round(struct window *w, long *model, long *out[OPERATIONS], int round)
{
    int sums = round % 3 == 1;
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; i < OPERATIONS; i++) {
        struct step s = step_of(round, me, i);
        MPI_Aint at = w->at[s.target] + s.at * (MPI_Aint)sizeof(long);
        for (int k = 0; k < s.count; k++)
            out[i][k] = s.value + k;
        if (sums)
            CHECK_OK(MPI_Accumulate(out[i], s.count, MPI_LONG, s.target, at, s.count, MPI_LONG, MPI_SUM, w->win));
        else
            CHECK_OK(MPI_Put(out[i], s.count, MPI_LONG, s.target, at, s.count, MPI_LONG, w->win));
    }
    CHECK_OK(MPI_Win_fence(0, w->win));
    reckon(model, round, sums);
    const long *memory = (const long *)(const void *)w->memory;
    for (int k = 0; k < WORDS; k++)
        CHECK(memory[k] == model[k], "round %d, word %d: %ld, wanted %ld", round, k, memory[k], model[k]);
    for (int i = 0; i < OPERATIONS && !sums; i++) {
        struct step s = step_of(round, me, i);
        memset(out[i], 0, (size_t)s.count * sizeof(long));
        CHECK_OK(MPI_Get(out[i], s.count, MPI_LONG, s.target, w->at[s.target] + s.at * (MPI_Aint)sizeof(long), s.count,
                         MPI_LONG, w->win));
    }
    CHECK_OK(MPI_Win_fence(0, w->win));
    for (int i = 0; i < OPERATIONS && !sums; i++) {
        struct step s = step_of(round, me, i);
        for (int k = 0; k < s.count; k++)
            CHECK(out[i][k] == s.value + k, "round %d, get %d, word %d: %ld", round, i, k, out[i][k]);
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    long *out[OPERATIONS];
    for (int i = 0; i < OPERATIONS; i++)
        out[i] = check_alloc(WORDS * sizeof(long));
    for (int f = CREATE; f < FLAVORS; f++) {
        struct window w;
        long *model = calloc(WORDS, sizeof *model);
        window_open(&w, (enum flavor)f, WORDS * (int)sizeof(long));
        for (int round = 0; round < (np > 8 ? 3 : ROUNDS); round++)
            one_round(&w, model, out, round);
        window_close(&w);
        free(model);
    }
    for (int i = 0; i < OPERATIONS; i++)
        free(out[i]);
    return check_finish();
}
