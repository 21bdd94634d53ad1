/* worker.c: a rank's part of the grid: its place, its memory, its filters. */
#include "grid.h"

#include "common/memory.h"

#include <stdlib.h>

static float *buffer(size_t complex_numbers)
{
    return memory_alloc(2 * complex_numbers * sizeof(float), MEMORY_PAGE_BYTES);
}

static void find_place(struct worker *w)
{
    int rank;
    MPI_Comm_rank(w->world, &rank);
    w->place = rank;
    for (w->stage = 0; w->place >= w->stages[w->stage].width; w->stage++)
        w->place -= w->stages[w->stage].width;
    MPI_Comm_split(w->world, w->stage, w->place, &w->line);
}

/* Each variant is the one before times two, exactly. */
static bool make_input(struct worker *w, const struct chain *chain)
{
    int count = w->shape.columns / w->shape.lines;
    for (int v = 0; v < VARIANTS; v++)
        if (!(w->input[v] = buffer(w->block)))
            return false;
    if (!chain->input(chain, &w->shape, w->place * count, count, w->input[0]))
        return false;
    for (size_t i = 0; i < 2 * w->block; i++)
        for (int v = 1; v < VARIANTS; v++)
            w->input[v][i] = 2 * w->input[v - 1][i];
    return true;
}

static bool make_f(struct worker *w, const struct chain *chain)
{
    if (chain->column_spectrum && !(w->spectrum_f = chain->column_spectrum(chain, &w->shape)))
        return false;
    return filter_init(&w->f, w->shape.rows, w->spectrum_f, false);
}

static bool make_g(struct worker *w, const struct chain *chain)
{
    int count = w->shape.rows / w->shape.lines;
    if (chain->row_spectra && !(w->spectra_g = chain->row_spectra(chain, &w->shape, w->place * count, count)))
        return false;
    return filter_init(&w->g, w->shape.columns, w->spectra_g, true);
}

static bool make_all(struct worker *w, const struct chain *chain)
{
    bool first = w->stage == 0, applies_g = w->stage == w->shape.stages - 1, is_sink = w->stage == w->shape.stages;
    w->block = shape_block(&w->shape) * (is_sink ? (size_t)w->shape.lines : 1);
    for (int i = 0; !first && i < 2; i++)
        if (!(w->arrived[i] = buffer(w->block)))
            return false;
    if (is_sink)
        return true;
    w->out = buffer(w->block);
    w->pack = buffer(w->block);
    w->unpack = buffer(w->block);
    return w->out && w->pack && w->unpack && (!first || (make_input(w, chain) && make_f(w, chain))) &&
           (!applies_g || make_g(w, chain));
}

bool worker_init(struct worker *w, const struct shape *shape, const struct chain *chain, const struct stage *stages,
                 int count)
{
    *w = (struct worker){.shape = *shape, .stages = stages, .stage_count = count, .world = MPI_COMM_WORLD};
    find_place(w);
    int mine = make_all(w, chain), all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, w->world);
    return all;
}

void worker_fini(struct worker *w)
{
    filter_fini(&w->f);
    filter_fini(&w->g);
    for (int v = 0; v < VARIANTS; v++)
        memory_free(w->input[v]);
    memory_free(w->arrived[0]);
    memory_free(w->arrived[1]);
    memory_free(w->out);
    memory_free(w->pack);
    memory_free(w->unpack);
    free(w->spectrum_f);
    free(w->spectra_g);
    MPI_Comm_free(&w->line);
}

int worker_rows(const struct worker *w) { return w->shape.rows / w->stages[w->stage].width; }

int worker_first_row(const struct worker *w) { return w->place * worker_rows(w); }

const float *worker_result(const struct worker *w, int period)
{
    return w->stages[w->stage].work ? w->out : w->arrived[period % 2];
}
