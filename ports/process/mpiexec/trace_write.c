/* trace_write.c: a trace as the JSON that Perfetto and Chrome open: an array of events, a line each. The ranks are the threads of
 * one process, the links those of another. The order is rank by rank, and within a rank that of its records, except that
 * a call comes before what happened in it: of two slices that begin at once the first is the outer one.
 *
 * An arrow is drawn from the record of the sender to that of the receiver when both have one; the two sides have counted
 * alike. What a rank has written may be anything (it may have died of it), so every index and count is bounded here.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/core/packet.h"
#include "trace.h"

enum { PID_RANKS = 1, PID_LINKS = 2, TID_LINKS = 1000000 };

struct writer {
    FILE *out;
    struct trace_file *file;
    uint64_t end_real, end_virtual; /* where what has not ended is cut off */
    int events;
};

/* One rank's records, and the region's head read once. */
struct source {
    struct trace_region *region;
    const struct trace_record *record;
    uint64_t count;
    uint64_t base, end; /* ticks: where the file's time begins and ends */
    uint32_t rank, tid;
    int is_virtual;
};

/* ---- Pieces of text ---- */

static void begin(struct writer *w, const char *phase, int pid, uint32_t tid)
{
    fprintf(w->out, "%s{\"ph\":\"%s\",\"pid\":%d,\"tid\":%" PRIu32, w->events++ ? ",\n" : "[\n", phase, pid, tid);
}

/* `ticks` of the source as microseconds: 3 decimals of a real clock, 6 of a virtual one. */
static void put_time(struct writer *w, const struct source *s, const char *name, uint64_t ticks)
{
    if (s->is_virtual)
        fprintf(w->out, ",\"%s\":%" PRIu64 ".%06" PRIu64, name, ticks / 1000000, ticks % 1000000);
    else
        fprintf(w->out, ",\"%s\":%" PRIu64 ".%03" PRIu64, name, ticks / 1000, ticks % 1000);
}

static uint64_t since(uint64_t base, uint64_t at) { return at > base ? at - base : 0; }

/* A name out of shared memory: cut, ended, and only what JSON takes as it is. */
static const char *clean(const char *name, char text[TRACE_NAME_BYTES])
{
    size_t i = 0;
    for (; i < TRACE_NAME_BYTES - 1 && name[i]; i++)
        text[i] = name[i] >= ' ' && name[i] <= '~' && name[i] != '"' && name[i] != '\\' ? name[i] : '?';
    text[i] = 0;
    return text;
}

static const char *name_of(const struct source *s, uint16_t name, char text[TRACE_NAME_BYTES])
{
    const struct trace_region *g = s->region;
    return name && name < TRACE_NAMES && name < g->names ? clean(g->name[name], text) : "MPI";
}

/* ---- Slices ---- */

static void put_slice_args(struct writer *w, const struct trace_record *r, int unfinished)
{
    const char *comma = "";
    fputs(",\"args\":{", w->out);
    if (r->kind == TRACE_CALL && r->bytes > 1) {
        fprintf(w->out, "\"calls\":%" PRIu32, r->bytes);
        comma = ",";
    }
    if (r->kind == TRACE_WAIT && r->peer >= 0) {
        fprintf(w->out, "\"for\":%" PRId32 ",\"tag\":%" PRId32, r->peer, r->tag);
        comma = ",";
    }
    if (unfinished)
        fprintf(w->out, "%s\"unfinished\":true", comma);
    fputs("}}", w->out);
}

static void slice(struct writer *w, const struct source *s, const struct trace_record *r, int unfinished)
{
    static const char *const kinds[] = {[TRACE_CALL] = "call", [TRACE_WAIT] = "wait", [TRACE_COMPUTE] = "compute"};
    char text[TRACE_NAME_BYTES];
    begin(w, "X", PID_RANKS, s->tid);
    put_time(w, s, "ts", since(s->base, r->at));
    put_time(w, s, "dur", since(r->at, r->until));
    fprintf(w->out, ",\"cat\":\"%s\",\"name\":\"%s\"", kinds[r->kind],
            r->kind == TRACE_CALL ? name_of(s, r->name, text) : kinds[r->kind]);
    put_slice_args(w, r, unfinished);
}

/* ---- Arrows ---- */

/* What `rank` has counted of `peer`; NULL when it has counted nothing. */
static const struct trace_peer *counted(struct trace_file *f, uint32_t rank, uint32_t peer)
{
    struct trace_region *g = trace_region_of(f, rank);
    uint64_t entries = g->peers, at = g->peers_at;
    if (!g->claimed || entries < TRACE_PEERS_MIN || entries & (entries - 1) || at % sizeof(uint32_t) ||
        at < f->peers_at || at > f->region_bytes || entries * sizeof(struct trace_peer) > f->region_bytes - at)
        return NULL;
    struct trace_peer *table = (struct trace_peer *)(void *)((char *)g + at);
    const struct trace_peer *p = trace_peer_in(table, (uint32_t)entries - 1, peer);
    return p->rank_1 == peer + 1 ? p : NULL;
}

