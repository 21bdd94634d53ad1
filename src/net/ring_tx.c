/* ring_tx.c: the outgoing wire: which frame is next, its head, its payload as far as it has arrived.
 *
 * Frames in transit go before own ones, but not twice in a row while an own one may go: so a node in the midst of
 * traffic still speaks, as long as that leaves it two free cells. (Behind a node that sends without a pause it does
 * not, and its own frames wait for the end of that.) An own frame may go when two transit cells are free (ring.h says
 * why); the token of a barrier, when no frame that came before it is still here (raw.c says why).
 */
#include "../cost.h"
#include "ring.h"

static struct cell *first(struct list *queue)
{
    return list_empty(queue) ? NULL : list_entry(queue->next, struct cell, node);
}

static int may_go(const struct ring *g, const struct cell *own, const struct cell *transit)
{
    return g->free_count - g->reserved >= 2 && !(own->head.kind == FRAME_TOKEN && transit);
}

static struct cell *choose(struct ring *g)
{
    struct cell *transit = first(&g->out_transit), *own = first(&g->out_own);
    if (own && !may_go(g, own, transit))
        own = NULL;
    struct cell *c = transit && !(own && g->own_turn) ? transit : own;
    g->own_turn = c && c == transit;
    return c;
}

static void stamp(struct ring *g, struct cell *c)
{
    struct frame *h = &c->head;
    if (g->wire->reliable || !(c->flags & CELL_OWN))
        return;
    h->check = 0;
    h->hops = 0;
    h->payload_check = h->length > g->inline_max ? mpico_frame_crc32(c->from, h->length) : 0;
    h->check = mpico_frame_crc16(h, g->discipline->head_bytes);
}

static size_t payload(const struct ring *g, const struct cell *c)
{
    return c->head.length > g->inline_max ? c->head.length : 0;
}

static void program(struct ring *g, const void *bytes, size_t len)
{
    g->tx_programmed++;
    cost(COST_DMA, 1);
    g->wire->ops->send(g->wire, bytes, len);
}

/* The payload, as far as it is here and has not been programmed. With a chain of DMA blocks the wire never waits for
 * the processor between two of them. */
static void fill(struct ring *g, struct cell *c)
{
    int depth = g->cut_through ? WIRE_SENDS : 1;
    size_t end = c->have < payload(g, c) ? c->have : payload(g, c);
    while (g->tx_programmed < depth && g->tx_ahead < end) {
        size_t len = end - g->tx_ahead;
        g->tx_block[g->tx_programmed - g->tx_head] = len;
        program(g, c->from + g->tx_ahead, len);
        g->tx_ahead += len;
    }
}

void mpico_ring_kick(struct ring *g)
{
    if (g->tx != TX_IDLE || mpico_raw_kick(g))
        return;
    struct cell *c = choose(g);
    if (!c)
        return;
    list_remove(&c->node);
    if (c->flags & CELL_OWN)
        g->reserved++;
    g->tx_cell = c;
    g->tx = TX_FRAME;
    g->tx_head = 1;
    g->tx_ahead = 0;
    stamp(g, c);
    program(g, &c->head, g->discipline->head_bytes);
    fill(g, c);
}

static void finish(struct ring *g, struct cell *c)
{
    g->tx = TX_IDLE;
    g->tx_cell = NULL;
    c->flags &= (uint8_t)~CELL_SENDING;
    if (c->flags & CELL_OWN) {
        g->reserved--;
        if (!g->discipline->left(g, c))
            mpico_ring_release(g, c);
        g->discipline->next(g);
        if (g->rx == RX_STALLED)
            mpico_ring_arm(g); /* the reserved cell is free for transit again */
    } else {
        mpico_ring_release(g, c);
    }
    mpico_ring_kick(g);
}

void mpico_ring_on_sent(struct wire *w)
{
    struct ring *g = w->owner;
    struct cell *c = g->tx_cell;
    cost(COST_INTERRUPT, 1);
    if (g->tx == TX_RAW) {
        mpico_raw_sent(g);
        return;
    }
    g->tx_programmed--;
    if (g->tx_head) {
        g->tx_head = 0;
    } else {
        c->sent += g->tx_block[0];
        g->tx_block[0] = g->tx_block[1];
    }
    if (c->sent < payload(g, c))
        fill(g, c);
    else
        finish(g, c);
}

void mpico_ring_more(struct ring *g, struct cell *c)
{
    if (g->tx == TX_FRAME && g->tx_cell == c)
        fill(g, c);
}
