/* relay_bench.h: nodes of src/net/relay.h in one process, joined by the cables of fake_lane.h, in virtual time. There is no
 * core: packets that arrive are checked here against those sent, each pair's once and in order. Linked with what includes it.
 */
#ifndef MPICO_RELAY_BENCH_H
#define MPICO_RELAY_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "core/rank.h"
#include "fake_lane.h"
#include "net/relay.h"

enum { BENCH_NODES = 16, BENCH_LOG = 4096 };

struct bench_node {
    struct rank rank;
    struct relay relay;
    struct relay_node told;
    struct bench_fiber *fiber;
    void *arena;
    int dead;      /* it does nothing any more */
    int busy;      /* its program computes: turns come from interrupts alone */
    uint32_t late; /* it is switched on so many ticks after the others */
    int result;    /* of mpico_relay_start() */
    int started, left, halted;
    char said[BENCH_LOG];
    int lost[BENCH_NODES]; /* calls of mpico_lost() */
    char why[BENCH_NODES][120];
    uint32_t lost_at[BENCH_NODES];
    uint8_t lost_flags[BENCH_NODES];
    uint8_t torn[BENCH_NODES][BENCH_NODES];       /* who has given up whom, as this node has heard */
    uint32_t sent[BENCH_NODES], got[BENCH_NODES]; /* packets to and from each */
};

struct bench {
    int nodes;
    struct bench_node *node;
    struct cable *cable[BENCH_NODES]; /* between node i and the one on its right */
    uint32_t now;
    uint64_t random;
    int refuse;        /* one of so many packets is refused by core for now; 0: none */
    int no_interrupts; /* a node that has started does nothing until all have */
    size_t arena_bytes;
    struct hop_times times;
};
extern struct bench bench;

struct bench_shape {
    int nodes, slots, spare_slots, slot_bytes;
    size_t capacity; /* of a cable, bytes */
    uint64_t seed;
};

/* All nodes anew, with rank i and size `nodes`; nothing has been started: the test may change node[i].told. */
void bench_make(struct bench_shape);
/* Run mpico_relay_start() on all nodes until it has returned everywhere; fails after `ticks`. */
void bench_start(uint32_t ticks);
/* All have started, and nobody has said anything. */
void bench_is_up(void);
/* All three, and rank i is node i. */
void bench_up(struct bench_shape);
/* This node begins mpico_relay_leave(), and goes on with it in bench_tick(). */
void bench_leave_first(int node, uint32_t ticks);
/* Run mpico_relay_leave() on all living nodes until it has returned everywhere. The ticks it took. */
uint32_t bench_leave(uint32_t ticks);
void bench_free(void);

/* A number below `below`, by the seed. */
uint32_t bench_chance(uint32_t below);
void bench_faults(struct cable_faults);
/* One tick: every living node turns or polls, in some order. */
void bench_tick(void);
/* The next packet from one to another: what send() says. */
int bench_send(int from, int to);
/* Random traffic to `limit` packets for each pair of living nodes that may talk, until `ticks` are over. 1: all have been sent. */
int bench_traffic(uint32_t limit, uint32_t ticks);
/* Ticks until everything sent between living nodes has come; fails after `ticks`. */
void bench_drain(uint32_t ticks);
void bench_kill(int node);

#endif
