/* windowed.c: our discipline. No request before a message, several packets under way, short payloads in the head, long ones
 * forwarded while they arrive, one frame to all nodes. On wires that lose or damage bytes each pair of nodes has a
 * window of numbered frames, acknowledged by number in every frame that goes back, and sent again from the oldest
 * when no acknowledgement comes (go-back-N).
 */
#include <string.h>

#include "../core/rank.h"
#include "../cost.h"
#include "ring.h"

enum { WINDOW = 4, EAGER_BYTES = 16384, FIRST_BYTES = 512 };
enum { TIMEOUT_MIN_NS = 1000000, TIMEOUT_MAX_NS = 200000000 };

/* The two directions between this node and another. */
struct flow {
    struct list unacked;  /* own cells that have been queued, oldest first, through cell.in */
    uint16_t next, acked; /* numbers of frames sent: the next one, the oldest without acknowledgement */
    uint16_t expected;    /* number of the next frame to be accepted */
    uint8_t ack_due;
    /* Timeouts since a frame that was sent once was acknowledged. Of others nobody knows how long the answer took
     * (Karn's rule): a ring slower than the first timeout is learnt by waiting longer. */
    uint32_t tries;
};

static int lossy(const struct ring *g) { return g->flow != NULL; }

static uint64_t timeout_ns(const struct ring *g, const struct flow *f)
{
    uint64_t t = TIMEOUT_MIN_NS + 4 * g->round_trip_ns;
    for (uint32_t i = 0; i < f->tries && t < TIMEOUT_MAX_NS; i++)
        t *= 2;
    return t;
}

static int win_prepare(struct ring *g, struct frame *h, int dest)
{
    h->kind = dest < 0 ? FRAME_SPREAD : FRAME_PACKET;
    h->dest = (uint32_t)dest;
    h->source = (uint32_t)g->self;
    if (!lossy(g))
        return 0;
    struct flow *f = &g->flow[dest];
    if ((uint16_t)(f->next - f->acked) >= WINDOW || g->cells_kept >= RING_OWN_CELLS - 1)
        return MPICO_AGAIN; /* the last cell is for acknowledgements */
    h->sequence = f->next++;
    h->ack = f->expected;
    g->cells_kept++;
    return 0;
}

/* ---- Acknowledgements ---- */

static void set_alarm(struct ring *g)
{
    uint64_t at = UINT64_MAX;
    for (int i = 0; i < g->size; i++) {
        struct flow *f = &g->flow[i];
        if (list_empty(&f->unacked))
            continue;
        struct cell *c = list_entry(f->unacked.next, struct cell, in);
        uint64_t due = c->sent_ns + timeout_ns(g, f);
        if (due < at && !(c->flags & CELL_SENDING))
            at = due;
    }
    g->wire->ops->alarm(g->wire, at == UINT64_MAX ? 0 : at);
}

static void acknowledged(struct ring *g, struct flow *f, uint16_t ack)
{
    uint64_t now = g->wire->ops->now(g->wire);
    if ((uint16_t)(ack - f->acked) > (uint16_t)(f->next - f->acked))
        return; /* of the past */
    while (f->acked != ack && !list_empty(&f->unacked)) {
        struct cell *c = list_entry(f->unacked.next, struct cell, in);
        if (c->flags & CELL_SENDING)
            break; /* it is just going out again: the next acknowledgement will do */
        if (!(c->flags & CELL_RESENT)) {
            g->round_trip_ns = (7 * g->round_trip_ns + (now - c->sent_ns)) / 8;
            f->tries = 0;
        }
        list_remove(&c->in);
        f->acked++;
        g->cells_kept--;
        g->starved = 1;
        mpico_ring_release(g, c);
    }
    set_alarm(g);
}

static void win_next(struct ring *g)
{
    if (!lossy(g))
        return;
    for (int i = 0; i < g->size; i++) {
        struct flow *f = &g->flow[i];
        if (!f->ack_due || list_empty(&g->free_own))
            continue;
        struct cell *c = mpico_ring_cell(g);
        c->head = (struct frame){.sync = FRAME_SYNC,
                                 .kind = FRAME_ACK,
                                 .dest = (uint32_t)i,
                                 .source = (uint32_t)g->self,
                                 .ack = f->expected};
        f->ack_due = 0;
        cost(COST_HEADER, 1);
        mpico_ring_queue(g, c);
    }
}

/* ---- Frames ---- */

