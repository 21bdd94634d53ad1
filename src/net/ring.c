/* ring.c: the ring as a link: sending, polling, and the cells. */
#include "ring.h"

#include <string.h>

#include "../core/rank.h"
#include "../cost.h"

static struct ring *ring_of(struct link *link) { return (struct ring *)(void *)link; }
static void lock(struct ring *g) { g->wire->ops->lock(g->wire); }
static void unlock(struct ring *g) { g->wire->ops->unlock(g->wire); }

int mpico_ring_right(const struct ring *g) { return g->self + 1 < g->size ? g->self + 1 : 0; }

/* ---- Cells ---- */

struct cell *mpico_ring_cell(struct ring *g)
{
    if (list_empty(&g->free_own))
        return NULL;
    struct cell *c = list_entry(g->free_own.next, struct cell, node);
    list_remove(&c->node);
    c->flags = CELL_OWN;
    c->have = c->sent = 0;
    c->into = c->room;
    c->from = c->room;
    c->token = NULL;
    return c;
}

/* Nobody uses it any more: sending, waiting for the rank and arriving are over. */
void mpico_ring_release(struct ring *g, struct cell *c)
{
    if (c->flags & CELL_OWN) {
        if (c->flags & CELL_LENT)
            list_append(&g->returned, &c->node);
        else
            list_append(&g->free_own, &c->node);
        if (c->flags & CELL_LENT || g->starved)
            g->wire->ops->wake(g->wire);
        g->starved = 0;
        return;
    }
    if (c->flags & (CELL_SENDING | CELL_MINE) || !(c->flags & CELL_ARRIVED))
        return;
    list_append(g->free_transit.next, &c->node); /* the next to be used: so a quiet node touches the memory of few */
    g->free_count++;
    if (g->rx == RX_STALLED)
        mpico_ring_arm(g);
    mpico_ring_kick(g);
}

/* ---- Sending ---- */

void mpico_ring_queue(struct ring *g, struct cell *c)
{
    c->flags |= CELL_SENDING;
    c->sent = 0;
    c->have = c->head.length;
    list_append(&g->out_own, &c->node);
    mpico_ring_kick(g);
}

static void copy(void *to, const void *from, size_t len)
{
    memcpy(to, from, len);
    if (!mpico_cost_dma_copy(len))
        cost(COST_COPY, len);
}

static void fill(struct ring *g, struct cell *c, const void *payload, size_t len, void *token)
{
    cost(COST_HEADER, 1);
    if (len == 0)
        return;
    if (len <= g->inline_max) {
        memcpy(c->head.inlined, payload, len);
        cost(COST_COPY, len);
    } else if (token) {
        c->from = payload;
        c->token = token;
        c->flags |= CELL_LENT;
    } else {
        copy(c->room, payload, len);
        mpico_cost_settle();
    }
}

/* A cell for a frame that may be sent now; NULL: there is none, or the discipline says no. */
static struct cell *claim(struct ring *g, int dest, const struct packet *p, size_t len)
{
    struct cell *c = mpico_ring_cell(g);
    if (!c)
        return NULL;
    c->head = (struct frame){.sync = FRAME_SYNC, .length = (uint16_t)len, .packet = *p};
    if (dest == g->self || g->discipline->prepare(g, &c->head, dest) == 0)
        return c;
    list_append(&g->free_own, &c->node);
    return NULL;
}

static struct cell *begin(struct ring *g, int dest, const struct packet *p, size_t len)
{
    lock(g);
    struct cell *c = claim(g, dest, p, len);
    g->starved |= !c;
    unlock(g);
    return c;
}

/* To this rank itself: it never sees the wire. */
static void end_self(struct ring *g, struct cell *c)
{
    c->head.kind = FRAME_KINDS; /* of no wire */
    c->flags |= CELL_MINE | CELL_ARRIVED;
    lock(g);
    list_append(&g->in, &c->in);
    unlock(g);
}

