/* crossbar.c: crossbars that switch circuits in fixed cycles, and groups of them joined as a hypercube. After Somani
 * and Sansano, "Minimizing Overhead in Parallel Algorithms Through Overlapping Communication/Computation" (the Proteus
 * machine): section 3.2, communication cycle and request arbitration, and section 5, groups and e-cube routing.
 *
 * The rules. A node's interface makes one new request a cycle, at the edge of the clock after the message is sent.
 * arbiter_cycles later it competes for circuits, unless an earlier message of its pair does: then when that has moved.
 * A circuit takes the input of the sender, the output of the receiver, and between groups one link a dimension in which
 * they differ, lowest first, all in the same cycle, and moves cycle_words words in it. What is longer asks again for
 * the next cycle. The arbiter serves first what has competed longest, and passes over what conflicts with a circuit it
 * has granted; those that begin to compete in the same cycle take turns by node, and the first node in turn moves on by
 * one a cycle. So nothing is passed over for ever: only what has competed longer is served before it.
 *
 * A message alone of p = ceil(bytes / (cycle_words word_bytes)) pieces, at least one, over h links between groups:
 *     sent at the end of cycle        c + arbiter_cycles + p - 1, where c is the first to begin at `now` or later,
 *     arrived                         h hop_cycles later.
 *
 * Invariant: the pool holds the requests that competed and lost, oldest first; `asks` of a node those that compete in
 * the next decision, and `asking` has its bit. While either holds something, `edge` or `decide` is queued. Whatever
 * reaches the arbiter at an edge was queued before that instant, so it stands before `decide`: one decision an edge,
 * and the order of the events of an instant does not matter. Nothing competes beside an earlier message of its pair.
 */
#include "network_kind.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES_MAX = 1 << 20, DIMENSIONS_MAX = 16 };

/* Of transfer.state. Pointers as numbers. */
enum { NETWORK, PIECES, REQUEST, NEXT_PAIR, BEHIND, CYCLE };

struct queue {
    struct transfer *first, *last; /* by `next` */
};

struct node {
    struct queue asks;
    struct transfer *pairs; /* the oldest message to each destination, by NEXT_PAIR; others wait BEHIND theirs */
    uint64_t request;       /* the cycle of its next new request at the earliest */
};

struct crossbar {
    struct network network;    /* first: a network is cast to this */
    struct event edge, decide; /* the decision runs after all else that was due at its edge */
    struct clock clock;
    int nodes, dimensions;
    struct crossbar_description d;
    size_t piece_bytes;
    struct node *node;
    uint64_t *asking; /* a bit a node */
    struct queue pool;
    uint64_t *taken; /* of each channel: the cycle of its last circuit, plus one */
    int links;
};

/* ---- Channels: the inputs of the nodes, their outputs, the links between groups ---- */

static int input_of(int node) { return node; }
static int output_of(const struct crossbar *x, int node) { return x->nodes + node; }
static int link_of(const struct crossbar *x, int group, int dimension)
{
    return 2 * x->nodes + group * x->dimensions + dimension;
}

enum { ROUTE_MAX = DIMENSIONS_MAX + 2 };

/* The channels of a circuit, by e-cube routing; how many. */
static int route(const struct crossbar *x, const struct transfer *t, int channel[ROUTE_MAX])
{
    int count = 0, group = t->from / x->d.ports, to = t->to / x->d.ports;
    channel[count++] = input_of(t->from);
    for (int dimension = 0; dimension < x->dimensions; dimension++)
        if ((group ^ to) >> dimension & 1) {
            channel[count++] = link_of(x, group, dimension);
            group ^= 1 << dimension;
        }
    channel[count++] = output_of(x, t->to);
    return count;
}

/* ---- Queues ---- */

static void append(struct queue *q, struct transfer *t)
{
    t->next = NULL;
    if (q->first)
        q->last->next = t;
    else
        q->first = t;
    q->last = t;
}

static struct transfer *pointer(const struct transfer *t, int what)
{
    return (struct transfer *)(uintptr_t)t->state[what];
}

static struct crossbar *network_of(const struct transfer *t) { return (struct crossbar *)(uintptr_t)t->state[NETWORK]; }

static struct transfer *transfer_of(struct event *ev)
{
    return (struct transfer *)((char *)ev - offsetof(struct transfer, event));
}

static void ask(struct crossbar *x, struct transfer *t)
{
    append(&x->node[t->from].asks, t);
    x->asking[t->from / 64] |= (uint64_t)1 << t->from % 64;
}

/* Its request has reached the arbiter. */
static void request_arrives(struct engine *e, struct event *ev)
{
    struct transfer *t = transfer_of(ev);
    struct crossbar *x = network_of(t);
    ask(x, t);
    engine_schedule(e, &x->decide, e->now);
}

