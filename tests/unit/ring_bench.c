/* ring_bench.c: see ring_bench.h. */
#include "ring_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARENA = 1 << 19 };

struct bench bench;

uint32_t bench_chance(uint32_t below)
{
    bench.seed = bench.seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(bench.seed >> 33) % below;
}

int bench_number(const struct bench_node *n) { return (int)(n - bench.node); }

/* ---- The wires ---- */

static struct bench_node *of(struct wire *w)
{
    return (struct bench_node *)(void *)((char *)w - offsetof(struct bench_node, wire));
}

static void wire_send(struct wire *w, const void *bytes, size_t len)
{
    struct bench_node *n = of(w);
    assert_true(len > 0);
    assert_int_equal(n->chained_len, 0);
    if (n->out_left) {
        n->chained = bytes;
        n->chained_len = len;
    } else {
        n->out = bytes;
        n->out_left = len;
    }
}

static void wire_receive(struct wire *w, void *into, size_t len, size_t chunk)
{
    struct bench_node *n = of(w);
    assert_int_equal(n->in_len, 0);
    assert_true(len > 0);
    n->in = into;
    n->in_len = len;
    n->in_got = 0;
    n->chunk = chunk;
}

static void nothing(struct wire *w) { (void)w; }
static void wire_lock(struct wire *w)
{
    (void)w;
    if (bench.at_lock)
        bench.at_lock();
}

static void wire_wake(struct wire *w) { of(w)->wakes++; }
static void wire_alarm(struct wire *w, uint64_t at) { of(w)->alarm = at; }

static uint64_t wire_now(struct wire *w)
{
    (void)w;
    return bench.now_ns;
}

static const struct wire_ops wire_ops = {wire_send, wire_receive, wire_lock, nothing, wire_wake, wire_now, wire_alarm};

static void damage(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; bench.damage > 0 && i < len; i++)
        if (bench_chance(1000000) < (uint32_t)(bench.damage * 1e6))
            bytes[i] ^= (uint8_t)(1u << bench_chance(8));
}

static size_t until_told(const struct bench_node *to)
{
    size_t left = to->in_len - to->in_got, chunk = to->chunk ? to->chunk - to->in_got % to->chunk : left;
    return chunk < left ? chunk : left;
}

void bench_move(struct bench_node *n)
{
    struct bench_node *to = &bench.node[(bench_number(n) + 1) % bench.nodes];
    if (!n->out_left || !to->in_len)
        return;
    size_t told = until_told(to), len = told < n->out_left ? told : n->out_left;
    memcpy(to->in + to->in_got, n->out, len);
    damage(to->in + to->in_got, len);
    n->out += len;
    n->out_left -= len;
    to->in_got += len;
    if (to->in_got == to->in_len)
        to->in_len = 0;
    int sent = !n->out_left;
    if (sent) {
        n->out = n->chained;
        n->out_left = n->chained_len;
        n->chained_len = 0;
    }
    if (len == told)
        to->wire.on_received(&to->wire, to->in_got);
    if (sent)
        n->wire.on_sent(&n->wire);
}

void bench_ring_alarm(struct bench_node *n)
{
    if (!n->alarm || n->alarm > bench.now_ns)
        return;
    n->alarm = 0;
    n->wire.on_alarm(&n->wire);
}

static void all_alarms(void)
{
    for (int i = 0; i < bench.nodes; i++)
        bench_ring_alarm(&bench.node[i]);
}

void bench_settle(int rounds, uint64_t ns)
{
    for (int k = 0; k < rounds * bench.nodes; k++) {
        struct bench_node *n = &bench.node[k % bench.nodes];
        bench_move(n);
        bench.now_ns += ns;
        all_alarms();
        n->ring.link.ops->poll(&n->ring.link, -1, 4);
    }
}

/* ---- Core's part ---- */

static struct bench_node *of_rank(struct rank *r)
{
    return (struct bench_node *)(void *)((char *)r - offsetof(struct bench_node, rank));
}

int mpico_arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    return bench.arrive(of_rank(r), origin, p, payload, len);
}

void mpico_returned(struct rank *r, void *token) { bench.returned(of_rank(r), token); }

/* ---- Start and end ---- */

static void start_node(struct bench_node *n, const char *discipline, int reliable)
{
    const char *why = NULL;
    n->arena = malloc(ARENA);
    assert_non_null(n->arena);
    mpico_heap_init(&n->rank.heap, n->arena, ARENA);
    n->rank.world_rank = bench_number(n);
    n->rank.world_size = bench.nodes;
    n->wire.ops = &wire_ops;
    n->wire.reliable = (uint8_t)reliable;
    assert_int_equal(mpico_ring_start(&n->ring, &n->rank, bench_number(n), bench.nodes, &n->wire, discipline, &why), 0);
}

void bench_start(int nodes, const char *discipline, int reliable)
{
    bench.nodes = nodes;
    bench.now_ns = 1;
    bench.node = calloc((size_t)nodes, sizeof *bench.node);
    assert_non_null(bench.node);
    for (int i = 0; i < nodes; i++)
        start_node(&bench.node[i], discipline, reliable);
}

void bench_stop(void)
{
    for (int i = 0; i < bench.nodes; i++)
        free(bench.node[i].arena);
    free(bench.node);
}
