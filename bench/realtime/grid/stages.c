/* stages.c: what the places of each stage do with a block. */
#include "grid.h"
#include "kernels/turn.h"

#include <string.h>

/* A byte that is moved counts once, as everywhere in the suite: so machine files state their rate. */
static void declare_moved(size_t complex_numbers) { declare_bytes(8 * (double)complex_numbers); }

static int my_columns(const struct worker *w) { return w->shape.columns / w->shape.lines; }
static int my_rows(const struct worker *w) { return w->shape.rows / w->shape.lines; }

/* Some columns of all rows become rows of some columns: those that go to one place lie together then. */
static void turn_columns(const struct worker *w, const float *columns, float *rows)
{
    size_t m = (size_t)w->shape.rows, n = (size_t)my_columns(w);
    turn(SIMD_BEST, columns, m, rows, n, n, m);
    declare_moved(w->block);
}

/* The parts of some rows, as they come from the places, become whole rows. */
static void join_rows(const struct worker *w, const float *parts, float *rows)
{
    size_t part = 2 * (size_t)my_columns(w), whole = 2 * (size_t)w->shape.columns;
    for (int place = 0; place < w->shape.lines; place++)
        for (int row = 0; row < my_rows(w); row++, parts += part)
            memcpy(rows + (size_t)row * whole + (size_t)place * part, parts, part * sizeof *parts);
    declare_moved(w->block);
}

static void work_f(struct worker *w, const float *in, float *out)
{
    filter_apply(&w->f, in, out, (size_t)my_columns(w));
}

static void work_turn(struct worker *w, const float *in, float *out)
{
    turn_columns(w, in, w->pack);
    redistribute(w, w->pack, w->unpack, w->block / (size_t)w->shape.lines);
    join_rows(w, w->unpack, out);
}

static void work_g(struct worker *w, const float *in, float *out) { filter_apply(&w->g, in, out, (size_t)my_rows(w)); }

static void work_f_turn(struct worker *w, const float *in, float *out)
{
    work_f(w, in, w->pack);
    turn_columns(w, w->pack, out);
}

static void work_turn_g(struct worker *w, const float *in, float *out)
{
    join_rows(w, in, w->unpack);
    work_g(w, w->unpack, out);
}

int grid_stages(const struct shape *s, struct stage stages[STAGES_MOST])
{
    int count = 0, lines = s->lines;
    if (s->stages == 3) {
        stages[count++] = (struct stage){"f", lines, PASS_NONE, work_f};
        stages[count++] = (struct stage){"turn", lines, PASS_STRAIGHT, work_turn};
        stages[count++] = (struct stage){"g", lines, PASS_STRAIGHT, work_g};
    } else {
        stages[count++] = (struct stage){"f+turn", lines, PASS_NONE, work_f_turn};
        stages[count++] = (struct stage){"turn+g", lines, PASS_SPREAD, work_turn_g};
    }
    if (s->sink)
        stages[count++] = (struct stage){"sink", 1, PASS_GATHER, NULL};
    return count;
}
