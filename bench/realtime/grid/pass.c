/* pass.c: blocks on their way from stage to stage. The receives of a block are posted a period ahead, into the one of two
 * buffers that is not worked on. */
#include "grid.h"

enum { TAG = 1 };

/* World's rank of a place. */
static int rank_of(const struct worker *w, int stage, int place)
{
    int rank = place;
    for (int s = 0; s < stage; s++)
        rank += w->stages[s].width;
    return rank;
}

static int sources(const struct worker *w)
{
    enum passing in = w->stages[w->stage].in;
    return in == PASS_NONE ? 0 : in == PASS_STRAIGHT ? 1 : w->shape.lines;
}

void pass_post(struct worker *w, int period)
{
    int n = sources(w);
    size_t piece = n ? w->block / (size_t)n : 0;
    for (int i = 0; i < n; i++) {
        int source = rank_of(w, w->stage - 1, w->stages[w->stage].in == PASS_STRAIGHT ? w->place : i);
        MPI_Irecv(w->arrived[period % 2] + 2 * piece * (size_t)i, (int)(2 * piece), MPI_FLOAT, source, TAG, w->world,
                  &w->arriving[i]);
    }
}

void pass_wait(struct worker *w) { MPI_Waitall(sources(w), w->arriving, MPI_STATUSES_IGNORE); }

/* Spread blocks go in rounds in which no two places of this stage send to the same one. */
void pass_on(struct worker *w)
{
    if (worker_is_last(w))
        return;
    enum passing in = w->stages[w->stage + 1].in;
    int n = in == PASS_SPREAD ? w->shape.lines : 1;
    size_t piece = w->block / (size_t)n;
    for (int i = 0; i < n; i++) {
        int to = in == PASS_GATHER ? 0 : in == PASS_SPREAD ? (w->place + i) % n : w->place;
        const float *from = w->out + (n > 1 ? 2 * piece * (size_t)to : 0);
        MPI_Send(from, (int)(2 * piece), MPI_FLOAT, rank_of(w, w->stage + 1, to), TAG, w->world);
    }
}