static const char *packet_name(uint8_t kind)
{
    static const char *const names[PACKET_KINDS] = {
        [PACKET_EAGER] = "message",     [PACKET_ACK] = "acknowledged", [PACKET_RTS] = "message",
        [PACKET_CTS] = "clear to send", [PACKET_DATA] = "data",        [PACKET_FIN] = "finished"};
    return kind < PACKET_KINDS && names[kind] ? names[kind] : "packet";
}

/* 1: both ends have their record; 0: the receiver has none; negative: no arrow. */
static int arrow_of(struct writer *w, const struct source *s, const struct trace_record *r)
{
    uint32_t peer = (uint32_t)r->peer;
    if (peer >= w->file->ranks)
        return -1;
    const struct trace_peer *here = counted(w->file, s->rank, peer), *there = counted(w->file, peer, s->rank);
    if (r->kind == TRACE_RECEIVED)
        return there && r->until < there->sent_kept && here && r->until < here->received_kept ? 1 : -1;
    if (!here || r->until >= here->sent_kept)
        return -1;
    return there && r->until < there->received_kept;
}

/* An arrow's end lies in the slice that is open at its time: just before the end of the call, if it has no later place. */
static uint64_t within(const struct trace_record *call, uint64_t at)
{
    return call && at >= call->until && call->until > call->at ? call->until - 1 : at;
}

static void arrow(struct writer *w, const struct source *s, const struct trace_record *r,
                  const struct trace_record *call)
{
    int sent = r->kind == TRACE_SENT, arrives = arrow_of(w, s, r);
    if (arrives < 0)
        return;
    uint32_t from = sent ? s->rank : (uint32_t)r->peer, to = sent ? (uint32_t)r->peer : s->rank;
    int message = r->detail == PACKET_EAGER || r->detail == PACKET_RTS;
    begin(w, sent ? "s" : "f", PID_RANKS, s->tid);
    put_time(w, s, "ts", since(s->base, within(call, r->at)));
    fprintf(w->out, ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":\"0x%" PRIx64 "\"%s,\"args\":{\"%s\":%" PRId32,
            message                    ? "message"
            : r->detail == PACKET_DATA ? "data"
                                       : "answer",
            packet_name(r->detail), ((uint64_t)from * w->file->ranks + to) << 28 | (r->until & 0xfffffff),
            sent ? "" : ",\"bp\":\"e\"", sent ? "to" : "from", r->peer);
    if (message)
        fprintf(w->out, ",\"tag\":%" PRId32 ",\"bytes\":%" PRIu32, r->tag, r->bytes);
    fputs(arrives ? "}}" : ",\"unfinished\":true}}", w->out);
}

/* ---- A rank ---- */

/* Records [from, to), which are no calls, within `call` if that is not NULL. */
static void inside(struct writer *w, const struct source *s, uint64_t from, uint64_t to,
                   const struct trace_record *call)
{
    for (uint64_t i = from; i < to; i++) {
        const struct trace_record *r = &s->record[i];
        if (r->kind == TRACE_WAIT)
            slice(w, s, r, 0);
        else if (r->kind == TRACE_SENT || r->kind == TRACE_RECEIVED)
            arrow(w, s, r, call);
    }
}

/* What had begun when the rank was last heard of, and the `from`-th record on, which belong to it. */
static void unfinished(struct writer *w, const struct source *s, uint64_t from)
{
    const struct trace_region *g = s->region;
    struct trace_record call = {
        .at = g->call_from, .until = s->end, .kind = g->computes ? TRACE_COMPUTE : TRACE_CALL, .name = g->call_name};
    struct trace_record wait = {
        .at = g->wait_from, .until = s->end, .kind = TRACE_WAIT, .peer = g->wait_peer, .tag = g->wait_tag};
    if (g->in_call)
        slice(w, s, &call, 1);
    inside(w, s, from, s->count, g->in_call ? &call : NULL);
    if (g->in_call && g->in_wait)
        slice(w, s, &wait, 1);
}

static void dropped(struct writer *w, const struct source *s, int pid, uint32_t tid)
{
    if (s->region->dropped == 0)
        return;
    begin(w, "i", pid, tid);
    put_time(w, s, "ts", since(s->base, s->count ? s->record[s->count - 1].at : s->base));
    fprintf(w->out,
            ",\"s\":\"t\",\"cat\":\"dropped\",\"name\":\"the trace is full\",\"args\":{\"dropped\":%" PRIu64 "}}",
            s->region->dropped);
}