static void edge(struct engine *e, struct event *ev)
{
    struct crossbar *x = (struct crossbar *)((char *)ev - offsetof(struct crossbar, edge));
    engine_schedule(e, &x->decide, e->now);
}

/* The first of its pair: it competes when the arbiter has had its time, and not before `cycle`. */
static void enter(struct crossbar *x, struct transfer *t, uint64_t cycle)
{
    uint64_t from = t->state[REQUEST] + (uint64_t)x->d.arbiter_cycles;
    t->event.run = request_arrives;
    engine_schedule(x->network.engine, &t->event, clock_time(x->clock, from > cycle ? from : cycle));
}

/* ---- Pairs ---- */

static struct transfer *pair_of(const struct node *n, int to)
{
    struct transfer *t = n->pairs;
    while (t && t->to != to)
        t = pointer(t, NEXT_PAIR);
    return t;
}

/* All pieces have had their circuits: the next message of the pair takes its place in the list, if there is one. */
static struct transfer *pair_leave(struct node *n, struct transfer *t)
{
    struct transfer *behind = pointer(t, BEHIND), *before = NULL;
    uint64_t rest = t->state[NEXT_PAIR], next = rest;
    for (struct transfer *u = n->pairs; u != t; u = pointer(u, NEXT_PAIR))
        before = u;
    if (behind) {
        behind->state[NEXT_PAIR] = rest;
        next = (uintptr_t)behind;
    }
    if (before)
        before->state[NEXT_PAIR] = next;
    else
        n->pairs = (struct transfer *)(uintptr_t)next;
    return behind;
}

/* ---- Circuits ---- */

static void arrives(struct engine *e, struct event *ev)
{
    struct transfer *t = transfer_of(ev);
    t->arrived(e, t);
}

/* The last circuit is over. */
static void leaves(struct engine *e, struct event *ev)
{
    struct transfer *t = transfer_of(ev);
    const struct crossbar *x = network_of(t);
    int channel[ROUTE_MAX];
    uint64_t hops = (uint64_t)(route(x, t, channel) - 2), late = hops * (uint64_t)x->d.hop_cycles;
    uint64_t end = t->state[CYCLE] + 1;
    if (t->sent)
        t->sent(e, t);
    if (late == 0) {
        t->arrived(e, t);
        return;
    }
    ev->run = arrives;
    engine_schedule(e, ev, clock_time(x->clock, end + late));
}

/* Take the channels for this cycle; 0 when one is taken. */
static int connect(struct crossbar *x, const struct transfer *t, uint64_t cycle)
{
    int channel[ROUTE_MAX], count = route(x, t, channel);
    for (int i = 0; i < count; i++)
        if (x->taken[channel[i]] == cycle + 1)
            return 0;
    for (int i = 0; i < count; i++) {
        x->taken[channel[i]] = cycle + 1;
        network_busy(&x->network, channel[i], clock_time(x->clock, cycle), clock_time(x->clock, cycle + 1), t);
    }
    return 1;
}

/* A piece moves in this cycle. */
static void grant(struct crossbar *x, struct transfer *t, uint64_t cycle)
{
    if (--t->state[PIECES]) {
        ask(x, t);
        engine_schedule(x->network.engine, &x->edge, clock_time(x->clock, cycle + 1));
        return;
    }
    struct transfer *behind = pair_leave(&x->node[t->from], t);
    t->state[CYCLE] = cycle;
    t->event.run = leaves;
    engine_schedule(x->network.engine, &t->event, clock_time(x->clock, cycle + 1));
    if (behind)
        enter(x, behind, cycle + 1);
}

/* ---- The arbiter ---- */

/* The first node from `node` on that asks; -1. */
static int next_asking(const struct crossbar *x, int node)
{
    for (int word = node / 64; node < x->nodes; node = 64 * ++word) {
        uint64_t bits = x->asking[word] >> node % 64;
        if (bits)
            return node + __builtin_ctzll(bits);
    }
    return -1;
}

/* New requests follow those that have waited longer. */
static void take_requests(struct crossbar *x, int from, int to)
{
    for (int i = from; (i = next_asking(x, i)) >= 0 && i < to; i++) {
        struct queue *asks = &x->node[i].asks;
        if (x->pool.first)
            x->pool.last->next = asks->first;
        else
            x->pool.first = asks->first;
        x->pool.last = asks->last;
        *asks = (struct queue){0};
        x->asking[i / 64] &= ~((uint64_t)1 << i % 64);
    }
}

static void decide(struct engine *e, struct event *ev)
{
    struct crossbar *x = (struct crossbar *)((char *)ev - offsetof(struct crossbar, decide));
    uint64_t cycle = clock_cycle(x->clock, e->now);
    int turn = (int)(cycle % (uint64_t)x->nodes);
    take_requests(x, turn, x->nodes);
    take_requests(x, 0, turn);
    struct transfer *t = x->pool.first;
    x->pool = (struct queue){0};
    for (struct transfer *next; t; t = next) {
        next = t->next;
        if (connect(x, t, cycle))
            grant(x, t, cycle);
        else
            append(&x->pool, t);
    }
    if (x->pool.first)
        engine_schedule(e, &x->edge, clock_time(x->clock, cycle + 1));
}

