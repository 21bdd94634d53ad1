/* ring_rx.c: the incoming wire: a head, what to do with it, the payload.
 *
 * The wire is armed for a head whenever nothing else is under way and there is a cell for the frame; without
 * one it stands still, and the neighbour keeps his. (To take the head and then wait for a cell would let the
 * neighbour free the cell of a frame without payload, and the bubble of ring.h would be counted twice.)
 */
#include <string.h>

#include "../cost.h"
#include "ring.h"

/* Arm the incoming wire for what comes next. */
void mpico_ring_arm(struct ring *g)
{
    if (mpico_raw_arm(g))
        return;
    if (!g->rx_cell) {
        if (g->free_count - g->reserved < 1) {
            g->rx = RX_STALLED;
            return;
        }
        g->rx_cell = list_entry(g->free_transit.next, struct cell, node);
        list_remove(&g->rx_cell->node);
        g->free_count--;
    }
    g->rx = RX_HEAD;
    cost(COST_DMA, 1);
    g->wire->ops->receive(g->wire, &g->rx_cell->head, g->discipline->head_bytes, 0);
    if (g->buffer_used && g->cut_through)
        cost(COST_BUFFER, 1); /* the next one is found while the head comes */
    g->buffer_used = 0;
}

static size_t on_wire(const struct ring *g, const struct frame *h) { return h->length > g->inline_max ? h->length : 0; }

/* ---- A damaged head: bytes are dropped until the mark of the next one ---- */

static int sound(const struct ring *g, struct frame *h)
{
    if (h->sync != FRAME_SYNC || h->kind == 0 || h->kind >= FRAME_KINDS || h->length > RING_PAYLOAD)
        return 0;
    if (g->wire->reliable)
        return 1;
    uint16_t check = h->check;
    uint8_t hops = h->hops;
    h->check = 0;
    h->hops = 0;
    int same = mpico_frame_crc16(h, g->discipline->head_bytes) == check;
    h->check = check;
    h->hops = hops;
    return same;
}

static void hunt(struct ring *g)
{
    uint8_t *head = (uint8_t *)&g->rx_cell->head;
    size_t len = g->discipline->head_bytes, at = 1;
    const uint16_t mark = FRAME_SYNC;
    g->damaged++;
    while (at < len && memcmp(head + at, &mark, len - at < 2 ? 1 : 2) != 0)
        at++;
    memmove(head, head + at, len - at);
    cost(COST_COPY, len);
    g->wire->ops->receive(g->wire, head + (len - at), at, 0);
}

/* ---- A frame ---- */

/* Where the payload of a piece of a stream goes: its final place, if core has told us. */
static uint8_t *placed(struct ring *g, const struct frame *h)
{
    const struct packet *p = &h->packet;
    if (p->kind != PACKET_DATA || !(p->flags & PACKET_STREAM))
        return NULL;
    for (int i = 0; i < RING_PLACES; i++) {
        struct place *x = &g->place[i];
        if (x->from >= x->to || x->stream != p->cookie || x->source != g->discipline->origin(h))
            continue;
        if (p->length < x->from || p->length > x->to || h->length > x->to - p->length)
            return NULL;
        x->from = (size_t)p->length + h->length;
        return x->base + p->length;
    }
    return NULL;
}

static void send_on(struct ring *g, struct cell *c)
{
    c->flags |= CELL_SENDING;
    cost(COST_ROUTE, 1);
    g->forwarded++;
    list_append(&g->out_transit, &c->node);
    mpico_ring_kick(g);
}

/* The payload is complete. */
static void complete(struct ring *g, struct cell *c)
{
    unsigned route = g->rx_route;
    c->flags |= CELL_ARRIVED;
    g->rx_cell = NULL;
    g->rx = RX_IDLE;
    if (route & ROUTE_MINE && g->discipline->take(g, c)) {
        c->flags |= CELL_MINE;
        list_append(&g->in, &c->in);
        g->wire->ops->wake(g->wire);
    }
    if (route & ROUTE_ON && !(c->flags & CELL_SENDING))
        send_on(g, c);
    mpico_ring_release(g, c);
    mpico_ring_arm(g);
}

static void receive_payload(struct ring *g, struct cell *c, size_t len)
{
    uint8_t *place =
        g->wire->reliable ? placed(g, &c->head) : NULL; /* asked for a frame to all too: its piece is over */
    uint8_t *final = g->rx_route == ROUTE_MINE ? place : NULL;
    int through = g->rx_route & ROUTE_ON && g->cut_through;
    if (final)
        c->into = final;
    else if (!g->cut_through)
        cost(COST_BUFFER, 1);
    g->buffer_used = !final;
    c->from = c->into;
    g->rx = RX_PAYLOAD;
    cost(COST_DMA, 1);
    g->wire->ops->receive(g->wire, c->into, len, through ? RING_CHUNK : 0);
    if (through)
        send_on(g, c);
}

static void head_done(struct ring *g, struct cell *c)
{
    struct frame *h = &c->head;
    if (!sound(g, h)) {
        hunt(g);
        return;
    }
    cost(COST_DECODE, 1);
    g->frames++;
    g->rx_route = h->hops < g->size ? g->discipline->route(g, h) : ROUTE_DROP;
    size_t payload = on_wire(g, h);
    if (g->rx_route == ROUTE_DONE || (g->rx_route == ROUTE_DROP && !payload)) {
        mpico_ring_arm(g);
        return;
    }
    h->hops++;
    c->flags = 0;
    c->have = c->sent = 0;
    c->from = c->into = c->room;
    if (payload)
        receive_payload(g, c, payload);
    else
        complete(g, c);
}

void mpico_ring_on_received(struct wire *w, size_t so_far)
{
    struct ring *g = w->owner;
    struct cell *c = g->rx_cell;
    cost(COST_INTERRUPT, 1);
    switch (g->rx) {
    case RX_HEAD:
        head_done(g, c);
        break;
    case RX_PAYLOAD:
        c->have = so_far;
        if (so_far == c->head.length)
            complete(g, c);
        mpico_ring_more(g, c);
        break;
    case RX_RAW:
        mpico_raw_received(g);
        break;
    default:
        break;
    }
}
