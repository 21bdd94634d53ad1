/* mesh_packet.c: packet-switched routers: store and forward, packet by packet. Exact: a channel that carries a packet
 * of F flits is busy for F cycles, and nothing happens between.
 *
 * The rules. A router keeps each packet whole, in the buffer of the input it came by, buffer_flits packets an input,
 * first in, first out. router_cycles after its last flit has come, the packet at the front asks for its output. An
 * output that is free takes from the inputs that ask in turn, if the buffer at its far end has a place. A place is
 * taken when a packet begins to come, and free when the last flit of it has left. So merging is fair at each router,
 * packet for packet, and therefore unfair between near and far nodes: as on the Paragon. On a torus each input has a
 * low and a high buffer (mesh_route.c). The interface injects inject_flits a cycle. Where the software of a node handles
 * packets (mesh_software.c), it makes them ready one after the other, and those that come wait for it in a buffer of
 * buffer_flits packets like any router's.
 *
 * All that happens at an edge of the clock first changes the state, and notes which outputs to look at; one more
 * event of the same instant then decides for all of them, so that the order of the events of that instant does not
 * matter.
 *
 * Invariant: packets in a buffer, and on the way to it, and places left add up to buffer_flits. The bit of a buffer
 * is in `asking` of one output while its front packet could go there and has not begun to.
 */
#include "mesh_packet.h"

#include <stdlib.h>

enum { PACKETS_BLOCK = 128 };

struct buffer {
    struct packet *front, *last;
    int places;
};

struct output {
    struct event done; /* first: an event is cast to this; the packet it carries has left and arrived */
    struct mesh *mesh;
    struct packet *carries; /* NULL: free */
    int to;                 /* the buffer it goes to; MESH_NONE: ejection */
    uint64_t asking;
    struct mesh_turn turn;
    int noted;
    sim_time since;
};

struct packet_block {
    struct packet_block *next;
    struct packet packet[PACKETS_BLOCK];
};

struct packets {
    struct event decide; /* first: an event is cast to this */
    struct mesh *mesh;
    int classes;           /* buffers an input */
    struct buffer *buffer; /* [channel * classes + class] */
    struct output *output; /* [channel] */
    int *noted, noteds;
    struct packet *spare;
    struct packet_block *blocks;
};

static struct packet *packet_alloc(struct packets *ps)
{
    if (!ps->spare) {
        struct packet_block *b = mesh_memory(sizeof *b);
        b->next = ps->blocks;
        ps->blocks = b;
        for (int i = PACKETS_BLOCK; i-- > 0;) {
            b->packet[i].next = ps->spare;
            ps->spare = &b->packet[i];
        }
    }
    struct packet *p = ps->spare;
    ps->spare = p->next;
    return p;
}

static void packet_free(struct packets *ps, struct packet *p)
{
    p->next = ps->spare;
    ps->spare = p;
}

static uint64_t cycle_now(const struct mesh *m) { return clock_cycle(m->clock, m->engine->now); }

/* Look at this output once all of cycle `cycle` is known. */
static void note(struct packets *ps, int channel, uint64_t cycle)
{
    struct output *o = &ps->output[channel];
    if (!o->noted) {
        o->noted = 1;
        ps->noted[ps->noteds++] = channel;
    }
    sim_time at = clock_time(ps->mesh->clock, cycle);
    if (!ps->decide.place || at < ps->decide.at)
        engine_schedule(ps->mesh->engine, &ps->decide, at);
}

static int class_of(const struct packets *ps, enum mesh_class class) { return ps->classes > 1 && class == MESH_HIGH; }

/* The output that the packet wants from its buffer, and the class of buffer it must go to. */
static int wants(const struct packets *ps, const struct packet *p, int *class)
{
    const struct mesh *m = ps->mesh;
    int router = m->channel[p->buffer / ps->classes].to;
    struct mesh_route route = mesh_route(m, router, p->transfer->to);
    *class = class_of(ps, route.class);
    return m->out[router * m->ports + route.port];
}

static int bit_of(const struct packets *ps, int buffer)
{
    return ps->mesh->channel[buffer / ps->classes].port * ps->classes + buffer % ps->classes;
}

