/* The ring of src/net under random traffic: every packet arrives once, whole, in the order of its pair; whatever the order
 * of interrupts, with damage on the wires where the discipline promises to mend it, and never stuck.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ring_bench.h"

enum { NODES_MAX = 64, STEPS_MAX = 60000000, LENT = RING_OWN_CELLS + 2 };

/* What a rank of the test has sent, received and lent. */
struct party {
    uint32_t sent[NODES_MAX], got[NODES_MAX]; /* packets to and from each; [self]: to all */
    uint32_t spread_got[NODES_MAX];
    uint8_t lent[LENT][RING_PAYLOAD];
    int lent_busy[LENT];
    int refuse; /* core has no memory: so many packets are put off */
};
static struct party *party;
static size_t longest; /* payload in the traffic; 0: what the link takes */

static uint8_t pattern(int from, uint32_t number, size_t i)
{
    return (uint8_t)((unsigned)from * 31u + number * 7u + i);
}

static int arrive(struct bench_node *n, int origin, const struct packet *p, const void *payload, size_t len)
{
    struct party *x = &party[bench_number(n)];
    if (x->refuse && bench_chance(3) == 0)
        return MPICO_AGAIN;
    assert_in_range(origin, 0, bench.nodes - 1);
    uint32_t *next = p->tag ? &x->spread_got[origin] : &x->got[origin];
    assert_int_equal(p->source, origin);
    assert_int_equal(p->length, (*next)++);
    assert_int_equal(p->cookie, len);
    for (size_t i = 0; i < len; i++)
        if (((const uint8_t *)payload)[i] != pattern(origin, (uint32_t)p->length, i))
            fail_msg("byte %zu of packet %u from %d is wrong", i, (unsigned)p->length, origin);
    return 0;
}

static void returned(struct bench_node *n, void *token)
{
    struct party *x = &party[bench_number(n)];
    int i = (int)((uint8_t(*)[RING_PAYLOAD])token - x->lent);
    assert_int_equal(x->lent_busy[i], 1);
    x->lent_busy[i] = 0;
    memset(x->lent[i], 0xee, RING_PAYLOAD); /* the program may use it again */
}

static size_t some_length(const struct ring *g)
{
    size_t most = longest ? longest : g->link.mtu;
    switch (bench_chance(4)) {
    case 0:
        return bench_chance(most < 48 ? (uint32_t)most : 48);
    case 1:
        return most;
    default:
        return bench_chance((uint32_t)most + 1);
    }
}

/* Made in the wire's own memory. */
static int send_reserved(struct link *l, int dest, const struct packet *p, const uint8_t *payload, size_t len)
{
    void *wire = l->ops->reserve(l, dest, p, len);
    if (!wire)
        return MPICO_AGAIN;
    memcpy(wire, payload, len);
    l->ops->commit(l, dest, p, len);
    return 0;
}

static int send_one(struct bench_node *n, int dest, const struct packet *p, int slot)
{
    struct party *x = &party[bench_number(n)];
    struct link *l = &n->ring.link;
    size_t len = p->cookie;
    for (size_t i = 0; i < len; i++)
        x->lent[slot][i] = pattern(bench_number(n), (uint32_t)p->length, i);
    uint32_t way = bench_chance(3);
    int e = way == 0   ? l->ops->send(l, dest, p, x->lent[slot], len)
            : way == 1 ? send_reserved(l, dest, p, x->lent[slot], len)
                       : l->ops->lend(l, dest, p, x->lent[slot], len, x->lent[slot]);
    if (e == MPICO_LENT)
        x->lent_busy[slot] = 1;
    else if (e == 0)
        memset(x->lent[slot], 0xee, RING_PAYLOAD);
    return e;
}

static void try_send(struct bench_node *n, uint32_t limit, int spread)
{
    struct party *x = &party[bench_number(n)];
    int self = bench_number(n), dest = (int)bench_chance((uint32_t)bench.nodes), slot = 0;
    int all = spread && bench_chance(8) == 0;
    uint32_t *count = &x->sent[all ? self : dest];
    if ((!all && dest == self) || *count >= limit)
        return;
    while (slot < LENT && x->lent_busy[slot])
        slot++;
    if (slot == LENT)
        return;
    struct packet p = packet_make(PACKET_EAGER, 0, 0, self, all, *count, some_length(&n->ring));
    if (send_one(n, all ? -1 : dest, &p, slot) != MPICO_AGAIN)
        (*count)++;
}

static int all_arrived(uint32_t limit, int spread)
{
    for (int i = 0; i < bench.nodes; i++)
        for (int k = 0; k < bench.nodes; k++)
            if (i != k && (party[i].got[k] < limit || (spread && party[i].spread_got[k] < limit)))
                return 0;
    return 1;
}

static void interrupts(void)
{
    for (uint32_t i = bench_chance(4); i > 0; i--)
        bench_move(&bench.node[bench_chance((uint32_t)bench.nodes)]);
}

static void start(int size, const char *discipline, int reliable)
{
    bench.at_lock = NULL;
    party = calloc((size_t)size, sizeof *party);
    assert_non_null(party);
    bench.arrive = arrive;
    bench.returned = returned;
    bench_start(size, discipline, reliable);
    for (int i = 0; i < size; i++) {
        struct link *l = &bench.node[i].ring.link;
        if (l->ops->want)
            l->ops->want(l, -1, 1);
    }
}