static void end_sent(struct ring *g, struct cell *c)
{
    lock(g);
    mpico_ring_queue(g, c);
    unlock(g);
}

/* The cell is filled with interrupts on, and queued when that is done: no interrupt sends what is not here yet. */
static int ring_lend(struct link *link, int dest, const struct packet *p, const void *payload, size_t len, void *token)
{
    struct ring *g = ring_of(link);
    struct cell *c = begin(g, dest, p, len);
    if (!c)
        return MPICO_AGAIN;
    if (dest == g->self) {
        copy(c->room, payload, len);
        end_self(g, c);
        return 0;
    }
    fill(g, c, payload, len, token);
    int lent = c->flags & CELL_LENT; /* it may be gone when it has been queued */
    end_sent(g, c);
    return lent ? MPICO_LENT : 0;
}

static int ring_send(struct link *link, int dest, const struct packet *p, const void *payload, size_t len)
{
    return ring_lend(link, dest, p, payload, len, NULL);
}

static void *ring_reserve(struct link *link, int dest, const struct packet *p, size_t len)
{
    struct ring *g = ring_of(link);
    struct cell *c = g->filling = begin(g, dest, p, len);
    if (!c)
        return NULL;
    return len <= g->inline_max && dest != g->self ? c->head.inlined : c->room;
}

static void ring_commit(struct link *link, int dest, const struct packet *p, size_t len)
{
    struct ring *g = ring_of(link);
    (void)p;
    (void)len;
    if (dest == g->self) {
        end_self(g, g->filling);
        return;
    }
    cost(COST_HEADER, 1);
    end_sent(g, g->filling);
}

/* ---- Receiving ---- */

/* An own cell is free again: perhaps something waits for one. */
static void own_free(struct ring *g, struct cell *c)
{
    list_append(&g->free_own, &c->node);
    g->discipline->next(g);
}

/* Loans whose memory is free again. */
static int give_back(struct ring *g)
{
    int n = 0;
    while (!list_empty(&g->returned)) {
        struct cell *c = list_entry(g->returned.next, struct cell, node);
        void *token = c->token;
        list_remove(&c->node);
        own_free(g, c);
        unlock(g);
        mpico_returned(g->rank, token);
        lock(g);
        n++;
    }
    return n;
}

/* One frame to core: 0 taken. */
static int deliver(struct ring *g, struct cell *c)
{
    const struct frame *h = &c->head;
    int self = h->kind == FRAME_KINDS;
    if (!self && h->length > g->inline_max && c->into == c->room)
        cost(COST_JOIN, 1);
    const uint8_t *payload = !self && h->length <= g->inline_max ? h->inlined : c->into;
    int e = mpico_arrive(g->rank, self ? g->self : g->discipline->origin(h), &h->packet, payload, h->length);
    g->damaged += e < 0;
    return e == MPICO_AGAIN ? MPICO_AGAIN : 0;
}

static void taken(struct ring *g, struct cell *c)
{
    list_remove(&c->in);
    c->flags &= (uint8_t)~CELL_MINE;
    if (c->head.kind == FRAME_KINDS) {
        own_free(g, c);
        return;
    }
    g->discipline->taken(g, &c->head);
    mpico_ring_release(g, c);
}

static int ring_poll(struct link *link, int from, int budget)
{
    struct ring *g = ring_of(link);
    int n = 0;
    (void)from;
    lock(g);
    n += give_back(g);
    while (n < budget && !list_empty(&g->in)) {
        struct cell *c = list_entry(g->in.next, struct cell, in);
        unlock(g);
        int e = deliver(g, c);
        lock(g);
        if (e)
            break;
        taken(g, c);
        n++;
    }
    unlock(g);
    return n;
}