static void ask(struct packets *ps, int buffer)
{
    const struct packet *p = ps->buffer[buffer].front;
    int class;
    if (!p || !p->asks)
        return;
    int channel = wants(ps, p, &class);
    ps->output[channel].asking |= 1ull << bit_of(ps, buffer);
    note(ps, channel, cycle_now(ps->mesh));
}

static void packet_ready(struct engine *e, struct event *ev)
{
    (void)e;
    struct packet *p = (struct packet *)ev;
    p->asks = 1;
    ask(p->mesh->packets, p->buffer);
}

static void enter(struct packets *ps, struct packet *p, int buffer)
{
    struct buffer *b = &ps->buffer[buffer];
    struct mesh *m = ps->mesh;
    p->buffer = buffer;
    p->next = NULL;
    p->asks = m->d.router_cycles == 0;
    if (b->front)
        b->last->next = p;
    else
        b->front = p;
    b->last = p;
    if (p->asks)
        ask(ps, buffer);
    else
        engine_schedule(m->engine, &p->ready, clock_time(m->clock, cycle_now(m) + (uint64_t)m->d.router_cycles));
}

static void leave(struct packets *ps, int buffer)
{
    struct buffer *b = &ps->buffer[buffer];
    b->front = b->front->next;
    b->places++;
    note(ps, buffer / ps->classes, cycle_now(ps->mesh));
    ask(ps, buffer);
}

static void output_done(struct engine *e, struct event *ev)
{
    struct output *o = (struct output *)ev;
    struct mesh *m = o->mesh;
    struct packets *ps = m->packets;
    struct packet *p = o->carries;
    struct transfer *t = p->transfer, *sent = p->last_of;
    int channel = (int)(o - ps->output), to = o->to;
    int injects = mesh_injects(m, channel), ejects = mesh_ejects(m, channel);
    o->carries = NULL;
    network_busy(&m->network, channel, o->since, e->now, t);
    note(ps, channel, cycle_now(m));
    if (!injects)
        leave(ps, p->buffer);
    if (ejects && to != MESH_NONE)
        software_take(m, m->channel[channel].from, p);
    else if (ejects)
        packet_free(ps, p);
    else
        enter(ps, p, to);
    if (injects && sent)
        mesh_interface_sent(m, sent);
    if (to == MESH_NONE)
        mesh_interface_arrived(m, t);
}

void packets_taken(struct mesh *m, int node, struct packet *p)
{
    struct packets *ps = m->packets;
    struct transfer *t = p->transfer;
    int channel = m->out[node * m->ports + mesh_local_port(m)];
    ps->buffer[channel * ps->classes].places++;
    note(ps, channel, cycle_now(m));
    packet_free(ps, p);
    mesh_interface_arrived(m, t);
}

static void carry(struct packets *ps, int channel, struct packet *p, int to, int cycles)
{
    struct output *o = &ps->output[channel];
    struct mesh *m = ps->mesh;
    o->carries = p;
    o->to = to;
    o->since = m->engine->now;
    if (to != MESH_NONE)
        ps->buffer[to].places--;
    engine_schedule(m->engine, &o->done, clock_time(m->clock, cycle_now(m) + (uint64_t)cycles));
}

struct packet *packets_cut(struct mesh *m, int node)
{
    struct packet *p = packet_alloc(m->packets);
    *p = (struct packet){.ready.run = packet_ready, .mesh = m, .transfer = m->node[node].cursor};
    p->flits = mesh_interface_cut(m, node);
    p->last_of = mesh_interface_injected(m, node);
    return p;
}

static void begin_injection(struct packets *ps, int channel, struct packet *p)
{
    int each = ps->mesh->d.inject_flits;
    carry(ps, channel, p, channel * ps->classes, (p->flits + each - 1) / each);
}