static unsigned win_route(struct ring *g, struct frame *h)
{
    int mine = h->dest == (uint32_t)g->self;
    if (h->source == (uint32_t)g->self || h->source >= (uint32_t)g->size)
        return ROUTE_DROP; /* nobody took it */
    if (h->kind == FRAME_SPREAD && !lossy(g))
        return h->source == (uint32_t)mpico_ring_right(g) ? ROUTE_MINE : ROUTE_MINE | ROUTE_ON;
    if (h->kind != FRAME_PACKET && h->kind != FRAME_ACK)
        return ROUTE_DROP; /* damage that the check sum did not see */
    if (!mine)
        return ROUTE_ON;
    if (lossy(g))
        acknowledged(g, &g->flow[h->source], h->ack);
    return h->kind == FRAME_ACK ? ROUTE_DONE : ROUTE_MINE;
}

static int intact(const struct ring *g, const struct cell *c)
{
    const struct frame *h = &c->head;
    return h->length <= g->inline_max || mpico_frame_crc32(c->into, h->length) == h->payload_check;
}

static int win_take(struct ring *g, struct cell *c)
{
    if (!lossy(g))
        return 1;
    struct flow *f = &g->flow[c->head.source];
    int ok = intact(g, c);
    g->damaged += !ok;
    int fresh = ok && c->head.sequence == f->expected;
    g->duplicates += ok && !fresh;
    f->expected = (uint16_t)(f->expected + fresh);
    f->ack_due |= (uint8_t)ok;
    win_next(g);
    return fresh;
}

static void win_taken(struct ring *g, const struct frame *h)
{
    (void)g;
    (void)h;
}

static int win_origin(const struct frame *h) { return (int)h->source; }

static int win_left(struct ring *g, struct cell *c)
{
    if (!lossy(g) || c->head.kind != FRAME_PACKET)
        return 0;
    struct flow *f = &g->flow[c->head.dest];
    c->sent_ns = g->wire->ops->now(g->wire);
    if (!(c->flags & CELL_ARRIVED)) /* the first time */
        list_append(&f->unacked, &c->in);
    c->flags |= CELL_ARRIVED;
    set_alarm(g);
    return 1;
}

/* ---- Resending ---- */

static void resend(struct ring *g, struct flow *f)
{
    f->tries++;
    for (struct list *n = f->unacked.next; n != &f->unacked; n = n->next) {
        struct cell *c = list_entry(n, struct cell, in);
        if (c->flags & CELL_SENDING)
            continue;
        g->resent++;
        c->flags |= CELL_RESENT;
        c->head.ack = f->expected;
        mpico_ring_queue(g, c);
    }
}

static void win_alarm(struct wire *w)
{
    struct ring *g = w->owner;
    cost(COST_INTERRUPT, 1);
    uint64_t now = g->wire->ops->now(g->wire);
    for (int i = 0; i < g->size; i++) {
        struct flow *f = &g->flow[i];
        if (list_empty(&f->unacked))
            continue;
        struct cell *c = list_entry(f->unacked.next, struct cell, in);
        if (!(c->flags & CELL_SENDING) && c->sent_ns + timeout_ns(g, f) <= now)
            resend(g, f);
    }
    set_alarm(g);
}

const struct discipline mpico_windowed = {
    .name = "windowed",
    .head_bytes = sizeof(struct frame),
    .prepare = win_prepare,
    .route = win_route,
    .next = win_next,
    .take = win_take,
    .taken = win_taken,
    .left = win_left,
    .origin = win_origin,
};

int mpico_windowed_start(struct ring *g)
{
    struct link *l = &g->link;
    g->cut_through = 1;
    l->mtu = RING_PAYLOAD;
    l->stream_first_bytes = FIRST_BYTES;
    l->eager_max_bytes = EAGER_BYTES;
    l->get_min_bytes = SIZE_MAX;
    l->broadcast = g->wire->reliable && g->size > 1;
    if (g->wire->reliable)
        return 0;
    g->flow = mpico_heap_alloc(&g->rank->heap, (size_t)g->size * sizeof *g->flow);
    if (!g->flow)
        return -1;
    memset(g->flow, 0, (size_t)g->size * sizeof *g->flow);
    for (int i = 0; i < g->size; i++)
        list_init(&g->flow[i].unacked);
    g->wire->on_alarm = win_alarm;
    g->round_trip_ns = TIMEOUT_MIN_NS / 4;
    return 0;
}
