/* link.c: packets over a network that delivers them by itself: mesh, crossbar, loggp. The node's interface takes packets one
 * after another and keeps a few; the processor pays o (COST_SEND, COST_RECV) for each.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { PACKET_MAX = 65536, EAGER_DEFAULT = 8192, QUEUE = 64, HEAD_BYTES = sizeof(struct packet) };

struct parcel {
    struct transfer transfer;
    struct parcel *next;
    struct packet packet;
    size_t len;
    char payload[];
};

static struct node *node_of(const struct link *l)
{
    return (struct node *)(void *)((char *)(uintptr_t)l - offsetof(struct node, parcels.link));
}

static void append(struct node *n, struct parcel *p)
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
    if (n->parcels.starved) {
        n->parcels.starved = 0;
        sim_wake(n);
    }
}

static void arrived(struct engine *e, struct transfer *t)
{
    (void)e;
    append(&sim.node[t->to], t->owner);
}

static int parcels_send(struct link *l, int dest, const struct packet *packet, const void *payload, size_t len)
{
    struct node *n = node_of(l);
    sim_sync(n);
    if (n->parcels.under_way >= QUEUE && dest != n->id) {
        n->parcels.starved = 1;
        return MPICO_AGAIN;
    }
    struct parcel *p = calloc(1, sizeof *p + len);
    if (!p)
        mpico_machine.halt(n->fiber->state, 1, "the host has no memory for a packet of the simulated machine");
    p->packet = *packet;
    p->len = len;
    if (len)
        memcpy(p->payload, payload, len);
    mpico_cost(COST_SEND, 1);
    if (dest == n->id) {
        mpico_cost(COST_COPY, len);
        append(n, p);
        return 0;
    }
    sim_sync(n);
    p->transfer = (struct transfer){
        .from = n->id, .to = dest, .bytes = HEAD_BYTES + len, .sent = left, .arrived = arrived, .owner = p};
    n->parcels.under_way++;
    network_send(sim.network, &p->transfer);
    return 0;
}

static int parcels_poll(struct link *l, int from, int budget)
{
    struct node *n = node_of(l);
    int count = 0;
    (void)from;
    sim_sync(n);
    while (count < budget && n->parcels.first) {
        struct parcel *p = n->parcels.first;
        int origin = p->transfer.owner ? p->transfer.from : n->id;
        mpico_cost(COST_RECV, 1);
        if (mpico_arrive(n->fiber->state, origin, &p->packet, p->payload, p->len) == MPICO_AGAIN)
            break;
        n->parcels.first = p->next;
        if (!p->next)
            n->parcels.last = &n->parcels.first;
        free(p);
        count++;
    }
    return count;
}

static const struct link_ops ops = {.send = parcels_send, .poll = parcels_poll};

void sim_parcels_init(struct node *n, struct rank *r)
{
    struct parcels *x = &n->parcels;
    const struct loggp_description *m = &sim.machine.loggp;
    x->last = &x->first;
    x->link =
        (struct link){.ops = &ops,
                      .mtu = PACKET_MAX,
                      .eager_max_bytes = sim.machine.eager_bytes ? (size_t)sim.machine.eager_bytes : EAGER_DEFAULT,
                      .get_min_bytes = SIZE_MAX,
                      .reliable = 1,
                      .ordered = 1,
                      .latency_ns = (uint32_t)m->latency_ns,
                      .gap_ns = (uint32_t)m->gap_ns,
                      .gap_ps_per_byte = (uint32_t)(m->gap_ns_per_byte * 1000)};
    mpico_rank_attach(r, &x->link, 0, r->world_size - 1);
}
