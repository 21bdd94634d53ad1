/* trace.c: see ../trace.h. One rank writes into its own region: calls and waits when they are over, packets when they leave and
 * when they are accepted. What has begun and is not over stands in the head of the region, where it can be read when the
 * rank never comes back.
 *
 * Packets need no number on the wire: the packets between two ranks arrive in the order in which they were sent, so
 * the n-th that one has sent is the n-th that the other has accepted, and each side counts.
 */
#include "../trace.h"

#if defined(MPICO_TRACE) && MPICO_TRACE

#include <string.h>

#include "threads.h"

enum { NAMES_KNOWN = 32, MERGE_NS = 1000 /* calls nearer than this are one after the other */ };

struct trace {
    struct trace_region *region;
    uint64_t room; /* records */
    uint64_t (*clock)(void);
    uint64_t merge_ticks;
    uint64_t mark;                  /* records when the call began */
    struct trace_peer *peers;       /* the current table */
    uint64_t peers_next, peers_end; /* offsets in the region: where a larger one goes */
    const char *known[NAMES_KNOWN]; /* by address: names are literals */
    uint16_t known_as[NAMES_KNOWN];
};

/* A link's operations, with ours before those that send. */
struct traced_ops {
    struct link_ops ops; /* first: link->ops points here */
    const struct link_ops *inner;
};

/* ---- Names ---- */

static uint16_t find_name(struct trace_region *g, const char *name)
{
    uint32_t i = 1;
    while (i < g->names && strncmp(g->name[i], name, TRACE_NAME_BYTES - 1))
        i++;
    if (i == TRACE_NAMES)
        return 0;
    if (i == g->names) {
        strncpy(g->name[i], name, TRACE_NAME_BYTES - 1);
        __atomic_store_n(&g->names, i + 1, __ATOMIC_RELEASE);
    }
    return (uint16_t)i;
}

static uint16_t name_of(struct trace *t, const char *name)
{
    uintptr_t address = (uintptr_t)name;
    size_t slot = (address ^ address >> 5) % NAMES_KNOWN;
    if (t->known[slot] != name) {
        t->known_as[slot] = find_name(t->region, name);
        t->known[slot] = name;
    }
    return t->known_as[slot];
}

/* ---- Peers ---- */

/* A table twice as large behind the present one, which stays as it is: nothing here is ever freed. */
static void grow(struct trace *t)
{
    struct trace_region *g = t->region;
    uint32_t entries = g->peers ? 2 * g->peers : TRACE_PEERS_MIN;
    uint64_t bytes = entries * sizeof(struct trace_peer);
    if (bytes > t->peers_end - t->peers_next)
        return;
    struct trace_peer *table = (struct trace_peer *)(void *)((char *)g + t->peers_next);
    for (uint32_t i = 0; i < g->peers; i++)
        if (t->peers[i].rank_1)
            *trace_peer_in(table, entries - 1, t->peers[i].rank_1 - 1) = t->peers[i];
    g->peers_at = t->peers_next;
    __atomic_store_n(&g->peers, entries, __ATOMIC_RELEASE);
    t->peers = table;
    t->peers_next += bytes;
}

static struct trace_peer *peer_of(struct trace *t, uint32_t rank)
{
    struct trace_region *g = t->region;
    if (2 * g->peers_used >= g->peers)
        grow(t);
    if (g->peers == 0)
        return NULL;
    struct trace_peer *p = trace_peer_in(t->peers, g->peers - 1, rank);
    if (p->rank_1 == 0) {
        p->rank_1 = rank + 1;
        g->peers_used++;
    }
    return p->rank_1 == rank + 1 ? p : NULL;
}

/* ---- Packets ---- */

static void note_packet(struct trace *t, enum trace_kind kind, uint64_t at, int peer, const struct packet *p)
{
    struct trace_peer *with = peer_of(t, (uint32_t)peer);
    if (!with)
        return;
    struct trace_record record = {.at = at,
                                  .until = kind == TRACE_SENT ? with->sent++ : with->received++,
                                  .kind = (uint8_t)kind,
                                  .detail = p->kind,
                                  .peer = peer,
                                  .tag = p->tag,
                                  .bytes = p->length < UINT32_MAX ? (uint32_t)p->length : UINT32_MAX};
    int kept = trace_append(t->region, t->room, &record);
    uint32_t *all_kept = kind == TRACE_SENT ? &with->sent_kept : &with->received_kept;
    __atomic_store_n(all_kept, *all_kept + (uint32_t)kept, __ATOMIC_RELEASE);
}

