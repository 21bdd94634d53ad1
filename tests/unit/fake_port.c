/* fake_port.c: see fake_port.h. */
#include "fake_port.h"

#include "type/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/progress.h"
#include "core/protocol.h"

struct slot {
    struct packet packet;
    size_t len;
    const void *lent; /* the sender's memory, until the packet is delivered; then the token goes back */
    void *token;
    unsigned char payload[FAKE_MTU];
};
enum { FAKE_PLACES = 4, FAKE_TOKENS = 256 };
struct place {
    int source;
    uint64_t stream;
    char *base;
    size_t from, to;
};
struct queue {
    struct slot slot[FAKE_QUEUE];
    unsigned sent, taken;
    int room;
};
struct wire {
    struct link link;
    int self;
    struct place place[FAKE_PLACES];
    void *token[FAKE_TOKENS];
    int tokens;
};

static struct rank ranks[FAKE_RANKS];
static struct wire wires[FAKE_RANKS];
static struct queue queues[FAKE_RANKS][FAKE_RANKS];
static void *arenas[FAKE_RANKS];
static struct fake_wire shape;
static struct link_ops ops;
struct fake_counts fake_counts;
_Thread_local struct rank *mpico_rank_here __attribute__((tls_model("initial-exec")));

struct rank *mpico_rank_find(void) { return mpico_rank_here = &ranks[0]; }
struct rank *fake_rank(int rank) { return &ranks[rank]; }
void fake_room(int from, int to, int packets) { queues[from][to].room = packets; }
int fake_waiting(int from, int to) { return (int)(queues[from][to].sent - queues[from][to].taken); }

void fake_lose(int from, int to) { queues[from][to].taken = queues[from][to].sent; }

static struct wire *wire_of(struct link *link) { return (struct wire *)(void *)link; }

static struct slot *next_slot(struct link *link, int dest)
{
    struct queue *q = &queues[wire_of(link)->self][dest];
    if ((int)(q->sent - q->taken) < q->room)
        return &q->slot[q->sent % FAKE_QUEUE];
    fake_counts.refused++;
    return NULL;
}

static void *wire_reserve(struct link *link, int dest, const struct packet *packet, size_t len)
{
    (void)packet;
    struct slot *s = next_slot(link, dest);
    return len <= FAKE_MTU && s ? s->payload : NULL;
}

static void wire_commit(struct link *link, int dest, const struct packet *packet, size_t len)
{
    struct slot *s = next_slot(link, dest);
    s->packet = *packet;
    s->len = len;
    s->lent = NULL;
    queues[wire_of(link)->self][dest].sent++;
    fake_counts.lent++;
}

static int wire_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len);

static int send_to_all(struct link *link, const struct packet *packet, const void *payload, size_t len)
{
    int self = wire_of(link)->self;
    if (!shape.broadcast)
        abort();
    for (int i = 0; i < FAKE_RANKS; i++)
        if (i != self && !next_slot(link, i))
            return MPICO_AGAIN;
    for (int i = 0; i < FAKE_RANKS; i++)
        if (i != self)
            wire_send(link, i, packet, payload, len);
    fake_counts.spread++;
    return 0;
}

static int wire_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len)
{
    if (dest < 0)
        return send_to_all(link, packet, payload, len);
    struct slot *s = next_slot(link, dest);
    if (!s)
        return MPICO_AGAIN;
    if (len > FAKE_MTU)
        abort();
    s->packet = *packet;
    s->len = len;
    s->lent = NULL;
    if (len)
        memcpy(s->payload, payload, len);
    queues[wire_of(link)->self][dest].sent++;
    fake_counts.sent++;
    return 0;
}

static int wire_lend(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len,
                     void *token)
{
    struct slot *s = dest < 0 ? NULL : next_slot(link, dest);
    int e = wire_send(link, dest, packet, payload, len);
    if (e || !s)
        return e;
    memset(s->payload, 0xdd, len); /* whoever reads it now is wrong */
    s->lent = payload;
    s->token = token;
    fake_counts.borrowed++;
    return MPICO_LENT;
}

static void wire_place(struct link *link, int source, uint64_t stream, void *base, size_t from, size_t to)
{
    struct place *p = wire_of(link)->place, *free = NULL;
    for (int i = 0; i < FAKE_PLACES; i++) {
        if (p[i].from < p[i].to && p[i].source == source && p[i].stream == stream)
            p[i].from = p[i].to;
        if (p[i].from == p[i].to)
            free = &p[i];
    }
    if (free)
        *free = (struct place){source, stream, base, from, to};
}

/* Where the payload stands when core is told of it. */
static const void *landed(struct wire *w, int origin, const struct slot *s)
{
    const struct packet *p = &s->packet;
    const void *payload = s->lent ? s->lent : s->payload;
    for (int i = 0; i < FAKE_PLACES && p->kind == PACKET_DATA && p->flags & PACKET_STREAM; i++) {
        struct place *at = &w->place[i];
        if (at->source != origin || at->stream != p->cookie || p->length < at->from || p->length + s->len > at->to)
            continue;
        at->from = p->length + s->len;
        fake_counts.placed++;
        return memcpy(at->base + p->length, payload, s->len);
    }
    return payload;
}

static int give_back(struct wire *w)
{
    int n = w->tokens;
    while (w->tokens)
        mpico_returned(w->link.rank, w->token[--w->tokens]);
    return n;
}

static void taken(struct queue *q, int origin)
{
    const struct slot *s = &q->slot[q->taken++ % FAKE_QUEUE];
    struct wire *w = &wires[origin];
    if (!s->lent)
        return;
    if (w->tokens == FAKE_TOKENS)
        abort();
    w->token[w->tokens++] = s->token;
}

