/* stop_and_wait.c: the ring paper's discipline (section 3.1). A message is sent when its receiver has asked for it: the
 * request to send says that there is memory for it, and goes to all nodes whose message would do, one bit each. A
 * packet carries at most 2,048 bytes, the next one waits until it has left; nodes store it whole before they send it
 * on. Acknowledgements of synchronous sends, and what follows the first packet of a message, need no request.
 */
#include "../cost.h"
#include "ring.h"

enum { PAPER_PAYLOAD = 2048 };

static uint32_t bit(int node) { return (uint32_t)1 << node; }

static int asks_first(const struct packet *p) { return p->kind == PACKET_EAGER || p->kind == PACKET_RTS; }

static int saw_prepare(struct ring *g, struct frame *h, int dest)
{
    if (g->packets_out)
        return MPICO_AGAIN;
    if (asks_first(&h->packet) && !(g->credit & bit(dest)))
        return MPICO_AGAIN;
    if (asks_first(&h->packet))
        g->credit &= ~bit(dest);
    else if (h->packet.kind == PACKET_DATA)
        cost(COST_SEGMENT, 1);
    h->kind = FRAME_PACKET;
    h->dest = bit(dest);
    h->source = bit(g->self);
    h->sequence = g->sequence++;
    g->packets_out++;
    return 0;
}

/* One bit, of another node. */
static int known(const struct ring *g, uint32_t source)
{
    return source && !(source & (source - 1)) && (uint64_t)source < (uint64_t)1 << g->size && source != bit(g->self);
}

static unsigned saw_route(struct ring *g, struct frame *h)
{
    if (!known(g, h->source))
        return ROUTE_DROP;
    if (h->kind == FRAME_TOKEN) {
        mpico_raw_token(g, h);
        return ROUTE_DONE;
    }
    int mine = (h->dest & bit(g->self)) != 0;
    if (h->kind != FRAME_READY)
        return mine ? ROUTE_MINE : ROUTE_ON;
    if (mine) {
        g->credit |= h->source;
        h->dest &= ~bit(g->self);
        if (g->starved)
            g->wire->ops->wake(g->wire);
    }
    return h->dest ? ROUTE_ON : ROUTE_DONE;
}

/* Nodes whose message would do and that have not been asked. */
static uint32_t to_ask(const struct ring *g)
{
    uint32_t nodes = g->wanted_any ? (uint32_t)(((uint64_t)1 << g->size) - 1) : 0;
    for (int i = 0; i < g->size; i++)
        nodes |= g->wanted[i] ? bit(i) : 0;
    return nodes & ~g->granted & ~bit(g->self);
}

static void control(struct ring *g, struct frame h)
{
    struct cell *c = mpico_ring_cell(g);
    c->head = h;
    c->head.sync = FRAME_SYNC;
    c->head.source = bit(g->self);
    cost(COST_HEADER, 1);
    mpico_ring_queue(g, c);
}

static void saw_next(struct ring *g)
{
    struct frame h = {.kind = FRAME_READY};
    if (!list_empty(&g->free_own) && (h.dest = to_ask(g)) != 0) {
        g->granted |= h.dest;
        cost(COST_BUFFER, 1); /* the request says that there is memory: find it first */
        control(g, h);
    }
    h = (struct frame){.kind = FRAME_TOKEN};
    if (!list_empty(&g->free_own) && mpico_raw_token_due(g, &h))
        control(g, h);
}

void mpico_stop_and_wait_want(struct link *link, int source, int change)
{
    struct ring *g = (struct ring *)(void *)link;
    g->wire->ops->lock(g->wire);
    if (source < 0)
        g->wanted_any += (uint32_t)change;
    else
        g->wanted[source] += (uint32_t)change;
    if (change > 0)
        saw_next(g);
    g->wire->ops->unlock(g->wire);
}

static int saw_take(struct ring *g, struct cell *c)
{
    (void)g;
    (void)c;
    return 1;
}

static int saw_origin(const struct frame *h) { return __builtin_ctz(h->source); }

static void saw_taken(struct ring *g, const struct frame *h)
{
    if (asks_first(&h->packet))
        g->granted &= ~h->source;
    saw_next(g);
}

static int saw_left(struct ring *g, struct cell *c)
{
    if (c->head.kind == FRAME_PACKET)
        g->packets_out--;
    if (c->head.kind == FRAME_TOKEN)
        g->raw.token_out = 0;
    return 0;
}

const struct discipline mpico_stop_and_wait = {
    .name = "stop-and-wait",
    .head_bytes = FRAME_PLAIN,
    .prepare = saw_prepare,
    .route = saw_route,
    .next = saw_next,
    .take = saw_take,
    .taken = saw_taken,
    .left = saw_left,
    .origin = saw_origin,
};

int mpico_stop_and_wait_start(struct ring *g)
{
    g->link.mtu = PAPER_PAYLOAD;
    g->link.eager_max_bytes = SIZE_MAX; /* the request to send has found memory for any length */
    g->link.get_min_bytes = SIZE_MAX;
    return 0;
}