static void inject(struct packets *ps, int channel)
{
    struct mesh *m = ps->mesh;
    int node = m->channel[channel].to, to = channel * ps->classes;
    struct transfer *t = m->node[node].cursor;
    if (!ps->buffer[to].places)
        return;
    if (software_is_there(m)) {
        struct packet *p = software_ready(m, node);
        if (p) {
            begin_injection(ps, channel, p);
            software_injected(m, node);
        }
        return;
    }
    if (!t)
        return;
    if (t->state[MESH_FIRST_CYCLE] > cycle_now(m)) {
        note(ps, channel, t->state[MESH_FIRST_CYCLE]);
        return;
    }
    begin_injection(ps, channel, packets_cut(m, node));
}

void packets_offer(struct mesh *m, int node)
{
    note(m->packets, m->in[node * m->ports + mesh_local_port(m)], cycle_now(m));
}

/* The next packet in turn that has a place to go to. */
static void forward(struct packets *ps, int channel)
{
    const struct mesh *m = ps->mesh;
    struct output *o = &ps->output[channel];
    for (uint64_t asking = o->asking; asking;) {
        int bit = mesh_turn_next(&o->turn, asking, ps->classes), router = m->channel[channel].from, class;
        int input = m->in[router * m->ports + bit / ps->classes];
        struct packet *p = ps->buffer[input * ps->classes + bit % ps->classes].front;
        wants(ps, p, &class);
        int ejects = mesh_ejects(m, channel);
        int to = ejects && !software_is_there(m) ? MESH_NONE : channel * ps->classes + (ejects ? 0 : class);
        asking &= ~(1ull << bit);
        if (to != MESH_NONE && !ps->buffer[to].places)
            continue;
        o->asking &= ~(1ull << bit);
        p->asks = 0;
        mesh_turn_take(&o->turn, bit, ps->classes);
        carry(ps, channel, p, to, p->flits);
        return;
    }
}

static void decide_all(struct engine *e, struct event *ev)
{
    (void)e;
    struct packets *ps = (struct packets *)ev;
    int noteds = ps->noteds;
    ps->noteds = 0;
    for (int i = 0; i < noteds; i++) { /* each may note itself for later, in an entry that has been read */
        int channel = ps->noted[i];
        ps->output[channel].noted = 0;
        if (ps->output[channel].carries)
            continue;
        if (mesh_injects(ps->mesh, channel))
            inject(ps, channel);
        else
            forward(ps, channel);
    }
}

void packets_start(struct mesh *m, int node, uint64_t cycle)
{
    software_init(m);
    if (software_is_there(m))
        software_send(m, node);
    else
        note(m->packets, m->in[node * m->ports + mesh_local_port(m)], cycle);
}

int packets_init(struct mesh *m)
{
    struct packets *ps = m->packets = calloc(1, sizeof *ps);
    if (!ps)
        return -1;
    size_t channels = (size_t)m->channels;
    ps->mesh = m;
    ps->decide.run = decide_all;
    ps->classes = m->d.torus ? 2 : 1;
    ps->buffer = calloc(channels * (size_t)ps->classes, sizeof *ps->buffer);
    ps->output = calloc(channels, sizeof *ps->output);
    ps->noted = calloc(channels, sizeof *ps->noted);
    if (!ps->buffer || !ps->output || !ps->noted)
        return -1;
    for (size_t i = 0; i < channels * (size_t)ps->classes; i++)
        ps->buffer[i].places = m->d.buffer_flits;
    for (size_t c = 0; c < channels; c++) {
        ps->output[c].done.run = output_done;
        ps->output[c].mesh = m;
    }
    return 0;
}

static void forget_events(struct packets *ps)
{
    struct engine *e = ps->mesh->engine;
    engine_cancel(e, &ps->decide);
    for (int c = 0; ps->output && c < ps->mesh->channels; c++)
        engine_cancel(e, &ps->output[c].done);
    for (struct packet_block *b = ps->blocks; b; b = b->next)
        for (int i = 0; i < PACKETS_BLOCK; i++)
            engine_cancel(e, &b->packet[i].ready);
}

void packets_fini(struct mesh *m)
{
    struct packets *ps = m->packets;
    software_fini(m);
    forget_events(ps);
    for (struct packet_block *b = ps->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(ps->buffer);
    free(ps->output);
    free(ps->noted);
    free(ps);
}
