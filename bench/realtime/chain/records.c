/* records.c: the results as JSON lines. */
#include "chain/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "kernels/fft.h"

static double flops_of(const struct node *n)
{
    double sum = 0;
    struct shape shape = n->in;
    for (int i = 0; i < n->n; i++) {
        struct job j = {.function = &n->functions[i], .in = shape};
        j.function->kind->fits(j.function, shape, &j.out, NULL);
        sum += j.function->kind->flops(&j);
        shape = j.out;
    }
    return sum;
}

static double most_flops(const struct chain *c)
{
    double most = 0;
    for (int i = 0; i < c->n; i++)
        most = fmax(most, flops_of(&c->nodes[i]));
    return most;
}

static double all_flops(const struct chain *c)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += flops_of(&c->nodes[i]);
    return sum;
}

/* What identifies the configuration, at the start of every record of a run. */
static void report_mode(const struct paper *p, const struct chain *c, struct mode m)
{
    char text[512];
    report_text("file", p->file);
    size_t used = 0;
    for (int i = 0; i < c->n && used + 8 < sizeof text; i++) {
        if (i)
            used += strlen(strcpy(text + used, " -> "));
        node_text(&c->nodes[i], text + used, sizeof text - used);
        used += strlen(text + used);
    }
    report_text("nodes", text);
    report_whole("rows", c->block.rows);
    report_whole("columns", c->block.columns);
    report_flag("flow", m.flow);
    report_flag("function", m.function);
    report_text("mode", m.synchronised ? "synchronised" : "self-timed");
    report_whole("buffers", m.buffers);
    report_flag("overlap_sends", m.overlap_sends);
    report_whole("message_rows", m.rows ? m.rows : c->block.rows);
}

static void report_rates(const struct chain *c, struct mode m, const struct found *f)
{
    report_number("mflops", search_rate(f, m.function ? most_flops(c) : 0) / 1e6); /* of the node that computes most */
    report_number("all_mflops", search_rate(f, m.function ? all_flops(c) : 0) / 1e6);
    report_number("mb_per_s", search_rate(f, (double)shape_bytes(c->block)) / 1e6);
}

static void report_chain(const struct bench *b, const struct paper *p, const struct found *f)
{
    const struct chain *c = b->seat.chain;
    const struct measured *sink = b->stages ? &b->stages[b->seat.ranks - 1] : NULL;
    long checked, wrong;
    double error;
    bench_verdict(b, &checked, &wrong, &error);
    report_begin("chain");
    report_mode(p, c, b->seat.mode);
    search_report(p->search, f, p->sought);
    report_whole("watched_missed", b->missed); /* of the same periods, begun empty: what the rest is about */
    report_rates(c, b->seat.mode, f);
    report_number("latency_s", sink && b->seat.mode.flow ? sink->latency_s : NAN);
    report_number("latency_worst_s", sink && b->seat.mode.flow ? sink->latency_worst_s : NAN);
    report_whole("checked", checked);
    report_whole("wrong", wrong);
    report_number("worst_error", checked ? error : NAN);
    report_end();
}

static void name_of(const struct chain *c, int index, char *out, size_t room)
{
    if (index == 0 || index == c->n + 1)
        strcpy(out, index ? "sink" : "source");
    else
        node_text(&c->nodes[index - 1], out, room);
}

static void report_stage(const struct bench *b, int index)
{
    const struct measured *m = &b->stages[index];
    char name[256];
    name_of(b->seat.chain, index, name, sizeof name);
    report_begin("stage");
    report_whole("index", index);
    report_text("name", name);
    report_whole("missed", (long long)m->missed);
    report_number("late_s", m->late_s);
    report_number("busy_s", m->busy_s);
    report_number("busy_worst_s", m->busy_worst_s);
    report_number("wait_in_s", m->wait_in_s);
    report_number("wait_out_s", m->wait_out_s);
    report_number("work_s", m->work_s);
    report_number("work_worst_s", m->work_worst_s);
    report_number("jitter_s", m->jitter_s);
    report_number("jitter_worst_s", m->jitter_worst_s);
    report_end();
}

/* One list of moments from the start of the periods on. */
static void report_moments(const struct bench *b, const char *key, int index, size_t field, double *room)
{
    for (int i = 0; i < b->kept_blocks; i++) {
        const char *step = (const char *)&b->kept[index * b->kept_blocks + i];
        memcpy(&room[i], step + field, sizeof *room);
        room[i] -= b->begin_s;
    }
    report_list(key, room, b->kept_blocks);
}

static void report_timeline(const struct bench *b, int index)
{
    double *room = calloc((size_t)b->kept_blocks + 1, sizeof *room);
    char name[256];
    if (!room)
        return;
    name_of(b->seat.chain, index, name, sizeof name);
    report_begin("timeline");
    report_whole("index", index);
    report_text("name", name);
    report_number("period_s", b->period_s);
    report_moments(b, "ready_s", index, offsetof(struct step, ready_s), room);
    report_moments(b, "started_s", index, offsetof(struct step, started_s), room);
    report_moments(b, "computed_s", index, offsetof(struct step, computed_s), room);
    report_moments(b, "asked_s", index, offsetof(struct step, asked_s), room);
    report_moments(b, "sent_s", index, offsetof(struct step, sent_s), room);
    report_end();
    free(room);
}

void records_write(const struct bench *b, const struct paper *p, const struct found *f)
{
    report_chain(b, p, f);
    bool flow = b->seat.mode.flow;
    for (int i = 0; b->stages && i < b->seat.ranks; i++)
        if (flow || (i > 0 && i < b->seat.ranks - 1))
            report_stage(b, i);
    for (int i = 0; b->stages && b->kept_blocks && flow && i < b->seat.ranks; i++)
        report_timeline(b, i);
}

void records_hidden(const struct paper *p, const struct chain *c, struct mode m, double with_s, double without_s,
                    double communication_s)
{
    report_begin("hidden");
    report_mode(p, c, m);
    report_number("with_flow_s", with_s);
    report_number("without_flow_s", without_s);
    report_number("communication_s", communication_s);
    report_number("hidden", 1 - (with_s - without_s) / communication_s);
    report_rates(c, m, &(struct found){.any = true, .period_s = with_s}); /* of periods that were all kept */
    report_number("mflops_without", most_flops(c) / without_s / 1e6);
    report_number("mb_per_s_without", (double)shape_bytes(c->block) / without_s / 1e6);
    report_end();
}
