/* link.c: packets over a network that delivers them by itself: mesh, crossbar, loggp. The node's interface takes packets one
 * after another and keeps a few; the processor pays o (COST_SEND, COST_RECV) for each.
 */
#include <stdlib.h>
#include <string.h>

#include "parcel.h"

enum { PACKET_MAX = 65536, EAGER_DEFAULT = 8192 };

static int is_direct(void) { return sim.machine.delivery == DELIVERY_DIRECT; }

void sim_parcel_append(struct node *n, struct parcel *p)
{
    p->next = NULL;
    *n->parcels.last = p;
    n->parcels.last = &p->next;
    sim_wake(n);
}

static void left(struct engine *e, struct transfer *t)
{
    struct node *n = &sim.node[t->from];
    (void)e;
    n->parcels.under_way--;
    if (is_direct())
        sim_system_left(n, t->owner);
    if (n->parcels.starved) {
        n->parcels.starved = 0;
        sim_wake(n);
    }
}

static void arrived(struct engine *e, struct transfer *t)
{
    (void)e;
    if (is_direct())
        sim_system_arrived(&sim.node[t->to], t->owner);
    sim_parcel_append(&sim.node[t->to], t->owner);
}

/* Of the program's messages only; a piece says how much of its message is before it. Pages are of the same size, and memory at the
 * same place within them, in every run. */
static int is_unaligned(const struct packet *p, const void *payload, size_t len)
{
    uintptr_t at = (uintptr_t)payload - (p->kind == PACKET_DATA ? p->length : 0);
    return payload && len && (p->kind == PACKET_EAGER || p->kind == PACKET_DATA) && at % PARCEL_PAGE_BYTES;
}

struct parcel *sim_parcel_make(struct node *n, int dest, const struct packet *packet, const void *payload, size_t len)
{
    struct parcel *p = calloc(1, sizeof *p + len);
    if (!p)
        mpico_machine.halt(n->fiber->state, 1, "the host has no memory for a packet of the simulated machine");
    p->packet = *packet;
    p->unaligned = is_unaligned(packet, payload, len);
    p->len = len;
    if (payload)
        memcpy(p->payload, payload, len);
    if (dest != n->id)
        p->transfer = (struct transfer){
            .from = n->id, .to = dest, .bytes = PARCEL_HEAD_BYTES + len, .sent = left, .arrived = arrived, .owner = p};
    return p;
}

void sim_parcel_launch(struct node *n, struct parcel *p)
{
    n->parcels.under_way++;
    network_send(sim.network, &p->transfer);
}

static int parcels_send(struct link *l, int dest, const struct packet *packet, const void *payload, size_t len)
{
    struct node *n = parcel_node(l);
    sim_sync(n);
    if (n->parcels.under_way >= PARCEL_QUEUE && dest != n->id) {
        n->parcels.starved = 1;
        return MPICO_AGAIN;
    }
    struct parcel *p = sim_parcel_make(n, dest, packet, payload, len);
    mpico_cost(COST_SEND, 1);
    if (dest == n->id) {
        mpico_cost(COST_COPY, len);
        sim_parcel_append(n, p);
        return 0;
    }
    sim_sync(n);
    sim_parcel_launch(n, p);
    return 0;
}

/* The same in two steps, between which the caller fills the parcel. */
static void *parcels_reserve(struct link *l, int dest, const struct packet *packet, size_t len)
{
    struct node *n = parcel_node(l);
    sim_sync(n);
    if (n->parcels.under_way >= PARCEL_QUEUE && dest != n->id) {
        n->parcels.starved = 1;
        return NULL;
    }
    n->parcels.filling = sim_parcel_make(n, dest, packet, NULL, len);
    return n->parcels.filling->payload;
}

static void parcels_commit(struct link *l, int dest, const struct packet *packet, size_t len)
{
    struct node *n = parcel_node(l);
    (void)packet;
    (void)len;
    mpico_cost(COST_SEND, 1);
    if (dest == n->id) {
        sim_parcel_append(n, n->parcels.filling);
        return;
    }
    sim_sync(n);
    sim_parcel_launch(n, n->parcels.filling);
}

int sim_parcels_deliver(struct node *n, int budget, int (*deliver)(struct node *, int from, const struct parcel *))
{
    int count = 0;
    while (count < budget && n->parcels.first) {
        struct parcel *p = n->parcels.first;
        int from = p->transfer.owner ? p->transfer.from : n->id;
        mpico_cost(COST_RECV, 1);
        if (deliver(n, from, p) == MPICO_AGAIN)
            break;
        n->parcels.first = p->next;
        if (!p->next)
            n->parcels.last = &n->parcels.first;
        free(p);
        count++;
    }
    return count;
}

static int deliver(struct node *n, int from, const struct parcel *p)
{
    return mpico_arrive(n->fiber->state, from, &p->packet, p->payload, p->len);
}

static int parcels_poll(struct link *l, int from, int budget)
{
    struct node *n = parcel_node(l);
    (void)from;
    sim_sync(n);
    return sim_parcels_deliver(n, budget, deliver);
}

static const struct link_ops ops = {
    .send = parcels_send, .reserve = parcels_reserve, .commit = parcels_commit, .poll = parcels_poll};

void sim_parcels_init(struct node *n, struct rank *r)
{
    struct parcels *x = &n->parcels;
    x->last = &x->first;
    x->link =
        (struct link){.ops = &ops,
                      .mtu = PACKET_MAX,
                      .eager_max_bytes = sim.machine.eager_bytes ? (size_t)sim.machine.eager_bytes : EAGER_DEFAULT,
                      .get_min_bytes = SIZE_MAX};
    if (is_direct())
        sim_system_link(&x->link);
    mpico_rank_attach(r, &x->link, 0, r->world_size - 1);
}