static int wire_poll(struct link *link, int from, int budget)
{
    struct wire *w = wire_of(link);
    int self = w->self, n = give_back(w);
    (void)from;
    for (int i = 0; i < FAKE_RANKS; i++)
        for (struct queue *q = &queues[i][self]; n < budget && q->taken != q->sent; n++) {
            struct slot *s = &q->slot[q->taken % FAKE_QUEUE];
            int e = mpico_arrive(link->rank, i, &s->packet, landed(w, i, s), s->len);
            if (e < 0)
                abort();
            if (e)
                break;
            taken(q, i);
        }
    return n;
}

static int wire_get(struct link *link, int source, void *local, uint64_t remote, size_t len)
{
    (void)link;
    (void)source;
    if (shape.get == FAKE_GET_FAILS)
        return -1;
    if (shape.get == FAKE_GET_INVENTS)
        memset(local, 0x5a, len);
    else
        memcpy(local, (const void *)(uintptr_t)remote, len);
    fake_counts.pulled++;
    return 0;
}

static int fake_machine_start(struct rank *r, int *argc, char ***argv)
{
    int self = (int)(r - ranks);
    (void)argc;
    (void)argv;
    size_t bytes = shape.arena_bytes ? shape.arena_bytes : (size_t)1 << 20;
    free(arenas[self]);
    arenas[self] = aligned_alloc(64, bytes);
    if (!arenas[self] || mpico_rank_place(r, self, FAKE_RANKS, arenas[self], bytes))
        return -1;
    wires[self] = (struct wire){.link = {.ops = &ops,
                                         .mtu = FAKE_MTU,
                                         .eager_max_bytes = shape.eager_bytes ? shape.eager_bytes : FAKE_MTU,
                                         .stream_first_bytes = shape.first_bytes,
                                         .broadcast = (uint8_t)shape.broadcast,
                                         .get_min_bytes = shape.get ? 1 : SIZE_MAX},
                                .self = self};
    if (shape.change)
        shape.change(&ops, &wires[self].link);
    mpico_rank_attach(r, &wires[self].link, 0, FAKE_RANKS - 1);
    return 0;
}

static void fake_machine_stop(struct rank *r) { (void)r; }
static uint64_t fake_now(void) { return 0; }

/* The others run while one waits. */
static void fake_wait(struct rank *r, uint32_t idle)
{
    if (idle > 10000) {
        fprintf(stderr, "fake port: rank %d waits for ever\n", r->world_rank);
        abort();
    }
    for (int i = 0; i < FAKE_RANKS; i++)
        if (&ranks[i] != r)
            mpico_progress(&ranks[i]);
}

__attribute__((noreturn)) static void fake_halt(struct rank *r, int code, const char *why)
{
    fprintf(stderr, "fake port: rank %d: %d: %s\n", r->world_rank, code, why);
    abort();
}

const struct machine mpico_machine = {.name = "fake",
                                      .start = fake_machine_start,
                                      .stop = fake_machine_stop,
                                      .now = fake_now,
                                      .wait = fake_wait,
                                      .halt = fake_halt};

void fake_start(struct fake_wire wanted)
{
    shape = wanted;
    memset(ranks, 0, sizeof ranks);
    memset(queues, 0, sizeof queues);
    memset(&fake_counts, 0, sizeof fake_counts);
    ops = (struct link_ops){.send = wire_send, .poll = wire_poll};
    if (shape.lends) {
        ops.reserve = wire_reserve;
        ops.commit = wire_commit;
    }
    if (shape.get)
        ops.get = wire_get;
    if (shape.borrows)
        ops.lend = wire_lend;
    if (shape.places)
        ops.place = wire_place;
    for (int i = 0; i < FAKE_RANKS; i++) {
        for (int j = 0; j < FAKE_RANKS; j++)
            queues[i][j].room = FAKE_QUEUE;
        if (mpico_rank_init(&ranks[i], &mpico_machine, NULL, NULL))
            abort();
    }
}

void fake_run(void)
{
    for (int moved = 1; moved;) {
        moved = 0;
        for (int i = 0; i < FAKE_RANKS; i++)
            moved += mpico_progress(&ranks[i]);
    }
}

const struct type fake_bytes = {.magic = TYPE_MAGIC,
                                .predefined = 1,
                                .committed = 1,
                                .contiguous = 1,
                                .size = 1,
                                .extent = 1,
                                .true_extent = 1,
                                .elements = 1};
static const struct layout comb_layout = {.kind = LAYOUT_REPEAT, .size = 8, .count = 2, .stride = 8, .len = 4};
/* These types are walked; the code for it comes with looking one up, which nobody does here. */
const struct type *(*const fake_type_of)(uintptr_t) = mpico_type_of;

/* "Predefined": nobody counts who uses it. */
const struct type fake_comb = {.magic = TYPE_MAGIC,
                               .predefined = 1,
                               .committed = 1,
                               .size = 8,
                               .extent = 16,
                               .true_extent = 12,
                               .elements = 2,
                               .layout = &comb_layout};

void fake_send(struct request *q, int from, int to, int tag, const void *buf, size_t count, const struct type *type,
               int mode)
{
    struct rank *r = &ranks[from];
    memset(q, 0, sizeof *q);
    mpico_send_init(q, buf, count, type, to, tag, r->world, comm_context(r->world), (enum send_mode)mode);
    mpico_send_start(r, q);
}

void fake_recv(struct request *q, int at, int source, int tag, void *buf, size_t count, const struct type *type)
{
    struct rank *r = &ranks[at];
    memset(q, 0, sizeof *q);
    mpico_recv_init(q, buf, count, type, source, tag, r->world, comm_context(r->world));
    mpico_recv_start(r, q);
}

int fake_done(const struct request *q) { return (q->flags & REQUEST_DONE) != 0; }
