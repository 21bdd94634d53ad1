/* seat.c: a rank's memory. */
#include "chain/seat.h"

#include "common/memory.h"

#include <limits.h>
#include <stdlib.h>

/* Where the functions leave the block, and how many buffers that takes. */
struct plan {
    bool by_rows, in_output;
    int n_in, n_out;
};

static struct plan plan_of(const struct node *node, struct mode m)
{
    struct plan p = {.by_rows = true};
    bool turns = false;
    for (int i = 0; m.function && i < node->n; i++) {
        p.by_rows &= node->functions[i].kind->by_rows;
        turns |= node->functions[i].kind->other_side;
        p.in_output ^= node->functions[i].kind->other_side;
    }
    /* A block that is being sent needs a buffer that nothing is written to meanwhile: an output buffer is free until the next
     * turn, so that one is enough where another function comes first. */
    bool first_turns = turns && node->functions[0].kind->other_side;
    p.n_in = m.buffers + (m.overlap_sends && !p.in_output);
    p.n_out = turns ? 1 + (m.overlap_sends && p.in_output && first_turns) : 0;
    return p;
}

static double bytes_of(const struct chain *c, int index, struct mode m)
{
    if (index == 0)
        return (double)VARIANTS * (double)shape_bytes(c->block);
    if (index == c->n + 1)
        return (double)m.buffers * (double)shape_bytes(c->nodes[c->n - 1].out);
    const struct node *node = &c->nodes[index - 1];
    struct plan p = plan_of(node, m);
    return (double)(p.n_in + p.n_out) * (double)shape_bytes(node->in);
}

static bool messages_fit(struct shape s, int rows, struct place place, struct complaint *wrong)
{
    int of_message = rows ? rows : s.rows;
    if (s.rows % of_message)
        complain(wrong, place, "blocks of %d rows do not divide into messages of %d rows", s.rows, rows);
    else if (2.0 * of_message * s.columns > INT_MAX)
        complain(wrong, place, "a message of %d x %d is too long for MPI", of_message, s.columns);
    else
        return true;
    return false;
}

bool seat_fits(const struct chain *c, struct mode m, int ranks, double memory_bytes, struct complaint *wrong)
{
    if (ranks != c->n + 2) {
        complain(wrong, (struct place){0},
                 "the chain wants %d ranks (source, %d node%s, sink), not %d; start it with mpiexec -n %d", c->n + 2,
                 c->n, c->n == 1 ? "" : "s", ranks, c->n + 2);
        return false;
    }
    for (int i = 0; i <= c->n; i++) {
        struct place place = i ? c->nodes[i - 1].place : c->source;
        if (!messages_fit(i ? c->nodes[i - 1].out : c->block, m.rows, place, wrong))
            return false;
    }
    for (int i = 0; i < ranks; i++) {
        double bytes = bytes_of(c, i, m);
        struct place place = i == 0 ? c->source : i == ranks - 1 ? c->sink : c->nodes[i - 1].place;
        if (bytes > memory_bytes) {
            complain(wrong, place,
                     "the buffers of this stage take %.4g MB, and a rank has %.4g MB; make the block smaller",
                     bytes / 1048576, memory_bytes / 1048576);
            return false;
        }
    }
    return true;
}

static struct edge edge_of(int peer, struct shape s, int rows)
{
    int of_message = rows ? rows : s.rows;
    return (struct edge){peer, s, s.rows / of_message, 2 * of_message * s.columns};
}

static bool alloc_blocks(float **at, int n, size_t bytes)
{
    for (int i = 0; i < n; i++) {
        at[i] = memory_alloc(bytes, MEMORY_PAGE_BYTES);
        if (!at[i])
            return false;
    }
    return true;
}

static bool alloc_source(struct seat *s)
{
    if (!alloc_blocks(s->blocks, VARIANTS, shape_bytes(s->chain->block)))
        return false;
    for (int v = 0; v < VARIANTS; v++)
        if (!signal_fill(s->chain->block, v, s->blocks[v]))
            return false;
    return true;
}

static bool alloc_node(struct seat *s)
{
    const struct node *node = &s->chain->nodes[s->index - 1];
    struct plan p = plan_of(node, s->mode);
    struct shape shape = node->in;
    s->by_rows = p.by_rows && s->up.messages == s->down.messages;
    s->in_output = p.in_output;
    s->n_in = p.n_in;
    s->n_out = p.n_out;
    for (int i = 0; s->mode.function && i < node->n; i++) {
        struct job *j = &s->jobs[s->n_jobs++];
        *j = (struct job){.function = &node->functions[i], .in = shape};
        node->functions[i].kind->fits(j->function, shape, &j->out, NULL);
        shape = j->out;
        if (node->functions[i].kind->prepare && !node->functions[i].kind->prepare(j))
            return false;
    }
    return alloc_blocks(s->in, s->n_in, shape_bytes(node->in)) && alloc_blocks(s->out, s->n_out, shape_bytes(node->in));
}

static bool alloc_sink(struct seat *s)
{
    s->n_in = s->mode.buffers;
    s->reference = reference_alloc(s->chain);
    return s->reference && alloc_blocks(s->in, s->n_in, shape_bytes(s->up.shape));
}

bool seat_alloc(struct seat *s, const struct chain *c, struct mode m, struct clock *clock, MPI_Comm comm)
{
    *s = (struct seat){.chain = c, .mode = m, .clock = clock, .comm = comm};
    MPI_Comm_rank(comm, &s->index);
    MPI_Comm_size(comm, &s->ranks);
    if (s->index > 0)
        s->up = edge_of(s->index - 1, s->index > 1 ? c->nodes[s->index - 2].out : c->block, m.rows);
    if (s->index < s->ranks - 1)
        s->down = edge_of(s->index + 1, s->index > 0 ? c->nodes[s->index - 1].out : c->block, m.rows);
    s->receives[0] = calloc((size_t)s->up.messages + 1, sizeof(MPI_Request));
    s->receives[1] = calloc((size_t)s->up.messages + 1, sizeof(MPI_Request));
    s->sends = calloc((size_t)s->down.messages + 1, sizeof(MPI_Request));
    if (!s->receives[0] || !s->receives[1] || !s->sends)
        return false;
    if (s->index == 0)
        return alloc_source(s);
    return s->index == s->ranks - 1 ? alloc_sink(s) : alloc_node(s);
}

void seat_free(struct seat *s)
{
    for (int i = 0; i < s->n_jobs; i++)
        if (s->jobs[i].function->kind->release)
            s->jobs[i].function->kind->release(&s->jobs[i]);
    for (int i = 0; i < BUFFERS_MOST; i++)
        memory_free(s->in[i]);
    for (int i = 0; i < 2; i++) {
        memory_free(s->out[i]);
        free(s->receives[i]);
    }
    for (int i = 0; i < VARIANTS; i++)
        memory_free(s->blocks[i]);
    free(s->sends);
    reference_free(s->reference);
}
