/* ring_bench.h: nodes of src/net/ring.h joined by wires that move when the test says so, in any order, with damage where
 * it is wanted. There is no core: the test is told what arrives and what is given back. Linked with what includes it.
 */
#ifndef MPICO_RING_BENCH_H
#define MPICO_RING_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "core/rank.h"
#include "net/ring.h"

struct bench_node {
    struct wire wire;
    struct ring ring;
    struct rank rank;
    const uint8_t *out, *chained;
    size_t out_left, chained_len;
    uint8_t *in;
    size_t in_len, in_got, chunk;
    uint64_t alarm;
    uint64_t wakes; /* calls of wire_ops.wake */
    char *arena;
};

struct bench {
    int nodes;
    struct bench_node *node;
    uint64_t now_ns, seed;
    double damage; /* probability that a byte on a wire is damaged */
    int (*arrive)(struct bench_node *, int origin, const struct packet *, const void *payload, size_t len);
    void (*returned)(struct bench_node *, void *token); /* may be NULL: nothing is lent */
    void (*at_lock)(void); /* before the program's context enters a section: interrupts come. May be NULL */
};
extern struct bench bench;

/* All nodes anew, at time 1; the rest of `bench` stays. */
void bench_start(int nodes, const char *discipline, int reliable);
void bench_stop(void);
int bench_number(const struct bench_node *);
/* A number below `below`, by the seed. */
uint32_t bench_chance(uint32_t below);
/* The wire from this node carries what both its ends have programmed, as far as that goes at once. */
void bench_move(struct bench_node *);
/* The alarm rings if its time has come. */
void bench_ring_alarm(struct bench_node *);
/* Every wire moves in turn, alarms ring and every rank polls, `rounds` times; each move takes `ns`. */
void bench_settle(int rounds, uint64_t ns);

#endif