static struct source source_of(const struct writer *w, struct trace_region *g, uint64_t room)
{
    struct source s = {.region = g, .record = trace_records_of(g)};
    s.count = g->count < room ? g->count : room;
    s.is_virtual = g->ticks_per_second == TRACE_PS;
    s.base = s.is_virtual ? 0 : w->file->start_ns;
    s.end = s.is_virtual ? w->end_virtual : w->end_real;
    return s;
}

static void rank_events(struct writer *w, uint32_t rank)
{
    struct source s = source_of(w, trace_region_of(w->file, rank), w->file->records);
    uint64_t held = 0;
    s.rank = rank;
    s.tid = rank + 1;
    if (!s.region->claimed)
        return;
    for (uint64_t i = 0; i < s.count; i++) {
        const struct trace_record *r = &s.record[i];
        if (r->kind != TRACE_CALL && r->kind != TRACE_COMPUTE)
            continue;
        slice(w, &s, r, 0);
        inside(w, &s, held, i, r);
        held = i + 1;
    }
    unfinished(w, &s, held);
    dropped(w, &s, PID_RANKS, s.tid);
}

/* ---- Links ---- */

static void link_name(struct writer *w, uint32_t link)
{
    char text[TRACE_NAME_BYTES], number[TRACE_NAME_BYTES];
    const char *name = trace_link_name_of(w->file, link);
    snprintf(number, sizeof number, "link %" PRIu32, link);
    begin(w, "M", PID_LINKS, TID_LINKS + link);
    fprintf(w->out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}", *name ? clean(name, text) : number);
}

static void link_events(struct writer *w)
{
    struct source s = source_of(w, trace_links_of(w->file), w->file->link_records);
    uint8_t *named = calloc(w->file->links, 1);
    if (s.count && named) {
        begin(w, "M", PID_LINKS, 0);
        fputs(",\"name\":\"process_name\",\"args\":{\"name\":\"links\"}}", w->out);
    }
    for (uint64_t i = 0; i < s.count && named; i++) {
        const struct trace_record *r = &s.record[i];
        uint32_t link = (uint32_t)r->peer;
        if (link >= w->file->links)
            continue;
        if (!named[link])
            link_name(w, link);
        named[link] = 1;
        begin(w, "X", PID_LINKS, TID_LINKS + link);
        put_time(w, &s, "ts", since(s.base, r->at));
        put_time(w, &s, "dur", since(r->at, r->until));
        fputs(",\"cat\":\"link\",\"name\":\"busy\",\"args\":{}}", w->out);
    }
    free(named);
    dropped(w, &s, PID_LINKS, TID_LINKS);
}

/* ---- All ---- */

static void heads(struct writer *w)
{
    int is_virtual = w->end_virtual > 0;
    begin(w, "M", PID_RANKS, 0);
    fprintf(w->out, ",\"name\":\"mpico_trace\",\"args\":{\"version\":%d,\"ranks\":%" PRIu32 ",\"clock\":\"%s\"}}",
            TRACE_VERSION, w->file->ranks, is_virtual ? "virtual" : "real");
    begin(w, "M", PID_RANKS, 0);
    fputs(",\"name\":\"process_name\",\"args\":{\"name\":\"ranks\"}}", w->out);
    for (uint32_t i = 0; i < w->file->ranks; i++) {
        begin(w, "M", PID_RANKS, i + 1);
        fprintf(w->out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"rank %" PRIu32 "\"}}", i);
        begin(w, "M", PID_RANKS, i + 1);
        fprintf(w->out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}", i);
    }
}

static void latest(struct writer *w, const struct trace_region *g)
{
    uint64_t *end = g->ticks_per_second == TRACE_PS ? &w->end_virtual : &w->end_real;
    uint64_t times[] = {g->last, g->in_call ? g->call_from : 0, g->in_wait ? g->wait_from : 0};
    for (size_t i = 0; g->claimed && i < sizeof times / sizeof times[0]; i++)
        if (times[i] > *end)
            *end = times[i];
}

void trace_write(FILE *out, struct trace_file *f, uint64_t now_ns)
{
    struct writer w = {.out = out, .file = f, .end_real = now_ns};
    for (uint32_t i = 0; i < f->ranks; i++)
        latest(&w, trace_region_of(f, i));
    heads(&w);
    for (uint32_t i = 0; i < f->ranks && !ferror(out); i++)
        rank_events(&w, i);
    link_events(&w);
    fputs("\n]\n", out);
}
