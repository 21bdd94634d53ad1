/* stages.c: what source, node and sink do with every block, in the order of section 5.2. */
#include "chain/protocol.h"
#include "chain/stages.h"

#include <math.h>

/* The clock of the periods starts when all is full, at the worst of the last moments of the run-in at which the next block could have
 * come: a period that is too short is seen at once instead of after all buffers have hidden it. */
static void begin_periods(struct seat *s, const struct run *r)
{
    s->begin_s = -HUGE_VAL;
    for (int b = r->run_in - RUN_IN_WATCHED; b <= r->run_in; b++)
        s->begin_s = fmax(s->begin_s, r->steps[b].ready_s - (b - r->run_in) * r->period_s - seat_slack(s, r));
}

void source_run(struct seat *s, struct run *r)
{
    for (int b = 0; b < r->blocks; b++) {
        struct step *step = &r->steps[b];
        seat_await_request(s);
        double asked_s = clock_now(s->clock);
        if (b == r->run_in && !r->from_empty && !s->mode.synchronised) {
            step->ready_s = asked_s;
            begin_periods(s, r);
        }
        for (int i = 0; i < s->down.messages; i++) {
            seat_start(s, r, b, (double)i / s->down.messages, step);
            if (i == 0)
                seat_await_sends(s);
            seat_send(s, s->blocks[b % VARIANTS], i);
        }
        step->computed_s = step->started_s;
        step->asked_s = asked_s;
        step->sent_s = clock_now(s->clock);
    }
    seat_await_sends(s);
}

/* Rows `first` to first + rows - 1 through all functions. Where functions change sides, all rows come at once. */
static float *compute(struct seat *s, struct step *step, float *in, float *out, int first, int rows)
{
    for (int i = 0; i < s->n_jobs; i++) {
        const struct kind *kind = s->jobs[i].function->kind;
        if (kind->other_side && s->n_out == 1)
            seat_await_sends(s); /* of the block before, from the only output buffer */
        double start_s = clock_now(s->clock);
        kind->run(&s->jobs[i], in, kind->other_side ? out : in, first, s->by_rows ? rows : s->jobs[i].in.rows);
        step->busy_s += clock_now(s->clock) - start_s;
        if (kind->other_side) {
            float *back = in;
            in = out;
            out = back;
        }
    }
    step->computed_s = clock_now(s->clock);
    return in;
}

static void send_first(struct seat *s, struct step *step)
{
    seat_await_sends(s);
    seat_await_request(s);
    step->asked_s = clock_now(s->clock);
}

/* Computes a block and sends it, message by message where that is possible. The first message is there. */
static void work(struct seat *s, int b, struct step *step)
{
    float *in = s->in[b % s->n_in], *out = s->n_out ? s->out[b % s->n_out] : NULL, *result = in;
    int rows = s->up.shape.rows / s->up.messages;
    for (int i = 0; i < s->up.messages; i++) {
        if (i > 0)
            seat_await(s, b, i);
        if (s->by_rows || i == s->up.messages - 1)
            result = compute(s, step, in, out, s->by_rows ? i * rows : 0, rows);
        if (s->by_rows && i == 0)
            send_first(s, step);
        if (s->by_rows)
            seat_send(s, result, i);
    }
    if (s->by_rows)
        return;
    send_first(s, step);
    for (int i = 0; i < s->down.messages; i++)
        seat_send(s, result, i);
}

/* From the moment that the block, or its first message, is there. */
static void begin(struct seat *s, struct run *r, int b)
{
    if (s->mode.buffers == 1 || b == 0)
        seat_ask(s, b);
    seat_await(s, b, 0);
    if (s->mode.buffers > 1 && b + 1 < r->blocks)
        seat_ask(s, b + 1);
    seat_start(s, r, b, 0, &r->steps[b]);
}

void node_run(struct seat *s, struct run *r)
{
    for (int b = 0; b < r->blocks; b++) {
        begin(s, r, b);
        work(s, b, &r->steps[b]);
        r->steps[b].sent_s = clock_now(s->clock);
    }
    seat_await_sends(s);
}

static void check(struct seat *s, int b)
{
    int rows = s->up.shape.rows, step = s->mode.check < rows ? s->mode.check : rows; /* at least a row of every block */
    double error = reference_error(s->reference, b % VARIANTS, s->in[b % s->n_in], b % step, step);
    s->wrong += !(error <= SINK_TOLERANCE);
    s->checked++;
    if (!(error <= s->worst_error) && !isnan(s->worst_error)) /* what is no number stays */
        s->worst_error = error;
}

void sink_run(struct seat *s, struct run *r)
{
    for (int b = 0; b < r->blocks; b++) {
        begin(s, r, b);
        for (int i = 1; i < s->up.messages; i++)
            seat_await(s, b, i);
        r->steps[b].arrived_s = clock_now(s->clock);
        if (s->mode.function)
            check(s, b);
        r->steps[b].computed_s = r->steps[b].asked_s = r->steps[b].sent_s = clock_now(s->clock);
    }
}

/* Nothing travels: a node computes one block after the other, of its input buffers in turn. They hold zeros, since what a transform makes
 * of its own results again and again would overflow. */
void alone_run(struct seat *s, struct run *r)
{
    for (int b = 0; b < r->blocks; b++) {
        struct step *step = &r->steps[b];
        step->ready_s = clock_now(s->clock);
        if (b == r->run_in && !r->from_empty)
            begin_periods(s, r);
        seat_start(s, r, b, 0, step);
        int all = s->chain->nodes[s->index - 1].in.rows;
        compute(s, step, s->in[b % s->n_in], s->n_out ? s->out[b % s->n_out] : NULL, 0, all);
        step->asked_s = step->sent_s = step->computed_s;
    }
}