/* `dest` -1: to every other rank of the job. */
static void note_sent(struct rank *r, uint64_t at, int dest, const struct packet *p)
{
    if (dest >= 0)
        note_packet(r->trace, TRACE_SENT, at, dest, p);
    for (int i = 0; dest < 0 && i < r->world_size; i++)
        if (i != r->world_rank)
            note_packet(r->trace, TRACE_SENT, at, i, p);
}

/* Taken before the packet is looked at: its answer leaves later. */
uint64_t mpico_trace_now(struct rank *r)
{
    const struct trace *t = r->trace;
    return t->clock();
}

void mpico_trace_arrived(struct rank *r, uint64_t at, int origin, const struct packet *p)
{
    note_packet(r->trace, TRACE_RECEIVED, at, origin, p);
}

static const struct link_ops *inner(const struct link *link)
{
    return ((const struct traced_ops *)(const void *)link->ops)->inner;
}

/* The arrow starts where the sender starts: the receiver may have the packet before send() is back. */
static int traced_send(struct link *link, int dest, const struct packet *p, const void *payload, size_t len)
{
    uint64_t at = mpico_trace_now(link->rank);
    int e = inner(link)->send(link, dest, p, payload, len);
    if (e == 0)
        note_sent(link->rank, at, dest, p);
    return e;
}

static int traced_lend(struct link *link, int dest, const struct packet *p, const void *payload, size_t len,
                       void *token)
{
    uint64_t at = mpico_trace_now(link->rank);
    int e = inner(link)->lend(link, dest, p, payload, len, token);
    if (e == 0 || e == MPICO_LENT)
        note_sent(link->rank, at, dest, p);
    return e;
}

static void traced_commit(struct link *link, int dest, const struct packet *p, size_t len)
{
    uint64_t at = mpico_trace_now(link->rank);
    inner(link)->commit(link, dest, p, len);
    note_sent(link->rank, at, dest, p);
}

static int stand_in(struct rank *r, struct link *link)
{
    struct traced_ops *t = mpico_heap_alloc(&r->heap, sizeof *t);
    if (!t)
        return -1;
    t->ops = *link->ops;
    t->inner = link->ops;
    t->ops.send = traced_send;
    t->ops.lend = link->ops->lend ? traced_lend : NULL;
    t->ops.commit = link->ops->commit ? traced_commit : NULL;
    link->ops = &t->ops;
    return 0;
}

/* ---- Calls and waits ---- */

static void end_wait(struct trace *t, uint64_t until)
{
    struct trace_region *g = t->region;
    struct trace_record record = {
        .at = g->wait_from, .until = until, .kind = TRACE_WAIT, .peer = g->wait_peer, .tag = g->wait_tag};
    g->in_wait = 0;
    trace_append(g, t->room, &record);
}

/* Of a program's threads only one has its calls recorded, as there is one line for each rank. */
static __attribute__((no_instrument_function)) int is_traced(const struct rank *r)
{
    return !r->threads.on || r->trace_thread == rank_thread();
}

void mpico_trace_wait(struct rank *r, struct request *const *list, int requests)
{
    struct trace *t = r->trace;
    struct trace_region *g = t->region;
    if (g->in_wait || !is_traced(r))
        return;
    g->wait_peer = g->wait_tag = -1;
    for (int i = 0; i < requests; i++)
        if (list[i] && !(list[i]->flags & REQUEST_DONE)) {
            g->wait_peer = list[i]->kind == REQUEST_COLL ? -1 : list[i]->peer_world;
            g->wait_tag = list[i]->tag;
            break;
        }
    g->wait_from = t->clock();
    __atomic_store_n(&g->in_wait, 1, __ATOMIC_RELEASE);
}

