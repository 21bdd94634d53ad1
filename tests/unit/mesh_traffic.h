/* mesh_traffic.h: what the tests of the mesh share: machines in a line, messages that note their instants in cycles. */
#ifndef MESH_TRAFFIC_H
#define MESH_TRAFFIC_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/network.h"

/* One cycle is 10 ns, so that instants are whole cycles. */
#define CYCLE ((sim_time)10 * SIM_NS)

struct message {
    struct transfer transfer;
    uint64_t begun, sent, arrived; /* cycles */
    int place;                     /* in the order of arrivals, from 1 */
};
static struct engine engine;
static struct network *network;
static int arrivals;
static uint64_t hash; /* of all that was delivered, and when */

static inline void mix(uint64_t x) { hash = (hash ^ x) * 0x9e3779b97f4a7c15u ^ hash >> 29; }

static inline uint64_t cycles_now(void)
{
    assert_true(engine.now % CYCLE == 0);
    return engine.now / CYCLE;
}

static inline void on_sent(struct engine *e, struct transfer *t)
{
    struct message *m = t->owner;
    assert_ptr_equal(e, &engine);
    assert_int_equal(m->place, 0);
    assert_true(m->sent == 0);
    m->sent = cycles_now();
    mix(m->sent << 20 | (uint64_t)t->from << 10 | (uint64_t)t->to);
}

static inline void on_arrived(struct engine *e, struct transfer *t)
{
    struct message *m = t->owner;
    assert_ptr_equal(e, &engine);
    assert_int_equal(m->place, 0);
    assert_true(m->sent > 0);
    m->arrived = cycles_now();
    m->place = ++arrivals;
    mix(m->arrived << 20 | (uint64_t)t->to << 10 | (uint64_t)t->from);
}

static inline struct mesh_description line_of(int nodes, int wormhole)
{
    return (struct mesh_description){.axes = 1,
                                     .extent = {nodes},
                                     .wormhole = wormhole,
                                     .cycle_hz = 1e8,
                                     .flit_bytes = 4,
                                     .virtual_channels = 1,
                                     .buffer_flits = wormhole ? 8 : 3,
                                     .inject_flits = 1,
                                     .router_cycles = 3,
                                     .packet_max_bytes = 1 << 20};
}

static inline void begin(const struct mesh_description *m, int nodes)
{
    char why[200] = "";
    struct description d = {.network = NETWORK_MESH, .mesh = *m};
    engine_init(&engine);
    arrivals = 0;
    hash = 1;
    network = network_alloc(&engine, &d, nodes, why, sizeof why);
    if (!network)
        fail_msg("%s", why);
}

static inline void end(void)
{
    while (engine_step(&engine))
        ;
    network_free(network);
    engine_fini(&engine);
}

static inline void send(struct message *m, int from, int to, size_t bytes)
{
    *m = (struct message){.transfer = {.from = from, .to = to, .bytes = bytes, .sent = on_sent, .arrived = on_arrived}};
    m->transfer.owner = m;
    m->begun = (engine.now + CYCLE - 1) / CYCLE;
    network_send(network, &m->transfer);
}

/* As many bytes as make a packet of so many flits with its head, at 4 bytes a flit. */
static inline size_t flits(int n) { return 4 * (size_t)(n - 1); }

struct later {
    struct event event; /* first */
    struct message *message;
    int from, to;
    size_t bytes;
};
static inline void send_later(struct engine *e, struct event *ev)
{
    (void)e;
    const struct later *l = (const struct later *)ev;
    send(l->message, l->from, l->to, l->bytes);
}

#endif
