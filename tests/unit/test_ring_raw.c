/* Collectives between the wires (src/net/raw.c) under random orders of interrupts: whatever packets are still on their way
 * when the nodes enter, each collective moves its own bytes and nothing else, or all nodes decline it; and nothing
 * is lost or stands still.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ring_bench.h"

enum { NODES_MAX = 32, BYTES_MAX = 5000, STEPS_MAX = 20000000, STRAYS = 3 };

/* What all nodes call next. */
struct call {
    enum direct what;
    size_t bytes;
    int root;
    int loud; /* this node is not quiet; -1: none */
    int odd;  /* this node calls something else; -1: none */
};

/* A rank of the test: sends a few packets that nobody waits for any more, then enters. */
struct party {
    int call, inside, asked;
    int strays; /* packets it may still send before it enters */
    uint32_t sent[NODES_MAX], got[NODES_MAX];
    uint8_t *buf;
};
static struct party party[NODES_MAX];
static int stray_most, declined, done;

static uint8_t pattern(int call, int owner, size_t i) { return (uint8_t)((unsigned)(call * 59 + owner * 31) + i * 7); }

static int arrive(struct bench_node *n, int origin, const struct packet *p, const void *payload, size_t len)
{
    struct party *x = &party[bench_number(n)];
    assert_in_range(origin, 0, bench.nodes - 1);
    assert_int_equal(p->source, origin);
    assert_int_equal(p->length, x->got[origin]++);
    assert_int_equal(p->cookie, len);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(((const uint8_t *)payload)[i], pattern(-1, origin, i));
    return 0;
}

/* The same for all nodes: drawn from the number of the call. */
static struct call call_of(int number, uint64_t seed)
{
    static const size_t bytes[] = {0, 1, 40, 2048, 2049, BYTES_MAX};
    uint64_t x = (seed * 131 + (uint64_t)number) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    struct call c = {.what = (enum direct)(1 + x % 3), .loud = -1, .odd = -1};
    c.bytes = c.what == DIRECT_BARRIER ? 0 : bytes[x / 3 % 6];
    c.root = c.what == DIRECT_BCAST ? (int)(x / 18 % (uint64_t)bench.nodes) : 0;
    if (x / 1000 % 8 == 0)
        c.loud = (int)(x / 8000 % (uint64_t)bench.nodes);
    if (x / 1000 % 8 == 1)
        c.odd = (int)(x / 8000 % (uint64_t)bench.nodes);
    return c;
}

/* Everybody may send one message: the requests go out, and nobody waits any more. */
static void ask(struct bench_node *n)
{
    struct link *l = &n->ring.link;
    l->ops->want(l, -1, 1);
    l->ops->want(l, -1, -1);
}

static void stray(struct bench_node *n)
{
    static const uint8_t short_lengths[] = {0, 8, 200};
    struct party *x = &party[bench_number(n)];
    int self = bench_number(n), dest = (int)bench_chance((uint32_t)bench.nodes);
    uint8_t bytes[2048];
    size_t len = bench_chance(2) ? bench_chance(sizeof bytes + 1) : short_lengths[bench_chance(3)];
    if (dest == self)
        return;
    for (size_t i = 0; i < len; i++)
        bytes[i] = pattern(-1, self, i);
    struct packet p = packet_make(PACKET_EAGER, 0, 0, self, 0, x->sent[dest], len);
    if (n->ring.link.ops->send(&n->ring.link, dest, &p, bytes, len) == 0)
        x->sent[dest]++;
}

static size_t room(const struct call *c)
{
    return c->what == DIRECT_ALLGATHER ? c->bytes * (size_t)bench.nodes : c->bytes;
}

static int owner_of(const struct call *c, size_t i)
{
    return c->what == DIRECT_ALLGATHER ? (int)(i / c->bytes) : c->root;
}

