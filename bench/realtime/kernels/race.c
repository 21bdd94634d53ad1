/* race.c: rounds and their statistics. */
#include "race.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Small numbers of a fixed sequence; the same at the start of every portion. */
static void fill(struct race *r)
{
    unsigned long long state = 88172645463325252ULL;
    for (size_t i = 0; i < r->in_step; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        r->in[i] = (float)(state >> 40) * 0x1p-24F - 0.5F;
    }
    for (size_t p = 1; p < r->portions; p++)
        memcpy(r->in + p * r->in_step, r->in, sizeof(float) * r->in_step);
}

static void slice(const struct race *r, const struct runner *runner, size_t portion)
{
    float *in = r->in + portion * r->in_step, *out = runner->in_place ? in : r->out + portion * r->out_step;
    for (int i = 0; i < r->repeat; i++)
        runner->run(runner, in, out);
}

/* What runs in place makes the numbers larger: once around the set they are filled in again. */
static size_t next_portion(struct race *r, size_t portion)
{
    if (portion + 1 < r->portions)
        return portion + 1;
    for (int i = 0; i < r->n; i++)
        if (r->runners[i].in_place) {
            fill(r);
            break;
        }
    return 0;
}

void race_run(struct race *r, double seconds, int rounds_least)
{
    size_t portion = 0;
    fill(r);
    memset(r->out, 0, sizeof(float) * r->out_step * r->portions);
    for (int i = 0; i < r->n; i++) /* code and tables into the caches */
        slice(r, &r->runners[i], 0);
    fill(r);
    double start = MPI_Wtime();
    for (r->rounds = 0; r->rounds < ROUNDS_MOST; r->rounds++) {
        if (r->rounds >= rounds_least && MPI_Wtime() - start > seconds)
            break;
        for (int i = 0; i < r->n; i++) {
            int turn = (i + r->rounds) % r->n;
            double before = MPI_Wtime();
            slice(r, &r->runners[turn], portion);
            r->slice_s[turn][r->rounds] = (MPI_Wtime() - before) / r->repeat;
            portion = next_portion(r, portion);
        }
    }
}

static bool close_to(const float *got, const float *want, size_t floats, double error)
{
    double largest = 0, worst = 0;
    for (size_t i = 0; i < floats; i++) {
        largest = fmax(largest, fabs((double)want[i]));
        double off = fabs((double)got[i] - (double)want[i]);
        if (!(off <= worst))
            worst = off;
    }
    return worst <= error * largest;
}

bool race_agrees(struct race *r, int reference, double error, int *which)
{
    size_t floats = r->items * r->out_floats;
    float *want = malloc(sizeof(float) * floats);
    *which = reference;
    for (int i = -1; want != NULL && i < r->n; i++) {
        int now = i < 0 ? reference : i;
        if (r->runners[now].team == TEAM_BOUND)
            continue;
        fill(r);
        memset(r->out, 0, sizeof(float) * r->out_step);
        r->runners[now].run(&r->runners[now], r->in, r->runners[now].in_place ? r->in : r->out);
        const float *got = r->runners[now].in_place ? r->in : r->out;
        *which = now;
        if (i < 0)
            memcpy(want, got, sizeof(float) * floats);
        else if (!close_to(got, want, floats, error))
            break;
        else
            *which = -1;
    }
    free(want);
    return *which < 0;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void quartiles_of(double *values, int n, double quartiles[3])
{
    qsort(values, (size_t)n, sizeof *values, by_size);
    for (int i = 0; i < 3; i++)
        quartiles[i] = values[(n - 1) * (i + 1) / 4];
}

double race_median(const struct race *r, int runner)
{
    double copy[ROUNDS_MOST], quartiles[3];
    memcpy(copy, r->slice_s[runner], sizeof(double) * (size_t)r->rounds);
    quartiles_of(copy, r->rounds, quartiles);
    return quartiles[1];
}

int race_best(const struct race *r, enum team team)
{
    int best = -1;
    for (int i = 0; i < r->n; i++)
        if (r->runners[i].team == team && (best < 0 || race_median(r, i) < race_median(r, best)))
            best = i;
    return best;
}

void race_ratio(const struct race *r, int slow, int fast, double quartiles[3])
{
    double ratios[ROUNDS_MOST];
    for (int i = 0; i < r->rounds; i++)
        ratios[i] = r->slice_s[slow][i] / r->slice_s[fast][i];
    quartiles_of(ratios, r->rounds, quartiles);
}
