/* wire.c: the link ports of a node of a ring and their DMA channels.
 *
 * A wire moves bytes when its sender has programmed a send and its receiver a receive, as many as both still have, at
 * the rate of the link. Both are programmed at the time of the processor that does it, which may be ahead of the
 * engine: hence the events start_out and start_in. With half duplex a node either sends or receives.
 */
#include <string.h>

#include "ports/trace/sink.h"
#include "sim.h"

static struct node *node_of(const struct wire *w)
{
    return (struct node *)(void *)((char *)(uintptr_t)w - offsetof(struct node, ports.wire));
}

static struct node *neighbour(const struct node *n, int step)
{
    return &sim.node[(n->id + step + sim.nodes) % sim.nodes];
}

static int port_busy(const struct node *n) { return n->ports.moving > 0 || neighbour(n, -1)->ports.moving > 0; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Bytes until the receiver wants to be told. */
static size_t until_told(const struct ports *p)
{
    size_t left = p->in_len - p->in_got;
    return p->in_chunk ? least(left, p->in_chunk - (p->in_got - p->in_told)) : left;
}

/* From `n` to its right neighbour, if both are ready. */
static void try_move(struct node *n)
{
    struct node *to = neighbour(n, 1);
    struct ports *p = &n->ports;
    if (p->moving || !p->out_left || !to->ports.in_len)
        return;
    if (!sim.machine.ring.full_duplex && (port_busy(n) || port_busy(to)))
        return;
    p->moving = least(p->out_left, until_told(&to->ports));
    p->moved_from = sim.engine.now;
    engine_schedule(&sim.engine, &p->move, sim.engine.now + sim_ps(sim.wire_byte_fp, p->moving));
}

/* One bit of a byte, with the described probability (xorshift; the seed is the node). */
static void damage(struct ports *p, uint8_t *bytes, size_t len)
{
    const double rate = sim.machine.ring.error_rate;
    for (size_t i = 0; rate > 0 && i < len; i++) {
        p->noise ^= p->noise << 13;
        p->noise ^= p->noise >> 7;
        p->noise ^= p->noise << 17;
        if ((double)(p->noise >> 11) * 0x1p-53 < rate)
            bytes[i] ^= (uint8_t)(1u << (p->noise & 7));
    }
}

static void moved(struct engine *e, struct event *event)
{
    struct node *n = (struct node *)(void *)((char *)event - offsetof(struct node, ports.move)), *to = neighbour(n, 1);
    struct ports *p = &n->ports, *q = &to->ports;
    size_t len = p->moving;
    p->moving = 0;
    memcpy(q->in + q->in_got, p->out, len);
    damage(p, q->in + q->in_got, len);
    trace_sink_link(n->id, p->moved_from, e->now);
    p->out += len;
    p->out_left -= len;
    q->in_got += len;
    if (until_told(q) == 0 || q->in_got - q->in_told == q->in_chunk) {
        q->in_told = q->in_got;
        q->received_so_far = q->in_got;
        if (q->in_got == q->in_len)
            q->in_len = 0;
        sim_interrupt(to, &q->received);
    }
    if (p->out_left == 0) {
        p->out = p->chained;
        p->out_left = p->chained_len;
        p->chained_len = 0;
        p->sent_count++;
        sim_interrupt(n, &p->sent);
    }
    try_move(n);
    if (!sim.machine.ring.full_duplex) {
        try_move(neighbour(n, -1));
        try_move(to);
    }
}

/* The first of the sends that were programmed, now. */
static void out_starts(struct engine *e, struct event *event)
{
    struct node *n = (struct node *)(void *)((char *)event - offsetof(struct node, ports.start_out));
    struct ports *p = &n->ports;
    struct send s = p->programmed[0];
    p->programmed[0] = p->programmed[1];
    if (--p->programmed_count)
        engine_schedule(e, event, p->programmed[0].at);
    if (p->out_left) {
        p->chained = s.bytes;
        p->chained_len = s.len;
    } else {
        p->out = s.bytes;
        p->out_left = s.len;
    }
    try_move(n);
}

static void in_starts(struct engine *e, struct event *event)
{
    struct node *n = (struct node *)(void *)((char *)event - offsetof(struct node, ports.start_in));
    struct ports *p = &n->ports;
    (void)e;
    p->in = p->next_in;
    p->in_len = p->next_in_len;
    p->in_chunk = p->next_in_chunk;
    p->in_got = p->in_told = 0;
    try_move(neighbour(n, -1));
}

/* ---- What src/net calls ---- */

static sim_time now_of(const struct node *n)
{
    sim_time now = sim.current == n && sim.clock ? *sim.clock : sim.engine.now;
    return now > sim.engine.now ? now : sim.engine.now;
}

static void wire_send(struct wire *w, const void *bytes, size_t len)
{
    struct node *n = node_of(w);
    struct ports *p = &n->ports;
    p->programmed[p->programmed_count++] = (struct send){bytes, len, now_of(n)};
    if (p->programmed_count == 1)
        engine_schedule(&sim.engine, &p->start_out, p->programmed[0].at);
}

static void wire_receive(struct wire *w, void *into, size_t len, size_t chunk)
{
    struct node *n = node_of(w);
    n->ports.next_in = into;
    n->ports.next_in_len = len;
    n->ports.next_in_chunk = chunk;
    engine_schedule(&sim.engine, &n->ports.start_in, now_of(n));
}

static void wire_lock(struct wire *w)
{
    struct node *n = node_of(w);
    if (sim.clock != &n->clock)
        return;
    sim_sync(n);
    sim_interrupts_take(n);
}

static void wire_unlock(struct wire *w) { (void)w; }
static void wire_wake(struct wire *w) { sim_wake(node_of(w)); }
static uint64_t wire_now(struct wire *w) { return now_of(node_of(w)) / SIM_NS; }

static void wire_alarm(struct wire *w, uint64_t at_ns)
{
    struct node *n = node_of(w);
    sim_time at = at_ns * SIM_NS;
    if (at_ns == 0)
        engine_cancel(&sim.engine, &n->ports.alarm);
    else
        engine_schedule(&sim.engine, &n->ports.alarm, at > sim.engine.now ? at : sim.engine.now);
}

static const struct wire_ops ops = {.send = wire_send,
                                    .receive = wire_receive,
                                    .lock = wire_lock,
                                    .unlock = wire_unlock,
                                    .wake = wire_wake,
                                    .now = wire_now,
                                    .alarm = wire_alarm};

static void on_sent(struct node *n, struct interrupt *i)
{
    (void)i;
    if (--n->ports.sent_count)
        sim_interrupt(n, i); /* one more */
    n->ports.wire.on_sent(&n->ports.wire);
}

static void on_received(struct node *n, struct interrupt *i)
{
    (void)i;
    n->ports.wire.on_received(&n->ports.wire, n->ports.received_so_far);
}

static void on_alarm(struct node *n, struct interrupt *i)
{
    (void)i;
    n->ports.wire.on_alarm(&n->ports.wire);
}

static void alarm_rings(struct engine *e, struct event *event)
{
    struct node *n = (struct node *)(void *)((char *)event - offsetof(struct node, ports.alarm));
    (void)e;
    sim_interrupt(n, &n->ports.alarmed);
}

void sim_wire_init(struct node *n)
{
    struct ports *p = &n->ports;
    p->wire.ops = &ops;
    p->wire.reliable = (uint8_t)sim.machine.ring.reliable;
    p->move.run = moved;
    p->start_out.run = out_starts;
    p->start_in.run = in_starts;
    p->alarm.run = alarm_rings;
    p->sent.handle = on_sent;
    p->received.handle = on_received;
    p->alarmed.handle = on_alarm;
    p->noise = 0x9e3779b97f4a7c15u * (uint64_t)(n->id + 1);
}