static void stop(void)
{
    bench_stop();
    free(party);
}

static void step(uint32_t limit, int spread)
{
    int i = (int)bench_chance((uint32_t)bench.nodes);
    struct bench_node *n = &bench.node[i];
    bench.now_ns += 1000;
    party[i].refuse = bench_chance(50) == 0;
    switch (bench_chance(4)) {
    case 0:
        try_send(n, limit, spread);
        break;
    case 1:
        n->ring.link.ops->poll(&n->ring.link, -1, 4);
        break;
    default:
        bench_move(n);
    }
    bench_ring_alarm(n);
}

static void traffic(int size, const char *discipline, int reliable, double rate, uint32_t limit, uint64_t seed)
{
    long steps = 0;
    bench.seed = seed;
    bench.damage = rate;
    start(size, discipline, reliable);
    bench.at_lock = interrupts;
    int spread = bench.node[0].ring.link.broadcast;
    do {
        step(limit, spread);
        if (++steps > STEPS_MAX)
            fail_msg("stuck: %d nodes, %s, seed %llu", size, discipline, (unsigned long long)seed);
    } while (steps % 64 || !all_arrived(limit, spread));
    stop();
}

static void windowed(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 6; s++) {
        traffic(2, "windowed", 1, 0, 200, s);
        traffic(3, "windowed", 1, 0, 100, s);
        traffic(8, "windowed", 1, 0, 20, s);
    }
    traffic(64, "windowed", 1, 0, 2, 9);
}

static void windowed_on_a_noisy_wire(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 3; s++) {
        traffic(2, "windowed", 0, 1e-4, 60, s);
        traffic(5, "windowed", 0, 5e-5, 20, s);
    }
    traffic(3, "windowed", 0, 0, 60, 4);
}

/* Two nodes, on wires that are noisy from so many packets on. */
static void traffic_past(uint32_t quiet, uint32_t limit, uint64_t seed)
{
    long steps = 0;
    bench.seed = seed;
    bench.damage = 0;
    start(2, "windowed", 0);
    while (party[0].got[1] < limit || party[1].got[0] < limit) {
        if (party[0].got[1] > quiet && party[1].got[0] > quiet)
            bench.damage = 1e-3;
        step(limit, 0);
        if (++steps > STEPS_MAX)
            fail_msg("stuck, seed %llu", (unsigned long long)seed);
    }
    stop();
}

/* Numbers of frames have 16 bits. An acknowledgement that a frame carries along must not be taken for a later one. */
static void numbers_begin_again(void **state)
{
    (void)state;
    longest = 8;
    for (uint64_t seed = 1; seed <= 3; seed++)
        traffic_past(65000, 66500, seed);
    longest = 0;
}

/* Answers that are late, but come, are waited for: the time of a round trip is learnt although the first frames
 * were sent again. */
static void slow_is_not_lost(void **state)
{
    (void)state;
    bench.damage = 0;
    start(2, "windowed", 0);
    struct bench_node *n = &bench.node[0];
    uint64_t resent = 0;
    for (uint32_t i = 0; i < 60; i++) {
        struct packet p = packet_make(PACKET_EAGER, 0, 0, 0, 0, i, 8);
        resent = n->ring.resent;
        while (send_one(n, 1, &p, 0) == MPICO_AGAIN)
            bench_settle(1, 3000000);
        while (party[1].got[0] <= i || n->ring.cells_kept)
            bench_settle(1, 3000000);
    }
    assert_true(n->ring.resent > 0);
    assert_int_equal(n->ring.resent, resent);
    stop();
}

static void stop_and_wait(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 6; s++) {
        traffic(2, "stop-and-wait", 1, 0, 200, s);
        traffic(3, "stop-and-wait", 1, 0, 60, s);
        traffic(8, "stop-and-wait", 1, 0, 12, s);
    }
    traffic(32, "stop-and-wait", 1, 0, 2, 9);
}

static void refused(void **state)
{
    (void)state;
    assert_null(mpico_ring_refuse("windowed", 64, 0));
    assert_null(mpico_ring_refuse("stop-and-wait", 32, 1));
    assert_non_null(strstr(mpico_ring_refuse("stop-and-wait", 33, 1), "at most 32"));
    assert_non_null(strstr(mpico_ring_refuse("stop-and-wait", 4, 0), "reliable"));
    assert_non_null(strstr(mpico_ring_refuse("go-back", 4, 1), "no such discipline"));
}

static void check_sums(void **state)
{
    (void)state;
    assert_int_equal(mpico_frame_crc16("123456789", 9), 0x29b1);
    assert_int_equal(mpico_frame_crc32("123456789", 9), 0xcbf43926);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windowed),         cmocka_unit_test(windowed_on_a_noisy_wire),
                                       cmocka_unit_test(stop_and_wait),    cmocka_unit_test(numbers_begin_again),
                                       cmocka_unit_test(slow_is_not_lost), cmocka_unit_test(refused),
                                       cmocka_unit_test(check_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