static void enter(struct bench_node *n, struct call c)
{
    struct party *x = &party[bench_number(n)];
    int self = bench_number(n);
    x->buf = malloc(room(&c) + 1);
    for (size_t i = 0; i < room(&c); i++)
        x->buf[i] = owner_of(&c, i) == self ? pattern(x->call, self, i) : 0xee;
    x->buf[room(&c)] = 0xc3;
    size_t bytes = c.odd == self ? c.bytes + 1 : c.bytes;
    assert_int_equal(n->ring.link.ops->direct(&n->ring.link, c.what, x->buf, bytes, c.root, c.loud != self), 0);
    x->inside = 1;
}

static void leave(struct bench_node *n, struct call c, int result)
{
    struct party *x = &party[bench_number(n)];
    int decline = c.loud >= 0 || c.odd >= 0;
    assert_int_equal(result, decline ? -1 : 0);
    for (size_t i = 0; i < room(&c) && !decline; i++)
        if (x->buf[i] != pattern(x->call, owner_of(&c, i), i))
            fail_msg("node %d, call %d: byte %zu is wrong", bench_number(n), x->call, i);
    assert_int_equal(x->buf[room(&c)], 0xc3);
    free(x->buf);
    declined += decline;
    done += !decline;
    x->call++;
    x->inside = x->asked = 0;
    x->strays = (int)bench_chance((uint32_t)stray_most + 1);
}

static void act(struct bench_node *n, uint64_t seed)
{
    struct party *x = &party[bench_number(n)];
    struct call c = call_of(x->call, seed);
    n->ring.link.ops->poll(&n->ring.link, -1, 4);
    if (x->inside) {
        int e = n->ring.link.ops->direct_state(&n->ring.link);
        if (e != MPICO_AGAIN)
            leave(n, c, e);
    } else if (!x->asked && stray_most) {
        x->asked = 1;
        ask(n);
    } else if (x->strays > 0) {
        x->strays--;
        stray(n);
    } else {
        enter(n, c);
    }
}

static void interrupts(void)
{
    for (uint32_t i = bench_chance(4); i > 0; i--)
        bench_move(&bench.node[bench_chance((uint32_t)bench.nodes)]);
}

static int all_called(int calls)
{
    for (int i = 0; i < bench.nodes; i++)
        if (party[i].call < calls)
            return 0;
    return 1;
}

static int all_arrived(void)
{
    for (int i = 0; i < bench.nodes; i++)
        for (int k = 0; k < bench.nodes; k++)
            if (party[i].sent[k] != party[k].got[i])
                return 0;
    return 1;
}

static void job(int nodes, int calls, int strays, uint64_t seed)
{
    long steps = 0;
    bench.seed = seed;
    bench.damage = 0;
    bench.arrive = arrive;
    memset(party, 0, sizeof party);
    stray_most = strays;
    bench.at_lock = NULL;
    bench_start(nodes, "stop-and-wait", 1);
    bench.at_lock = interrupts;
    while (!all_called(calls) || !all_arrived()) {
        struct bench_node *n = &bench.node[bench_chance((uint32_t)nodes)];
        if (bench_chance(4) != 0)
            bench_move(n);
        else if (party[bench_number(n)].call < calls)
            act(n, seed);
        else
            n->ring.link.ops->poll(&n->ring.link, -1, 4);
        if (++steps > STEPS_MAX)
            fail_msg("stuck: %d nodes, seed %llu", nodes, (unsigned long long)seed);
    }
    bench_stop();
}

static void alone_on_the_wires(void **state)
{
    (void)state;
    declined = done = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        job(2, 200, 0, seed);
        job(3, 100, 0, seed);
        job(9, 40, 0, seed);
    }
    job(32, 10, 0, 5);
    assert_true(declined > 100 && done > 1000);
}

static void behind_other_packets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        job(2, 100, STRAYS, seed);
        job(4, 100, STRAYS, seed);
        job(7, 60, STRAYS, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alone_on_the_wires), cmocka_unit_test(behind_other_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