/* Without room for it the oldest is forgotten: its pieces go through cells. */
static void ring_place(struct link *link, int source, uint64_t stream, void *base, size_t from, size_t to)
{
    struct ring *g = ring_of(link);
    struct place *free = &g->place[g->oldest_place];
    lock(g);
    for (int i = 0; i < RING_PLACES; i++) {
        struct place *p = &g->place[i];
        if (p->stream == stream && p->source == source)
            p->from = p->to = 0;
        if (p->from >= p->to)
            free = p;
    }
    if (free == &g->place[g->oldest_place])
        g->oldest_place = (g->oldest_place + 1) % RING_PLACES;
    if (from < to)
        *free = (struct place){.stream = stream, .source = source, .from = from, .to = to, .base = base};
    unlock(g);
}

/* ---- Start ---- */

static const struct link_ops windowed_ops = {.send = ring_send,
                                             .lend = ring_lend,
                                             .reserve = ring_reserve,
                                             .commit = ring_commit,
                                             .poll = ring_poll,
                                             .place = ring_place};
static const struct link_ops stop_and_wait_ops = {.send = ring_send,
                                                  .lend = ring_lend,
                                                  .reserve = ring_reserve,
                                                  .commit = ring_commit,
                                                  .poll = ring_poll,
                                                  .want = mpico_stop_and_wait_want,
                                                  .direct = mpico_raw_start,
                                                  .direct_state = mpico_raw_state};

const char *mpico_ring_refuse(const char *discipline, int size, int reliable)
{
    if (strcmp(discipline, mpico_windowed.name) == 0)
        return NULL;
    if (strcmp(discipline, mpico_stop_and_wait.name) != 0)
        return "no such discipline: it is windowed or stop-and-wait";
    if (size > RING_MASK_NODES)
        return "it names nodes by the bits of a 32-bit word: at most 32; use windowed";
    if (!reliable)
        return "it has no check sums and needs reliable wires; use windowed";
    return NULL;
}

static int cells_start(struct ring *g)
{
    int cells = RING_TRANSIT_CELLS + RING_OWN_CELLS;
    /* Where addresses have 16 bits there is no room for it. */
    size_t bytes;
    uint8_t *room =
        __builtin_mul_overflow(cells, (size_t)RING_PAYLOAD, &bytes) ? NULL : mpico_heap_alloc(&g->rank->heap, bytes);
    if (!room)
        return -1;
    list_init(&g->free_transit);
    list_init(&g->free_own);
    for (int i = 0; i < cells; i++) {
        struct cell *c = i < RING_TRANSIT_CELLS ? &g->transit[i] : &g->own[i - RING_TRANSIT_CELLS];
        c->room = room + (size_t)i * RING_PAYLOAD;
        list_append(i < RING_TRANSIT_CELLS ? &g->free_transit : &g->free_own, &c->node);
    }
    g->free_count = RING_TRANSIT_CELLS;
    list_init(&g->out_transit);
    list_init(&g->out_own);
    list_init(&g->in);
    list_init(&g->returned);
    return 0;
}

int mpico_ring_start(struct ring *g, struct rank *r, int self, int size, struct wire *wire, const char *discipline,
                     const char **why)
{
    memset(g, 0, sizeof *g);
    g->rank = r;
    g->self = self;
    g->size = size;
    g->wire = wire;
    int windowed = strcmp(discipline, mpico_windowed.name) == 0;
    g->discipline = windowed ? &mpico_windowed : &mpico_stop_and_wait;
    g->link.ops = windowed ? &windowed_ops : &stop_and_wait_ops;
    g->inline_max = g->discipline->head_bytes - FRAME_PLAIN;
    *why = mpico_ring_refuse(discipline, size, wire->reliable);
    if (*why)
        return -1;
    *why = "no memory for the packets of the ring";
    if (cells_start(g) || (windowed ? mpico_windowed_start(g) : mpico_stop_and_wait_start(g)))
        return -1;
    wire->owner = g;
    wire->on_sent = mpico_ring_on_sent;
    wire->on_received = mpico_ring_on_received;
    if (size > 1)
        mpico_ring_arm(g);
    return 0;
}