/* ---- The network ---- */

static int refused(const struct crossbar_description *d, int nodes, char *why, size_t room)
{
    if (d->ports < 1 || d->cube_dimensions < 0 || d->cube_dimensions > DIMENSIONS_MAX ||
        (int64_t)d->ports << d->cube_dimensions > NODES_MAX)
        return snprintf(why, room, "crossbars have at least 1 port, at most %d dimensions and %d nodes in all",
                        DIMENSIONS_MAX, NODES_MAX);
    if (nodes > d->ports << d->cube_dimensions)
        return snprintf(why, room, "%d nodes do not fit on crossbars for %d", nodes, d->ports << d->cube_dimensions);
    if (!(d->cycle_hz >= 234 && d->cycle_hz <= 1e12) || d->cycle_words < 1 || d->word_bytes < 1)
        return snprintf(why, room, "a crossbar's cycle has at least 1 word of 1 byte, its clock is 234 Hz to 1 THz");
    if (d->arbiter_cycles < 1 || d->hop_cycles < 0)
        return snprintf(why, room, "an arbiter needs at least 1 cycle, and a hop no less than 0");
    return 0;
}

static void crossbar_free(struct network *n)
{
    struct crossbar *x = (struct crossbar *)n;
    engine_cancel(n->engine, &x->edge);
    engine_cancel(n->engine, &x->decide);
    free(x->node);
    free(x->asking);
    free(x->taken);
    free(x);
}

static struct network *crossbar_alloc(struct engine *e, const struct description *d, int nodes, char *why, size_t room)
{
    if (refused(&d->crossbar, nodes, why, room))
        return NULL;
    struct crossbar *x = calloc(1, sizeof *x);
    if (x) {
        x->network.engine = e; /* crossbar_free() needs it */
        x->nodes = nodes;
        x->d = d->crossbar;
        x->dimensions = x->d.cube_dimensions;
        x->links = 2 * nodes + (x->dimensions << x->dimensions);
        x->clock = clock_of(x->d.cycle_hz);
        x->piece_bytes = (size_t)x->d.cycle_words * (size_t)x->d.word_bytes;
        x->edge.run = edge;
        x->decide.run = decide;
        x->node = calloc((size_t)nodes, sizeof *x->node);
        x->asking = calloc((size_t)nodes / 64 + 1, sizeof *x->asking);
        x->taken = calloc((size_t)x->links, sizeof *x->taken);
        if (x->node && x->asking && x->taken)
            return &x->network;
        crossbar_free(&x->network);
    }
    snprintf(why, room, "no memory for crossbars with %d nodes", nodes);
    return NULL;
}

static void crossbar_send(struct network *network, struct transfer *t)
{
    struct crossbar *x = (struct crossbar *)network;
    struct node *n = &x->node[t->from];
    uint64_t now = clock_cycle(x->clock, network->engine->now);
    t->state[NETWORK] = (uintptr_t)x;
    t->state[PIECES] = t->bytes ? (t->bytes - 1) / x->piece_bytes + 1 : 1;
    t->state[REQUEST] = now > n->request ? now : n->request;
    t->state[NEXT_PAIR] = t->state[BEHIND] = 0;
    n->request = t->state[REQUEST] + 1;
    struct transfer *earlier = pair_of(n, t->to);
    if (!earlier) {
        t->state[NEXT_PAIR] = (uintptr_t)n->pairs;
        n->pairs = t;
        enter(x, t, 0);
        return;
    }
    while (pointer(earlier, BEHIND))
        earlier = pointer(earlier, BEHIND);
    earlier->state[BEHIND] = (uintptr_t)t;
}

static int crossbar_links(const struct network *n) { return ((const struct crossbar *)n)->links; }

/* "node 3>"; ">node 3"; "group 0>1". */
static void crossbar_link_name(const struct network *n, int link, char *text, size_t room)
{
    const struct crossbar *x = (const struct crossbar *)n;
    if (link < x->nodes) {
        snprintf(text, room, "node %d>", link);
    } else if (link < 2 * x->nodes) {
        snprintf(text, room, ">node %d", link - x->nodes);
    } else {
        int group = (link - 2 * x->nodes) / x->dimensions, dimension = (link - 2 * x->nodes) % x->dimensions;
        snprintf(text, room, "group %d>%d", group, group ^ 1 << dimension);
    }
}

const struct network_ops network_crossbar_ops = {
    .alloc = crossbar_alloc,
    .free = crossbar_free,
    .send = crossbar_send,
    .links = crossbar_links,
    .link_name = crossbar_link_name,
};
