/* loggp.c: a network of two numbers a message and one a byte, without a topology. After Alexandrov, Ionescu, Schauser
 * and Scheiman, "LogGP: incorporating long messages into the LogP model", SPAA 1995. The processor's o is charged
 * elsewhere.
 *
 * A message of k bytes keeps the sender's interface busy for B = max(g, k G) from s, when it is free; the first byte
 * reaches the other side at s + L. The receiver's interface takes messages in that order, one at a time, for B each:
 *     s = max(send, sender free),     r = max(s + L, receiver free),    arrived = r + k G,
 *     sender free = sent = s + B,     receiver free = r + B.
 * (The paper counts (k - 1) G; k G lets an empty message differ from one byte.) Where g is longer than the whole way,
 * `sent` is called early, just before `arrived`: the next message waits for s + B all the same.
 *
 * Invariant: a transfer's event is queued from send to arrival: for s + L, then for its arrival. Messages that reach
 * a receiver in the same instant are taken in the order they were sent. A sender's list holds, in order, the
 * transfers whose `sent` has not been called; its event is queued for the first of them.
 */
#include "network_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct sender {
    struct event event; /* first: an event is cast to this */
    sim_time free;
    struct transfer *first, *last;
};

struct loggp {
    struct network network; /* first: a network is cast to this */
    sim_time latency, gap;
    double ps_per_byte;
    struct sender *sender;
    sim_time *receiver_free;
};

enum { SENT_AT, NETWORK }; /* of transfer.state */

static sim_time bytes_time(const struct loggp *n, size_t bytes)
{
    return (sim_time)llround((double)bytes * n->ps_per_byte);
}

static sim_time busy_time(const struct loggp *n, size_t bytes)
{
    sim_time t = bytes_time(n, bytes);
    return t > n->gap ? t : n->gap;
}

static sim_time later(sim_time a, sim_time b) { return a > b ? a : b; }

static void loggp_free(struct network *network)
{
    struct loggp *n = (struct loggp *)network;
    for (int i = 0; n->sender && i < network->nodes; i++)
        engine_cancel(network->engine, &n->sender[i].event);
    free(n->sender);
    free(n->receiver_free);
    free(n);
}

static struct network *loggp_alloc(struct engine *e, const struct description *d, int nodes, char *why, size_t room)
{
    (void)e;
    const struct loggp_description *l = &d->loggp;
    if (!(l->latency_ns >= 0 && l->gap_ns >= 0 && l->gap_ns_per_byte >= 0)) {
        snprintf(why, room, "latency and gaps of a LogGP network cannot be negative");
        return NULL;
    }
    struct loggp *n = calloc(1, sizeof *n);
    if (n) {
        n->latency = (sim_time)llround(l->latency_ns * SIM_NS);
        n->gap = (sim_time)llround(l->gap_ns * SIM_NS);
        n->ps_per_byte = l->gap_ns_per_byte * SIM_NS;
        n->sender = calloc((size_t)nodes, sizeof *n->sender);
        n->receiver_free = calloc((size_t)nodes, sizeof *n->receiver_free);
        if (n->sender && n->receiver_free)
            return &n->network;
        loggp_free(&n->network);
    }
    snprintf(why, room, "no memory for %d nodes", nodes);
    return NULL;
}

static int link_out(int node) { return 2 * node; }
static int link_in(int node) { return 2 * node + 1; }

static struct transfer *transfer_of(struct event *ev)
{
    return (struct transfer *)((char *)ev - offsetof(struct transfer, event));
}

static struct loggp *network_of(const struct transfer *t) { return (struct loggp *)(uintptr_t)t->state[NETWORK]; }

/* The first in the list is sent; the event is for the next one. */
static void first_is_sent(struct engine *e, struct sender *s)
{
    struct transfer *t = s->first;
    s->first = t->next;
    t->state[SENT_AT] = SIM_NEVER;
    if (s->first)
        engine_schedule(e, &s->event, s->first->state[SENT_AT]);
    else
        engine_cancel(e, &s->event);
    if (t->sent)
        t->sent(e, t);
}

static void sender_due(struct engine *e, struct event *ev) { first_is_sent(e, (struct sender *)ev); }

static void arrives(struct engine *e, struct event *ev)
{
    struct transfer *t = transfer_of(ev);
    struct sender *s = &network_of(t)->sender[t->from];
    while (t->state[SENT_AT] != SIM_NEVER) /* those before it are due in this instant */
        first_is_sent(e, s);
    t->arrived(e, t);
}

static void reaches_receiver(struct engine *e, struct event *ev)
{
    struct transfer *t = transfer_of(ev);
    struct loggp *n = network_of(t);
    sim_time from = later(e->now, n->receiver_free[t->to]);
    n->receiver_free[t->to] = from + busy_time(n, t->bytes);
    network_busy(&n->network, link_in(t->to), from, n->receiver_free[t->to], t);
    ev->run = arrives;
    engine_schedule(e, ev, from + bytes_time(n, t->bytes));
}

static void list_append(struct engine *e, struct sender *s, struct transfer *t)
{
    t->next = NULL;
    if (s->first) {
        s->last->next = t;
    } else {
        s->first = t;
        s->event.run = sender_due;
        engine_schedule(e, &s->event, t->state[SENT_AT]);
    }
    s->last = t;
}

static void loggp_send(struct network *network, struct transfer *t)
{
    struct loggp *n = (struct loggp *)network;
    struct engine *e = network->engine;
    struct sender *s = &n->sender[t->from];
    sim_time from = later(e->now, s->free);
    s->free = from + busy_time(n, t->bytes);
    t->state[SENT_AT] = s->free;
    t->state[NETWORK] = (uintptr_t)n;
    t->event.run = reaches_receiver;
    network_busy(network, link_out(t->from), from, s->free, t);
    list_append(e, s, t);
    engine_schedule(e, &t->event, from + n->latency);
}

static int loggp_links(const struct network *n) { return 2 * n->nodes; }

static void loggp_link_name(const struct network *n, int link, char *text, size_t room)
{
    (void)n;
    snprintf(text, room, link % 2 ? ">%d" : "%d>", link / 2);
}

const struct network_ops network_loggp_ops = {
    .alloc = loggp_alloc,
    .free = loggp_free,
    .send = loggp_send,
    .links = loggp_links,
    .link_name = loggp_link_name,
};