void mpico_trace_moved(struct rank *r)
{
    struct trace *t = r->trace;
    if (t->region->in_wait && is_traced(r))
        end_wait(t, t->clock());
}

static void begin_call(struct trace *t)
{
    struct trace_region *g = t->region;
    g->call_from = t->clock();
    g->call_name = 0;
    g->computes = 0;
    t->mark = g->count + g->dropped;
    __atomic_store_n(&g->in_call, 1, __ATOMIC_RELEASE);
}

void mpico_trace_call(struct rank *r, const char *call)
{
    struct trace *t = r->trace;
    if (!is_traced(r))
        return;
    if (t->region->call_name == 0) /* one function of the standard may call another: the first has the name */
        t->region->call_name = name_of(t, call);
}

void mpico_trace_compute(struct rank *r)
{
    struct trace *t = r->trace;
    if (is_traced(r))
        t->region->computes = t->region->in_call;
}

/* A program that asks again and again whether something has come makes one record of it. */
static int merge(struct trace *t, const struct trace_record *record)
{
    struct trace_region *g = t->region;
    struct trace_record *last = g->count ? &trace_records_of(g)[g->count - 1] : NULL;
    if (!record->detail || !last || last->kind != TRACE_CALL || !last->detail || last->name != record->name ||
        record->at - last->until > t->merge_ticks || last->bytes == UINT32_MAX)
        return 0;
    last->until = record->until;
    last->bytes++;
    if (record->until > g->last)
        g->last = record->until;
    return 1;
}

static void end_call(struct trace *t)
{
    struct trace_region *g = t->region;
    uint64_t until = t->clock();
    if (g->in_wait)
        end_wait(t, until);
    g->in_call = 0;
    if (!g->computes && g->call_name == 0)
        return;
    struct trace_record record = {.at = g->call_from,
                                  .until = until,
                                  .kind = g->computes ? TRACE_COMPUTE : TRACE_CALL,
                                  .name = g->call_name,
                                  .bytes = 1};
    record.detail = !g->computes && t->mark == g->count + g->dropped;
    if (!merge(t, &record))
        trace_append(g, t->room, &record);
}

/* Called by the compiler around each function of src/api, also where it was inlined: the outermost one is the program's
 * call. They stand for the library's own: its functions are not seen from outside. */
void __cyg_profile_func_enter(void *function, void *site) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *site) __attribute__((no_instrument_function));

void __cyg_profile_func_enter(void *function, void *site)
{
    struct rank *r = rank_self();
    (void)function;
    (void)site;
    if (!r->trace_thread)
        r->trace_thread = rank_thread();
    if (is_traced(r) && r->trace_depth++ == 0 && r->trace)
        begin_call(r->trace);
}

void __cyg_profile_func_exit(void *function, void *site)
{
    struct rank *r = rank_self();
    (void)function;
    (void)site;
    if (!is_traced(r) || --r->trace_depth || !r->trace)
        return;
    /* The function has given the lock back; packets that other threads take are recorded with it held. */
    int threads = r->threads.on;
    if (threads)
        mpico_lock(r);
    end_call(r->trace);
    if (threads)
        mpico_unlock(r);
}

/* ---- The start ---- */

int mpico_trace_start(struct rank *r, struct trace_region *g, uint64_t records, uint64_t peers_at, uint64_t peers_bytes,
                      uint64_t (*clock)(void), uint64_t ticks_per_second)
{
    struct trace *t = mpico_heap_alloc(&r->heap, sizeof *t);
    if (!t)
        return -1;
    memset(t, 0, sizeof *t);
    t->region = g;
    t->room = records;
    t->clock = clock;
    t->merge_ticks = ticks_per_second / TRACE_NS * MERGE_NS;
    t->peers_next = peers_at;
    t->peers_end = peers_at + peers_bytes;
    g->ticks_per_second = ticks_per_second;
    g->names = 1;
    for (struct link *l = r->links; l; l = l->next)
        if (stand_in(r, l))
            return -1;
    r->trace = t;
    if (r->trace_depth) { /* within MPI_Init */
        begin_call(t);
        mpico_trace_call(r, r->call);
    }
    return 0;
}

#endif
