/* grid.h: the two-dimensional processing chain on a grid of ranks, stages one way and places on a line the other.
 *
 * A matrix of `rows` x `columns` complex numbers (pairs of floats) arrives each period. Each place of the first stage has
 * columns / lines of its columns, one after the other, and applies f to each. The corner turn makes rows of them. Each place
 * of the last stage has rows / lines of the rows and applies g to each. docs/scalable-mapping.md has the pictures.
 */
#pragma once

#include "common/clock.h"
#include "kernels/fft.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LINES_MOST = 256,
    STAGES_MOST = 4,
    VARIANTS = 3 /* the input of period k is multiplied by 2^(k mod 3), so that a block of another period is noticed */
};

enum turn_kind { TURN_ALLTOALL, TURN_PAIRED };

struct shape {
    int rows, columns, lines;
    int stages; /* 3, or 2: the corner turn between the first and the last stage's ranks directly */
    bool sink;  /* one more rank takes all rows of each period */
    enum turn_kind turn;
};

/* NULL, or what does not fit, in `wrong`. */
const char *shape_wrong(const struct shape *, int ranks, char *wrong, size_t room);
static inline int shape_ranks(const struct shape *s) { return s->stages * s->lines + s->sink; }
static inline size_t shape_block(const struct shape *s)
{
    return (size_t)s->rows * (size_t)s->columns / (size_t)s->lines;
}

/* ---- f and g: a transform, or with spectra a filter: transform, multiply, transform back ------------------------------ */

struct filter {
    struct fft_plan *forward, *inverse; /* inverse: NULL without spectra */
    const float *spectra;               /* NULL; or one for all blocks; or one a block */
    bool one_each;
};

/* False: no memory, or no such length. The spectra stay the caller's. */
bool filter_init(struct filter *, int points, const float *spectra, bool one_each);
void filter_fini(struct filter *);
/* `howmany` blocks of the plan's length from in to out, which do not overlap. Declares its operations. */
void filter_apply(const struct filter *, const float *in, float *out, size_t howmany);
double filter_flops(int points, bool spectra); /* of one block */

/* ---- what is processed ------------------------------------------------------------------------------------------------ */

struct chain {
    const char *name;
    const void *scene;
    /* Fills `count` columns from the `first` on. False: no memory. */
    bool (*input)(const struct chain *, const struct shape *, int first, int count, float *columns);
    /* The spectra of f and, of `count` rows from the `first` on, of g; NULL: bare transforms. */
    float *(*column_spectrum)(const struct chain *, const struct shape *);
    float *(*row_spectra)(const struct chain *, const struct shape *, int first, int count);
};

extern const struct chain chain_fft2d;
/* The largest error of some results of chain_fft2d in these rows, against sums in double precision, relative to their size. */
double fft2d_error(const struct shape *, int first, int count, const float *rows);
/* Good enough for single precision: rounding grows with the logarithm of the points. */
double fft2d_error_most(const struct shape *);

/* ---- one rank ---------------------------------------------------------------------------------------------------------- */

enum passing { PASS_NONE, PASS_STRAIGHT, PASS_SPREAD, PASS_GATHER }; /* how a stage's blocks come to it */

struct worker;
struct stage {
    const char *name;
    int width; /* places */
    enum passing in;
    void (*work)(struct worker *, const float *in, float *out); /* NULL: it only takes */
};

struct worker {
    struct shape shape;
    const struct stage *stages; /* of all */
    int stage_count, stage, place;
    MPI_Comm world, line; /* all ranks; those of its stage */
    struct filter f, g;   /* of the stages that apply them */
    float *spectrum_f, *spectra_g;
    float *input[VARIANTS];     /* of the first stage */
    float *arrived[2];          /* of the others: one is filled while the other is worked on */
    float *out, *pack, *unpack; /* results; working memory */
    size_t block;               /* complex numbers in each of them */
    MPI_Request arriving[LINES_MOST];
};

int grid_stages(const struct shape *, struct stage stages[STAGES_MOST]);

/* Collective: makes a rank's part of the grid. False on every rank when some rank has no memory. */
bool worker_init(struct worker *, const struct shape *, const struct chain *, const struct stage *, int count);
void worker_fini(struct worker *);
static inline bool worker_is_last(const struct worker *w) { return w->stage == w->stage_count - 1; }
/* The first of the rows that a rank of the last stage ends up with, and how many. */
int worker_first_row(const struct worker *);
int worker_rows(const struct worker *);
/* The result of the last period that this rank of the last stage has worked on. */
const float *worker_result(const struct worker *, int period);

/* Posts the receives of a block / completes them / sends the results to the next stage. */
void pass_post(struct worker *, int period);
void pass_wait(struct worker *);
void pass_on(struct worker *);

/* The exchange of the corner turn on a line: the i-th of `lines` pieces of `pack` goes to place i, into the piece of `unpack`
 * that has the sender's number. `piece` complex numbers each. */
void redistribute(const struct worker *, const float *pack, float *unpack, size_t piece);

/* Stages in which each of n = 2^k places exchanges with each other one, every place sends or receives in each stage and no two
 * pairs meet: the recursive pattern of swaps and quads. What place `me` does, in order. Returns how many: 2 (n - 1). */
struct exchange {
    int peer;
    bool sends;
};
int paired_exchanges(int n, int me, struct exchange *);

/* ---- results of each period -------------------------------------------------------------------------------------------- */

struct checker {
    bool learns; /* the periods of the first run are taken as right; whether they are is checked otherwise */
    uint64_t expected[VARIANTS];
    float *first; /* the result of period 0 */
    int unequal;  /* in learning: results that are not 2^k times the first */
    long long wrong, seen;
};

uint64_t checksum(const float *, size_t numbers);
/* Compares a period's result with what was learned. */
void check_result(struct checker *, int period, const float *, size_t numbers);

/* ---- periods ------------------------------------------------------------------------------------------------------------ */

struct flow_times {
    double work_mean_s, work_worst_s; /* of this rank, from the period's start */
    double latency_mean_s,
        latency_worst_s; /* of the last stage: since the start of the period in which the block came in */
    int late;            /* periods that this rank ended too late */
};

struct flow {
    struct worker *worker;
    struct clock *clock;
    struct checker *check;
    int alone; /* -1: all stages with their messages; else only that stage works, without any from or to others */
    struct flow_times kept;  /* of the last run in which no rank missed */
    struct flow_times times; /* of the last run */
};

struct trial flow_run(void *flow, double period_s, int periods); /* for search_period() */
