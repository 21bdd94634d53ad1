/* The ring of src/net/relay.c when a cable is cut, in one direction or both, or a node dies, under traffic and on cables that damage.
 * A cut loses, doubles and reorders nothing. Of a node that dies every other one is told by name in the time that
 * docs/reliable-ring.md states, and the others go on talking.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>
#include <string.h>

#include "fake_lane.h"
#include "relay_bench.h"

/* A neighbour's last frame may be a heartbeat old when it is gone, and the news stays at most a heartbeat with each node when no
 * frame is lost. */
static uint32_t stated(int nodes) { return bench.times.dead + (uint32_t)(1 + nodes) * bench.times.heartbeat; }

static void nobody_lost(void)
{
    for (int i = 0; i < bench.nodes; i++)
        for (int k = 0; k < bench.nodes; k++)
            assert_int_equal(bench.node[i].lost[k], 0);
}

static void cut_at(struct bench_shape s, int cable, int direction, uint32_t per_million)
{
    bench_up(s);
    bench.refuse = 30;
    bench_faults(cable_all_faults(per_million));
    bench_traffic(1000000, 20 + bench_chance(300));
    if (direction == 2)
        cable_cut(bench.cable[cable]);
    else
        bench.cable[cable]->way[direction].cut = 1;
    bench_traffic(1000000, 2 * bench.times.dead);
    for (int i = 0; i < s.nodes; i++)
        for (int k = 0; k < s.nodes; k++)
            bench_send(i, k);
    bench_drain(100000);
    nobody_lost();
    for (int i = 0; i < s.nodes; i++) {
        struct relay *g = &bench.node[i].relay;
        int right = i == cable, left = i == (cable + 1) % s.nodes;
        char line[160];
        snprintf(line, sizeof line, "the link to the %s (rank %d) is cut: messages go the other way round\n",
                 right ? "right" : "left", (right ? i + 1 : i + s.nodes - 1) % s.nodes);
        assert_string_equal(bench.node[i].said, right || left ? line : "");
        assert_int_equal(g->dropped + g->damaged + g->missing, 0);
        assert_null(g->kept);
    }
    bench_faults((struct cable_faults){0});
    assert_true(bench_leave(2000) < bench.times.dead + 200u);
    bench_free();
}

/* When one direction is cut, the end that hears nothing tells the other the long way round: both know in the time in which one
 * alone would have noticed. */
static void both_ends_know(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++)
        for (int direction = 0; direction < 2; direction++) {
            bench_up((struct bench_shape){n, 4, 1, 136, 4096, (uint64_t)n});
            bench.cable[1]->way[direction].cut = 1;
            for (uint32_t t = 0; t <= stated(n); t++)
                bench_tick();
            assert_int_equal(bench.node[1].relay.right.state, HOP_CUT);
            assert_int_equal(bench.node[2 % n].relay.left.state, HOP_CUT);
            nobody_lost();
            bench_free();
        }
}

static void cut(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 2 + (int)seed % 8;
        cut_at((struct bench_shape){n, 4, 1, 136, 4096, seed}, (int)seed * 7 % n, 2, seed % 3 ? 0 : 10000);
    }
}

static void cut_one_way(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        int n = 2 + (int)seed % 8;
        cut_at((struct bench_shape){n, 8, 2, 136, 4096, seed}, (int)seed * 5 % n, (int)seed % 2, 0);
    }
}

/* The fewest slots: what turns round must not stand in the way of what it has overtaken. */
static void cut_tiny(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        int n = 2 + (int)seed % 8;
        cut_at((struct bench_shape){n, 1 << seed % 3, 1, 48, 70, seed}, (int)seed * 3 % n, 2, 0);
    }
}

static int given_up(int i, int k) { return strstr(bench.node[i].why[k], "is given up") != NULL; }

static void told_of(int node, uint32_t since, uint32_t within)
{
    for (int i = 0; i < bench.nodes; i++) {
        char why[80];
        snprintf(why, sizeof why, "rank %d does not answer its neighbours any more", node);
        for (int k = 0; i != node && k < bench.nodes; k++)
            assert_int_equal(bench.node[i].lost[k], k == node || given_up(i, k));
        if (i == node)
            continue;
        assert_string_equal(bench.node[i].why[node], why);
        assert_true(bench.node[i].lost_at[node] - since <= within);
    }
}

/* Of a pair of the living either all has come, or both have given up, and all others know. How many have. */
static int torn_pairs(void)
{
    int torn = 0;
    for (int i = 0; i < bench.nodes; i++)
        for (int k = 0; k < bench.nodes; k++) {
            if (i == k || bench.node[i].dead || bench.node[k].dead)
                continue;
            assert_int_equal(given_up(i, k), given_up(k, i));
            if (given_up(i, k))
                torn++;
            else
                assert_int_equal(bench.node[k].got[i], bench.node[i].sent[k]);
            for (int j = 0; j < bench.nodes; j++)
                if (j != i && j != k && !bench.node[j].lost[i])
                    assert_true(bench.node[j].dead || bench.node[j].torn[i][k] == given_up(i, k));
        }
    return torn;
}

static void die(struct bench_shape s, int node, int traffic)
{
    bench_up(s);
    if (traffic)
        bench_traffic(1000000, 20 + bench_chance(300));
    uint32_t since = bench.now;
    bench_kill(node);
    if (traffic)
        bench_traffic(1000000, stated(s.nodes) + 1);
    for (uint32_t t = 0; t <= stated(s.nodes); t++)
        bench_tick();
    told_of(node, since, stated(s.nodes));
    for (uint32_t t = 0; t < 8u * bench.times.dead; t++) /* what was lost with it is given up */
        bench_tick();
    int torn = torn_pairs();
    assert_true(traffic || !torn);
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < s.nodes; i++)
            for (int k = 0; k < s.nodes; k++)
                if (i != node && k != node && !given_up(i, k))
                    while (bench_send(i, k))
                        bench_tick();
    bench_drain(20000);
    told_of(node, since, stated(s.nodes));
    assert_true(bench_leave(2000) < bench.times.dead + 200u);
    bench_free();
}

static void node_dies(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++)
        for (int node = 0; node < n; node++) {
            struct bench_shape s = {n, 4, 1, 136, 4096, (uint64_t)(n * 16 + node)};
            die(s, node, 0);
            die(s, node, 1);
        }
}

static void node_dies_tiny(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 2 + (int)seed % 8;
        die((struct bench_shape){n, 1 << seed % 3, 1, 48, 70, seed}, (int)seed * 3 % n, 1);
    }
}

/* Nobody sends anything after the death: what was lost with the node is noticed all the same. */
static void last_words(void **state)
{
    (void)state;
    int torn = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 3 + (int)seed % 7, node = (int)seed * 3 % n;
        bench_up((struct bench_shape){n, 1 << seed % 4, 1, 136, 4096, seed});
        bench_traffic(1000000, 20 + bench_chance(300));
        bench_kill(node);
        for (uint32_t t = 0; t <= stated(n) + 8u * bench.times.dead; t++)
            bench_tick();
        torn += torn_pairs();
        assert_true(bench_leave(2000) < bench.times.dead + 200u);
        bench_free();
    }
    assert_true(torn > 0);
}

/* A rank that computes while messages queue for it has not listened: they are late and not lost. */
static void late_is_not_lost(void **state)
{
    (void)state;
    bench_up((struct bench_shape){5, 1, 1, 136, 4096, 1});
    struct bench_node *n = &bench.node[3];
    n->busy = 1;
    for (int i = 0; i < 3; i++) /* into the slots of 3 and 2, past 1 */
        while (bench_send(0, 3))
            bench_tick();
    for (int t = 0; t < 100; t++)
        bench_tick();
    bench_kill(1);
    for (uint32_t t = 0; t <= 4u * bench.times.dead; t++) {
        n->busy = t % bench.times.dead != 0;
        bench_tick();
    }
    n->busy = 0;
    bench_drain(8u * bench.times.dead);
    assert_int_equal(n->got[0], 3);
    assert_int_equal(torn_pairs(), 0);
    bench_free();
}

/* Ring distance from a to the right to b. */
static int right_of(int a, int b) { return (b - a + bench.nodes) % bench.nodes; }

/* Cables `first` and `second` are cut: two parts, each of which loses the other and goes on. */
static void second_cut(struct bench_shape s, int first, int second)
{
    bench_up(s);
    bench_traffic(1000000, 100);
    cable_cut(bench.cable[first]);
    bench_traffic(1000000, 100 + bench_chance(600));
    cable_cut(bench.cable[second]);
    bench_traffic(1000000, 3u * bench.times.dead);
    for (uint32_t t = 0; t < 4u * bench.times.dead; t++)
        bench_tick();
    int length = right_of(first, second); /* the part that begins behind `first` has so many nodes */
    for (int i = 0; i < s.nodes; i++)
        for (int k = 0; k < s.nodes; k++) {
            int a = right_of(first + 1, i) < length, b = right_of(first + 1, k) < length;
            int lost = a ? s.nodes - length : length; /* by this node */
            if (a == b)
                assert_int_equal(bench.node[i].lost[k], given_up(i, k));
            else
                assert_non_null(strstr(bench.node[i].why[k], lost == 1 ? "does not answer" : "cannot be reached"));
        }
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < s.nodes; i++)
            for (int k = 0; k < s.nodes; k++)
                if (!bench.node[i].lost[k])
                    while (bench_send(i, k))
                        bench_tick();
    bench_drain(20000);
    assert_true(bench_leave(2000) < bench.times.dead + 200u);
    bench_free();
}

static void second_failure(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        int n = 2 + (int)seed % 8, a = (int)seed * 3 % n, b = (a + 1 + (int)seed / 8 % (n - 1)) % n;
        second_cut((struct bench_shape){n, 4, 2, 136, 4096, seed}, a, b);
    }
}

/* Core keeps a packet that waits for room until its link takes it (core/lost.c): where nobody can be reached any more, the link takes
 * all and drops it, so that nothing waits for ever. But messages to oneself still come. */
static void takes_all_when_cut_off(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        int n = 2 + (int)seed % 4, alone = (int)seed % n;
        bench_up((struct bench_shape){n, 1 << seed % 3, 1, 136, 4096, seed});
        cable_cut(bench.cable[alone]);
        cable_cut(bench.cable[(alone + n - 1) % n]);
        for (int k = 1; k < n; k++)
            for (int i = 0; i < 40; i++) /* until there is no room */
                bench_send(alone, (alone + k) % n);
        for (uint32_t t = 0; t <= 2 * stated(n); t++)
            bench_tick();
        for (int k = 1; k < n; k++) {
            assert_int_equal(bench.node[alone].lost[(alone + k) % n], 1);
            for (int i = 0; i < 40; i++)
                assert_int_equal(bench_send(alone, (alone + k) % n), 0);
        }
        while (bench.node[alone].sent[alone] < 40)
            assert_int_equal(bench_send(alone, alone), 0);
        bench_drain(1000);
        assert_int_equal(bench.node[alone].got[alone], 40);
        bench_free();
    }
}

/* One after the other, in neighbours and elsewhere: each is told of once. */
static void more_die(void **state)
{
    (void)state;
    for (int n = 4; n <= 9; n++)
        for (int other = 2; other <= n - 2; other++) {
            bench_up((struct bench_shape){n, 4, 2, 136, 4096, (uint64_t)n});
            bench_kill(1);
            for (uint32_t t = 0; t <= stated(n); t++)
                bench_tick();
            bench_kill(other);
            for (uint32_t t = 0; t <= stated(n); t++)
                bench_tick();
            for (int i = 0; i < n; i++)
                for (int k = 0; !bench.node[i].dead && k < n; k++) {
                    int a = i > 1 && i<other, b = k> 1 && k < other; /* between the two */
                    assert_int_equal(bench.node[i].lost[k], bench.node[k].dead || a != b);
                }
            assert_non_null(strstr(bench.node[0].why[other], "cannot be reached"));
            bench_free();
        }
}

/* Its neighbours hear it greet them. */
static void restart(void **state)
{
    (void)state;
    bench_up((struct bench_shape){5, 4, 1, 136, 4096, 3});
    struct bench_node *n = &bench.node[3];
    static struct hop left, right;
    static _Alignas(8) uint8_t memory[2][1024];
    bench_kill(3);
    mpico_hop_open(&left, n->told.left, memory[0], 1, 4, 136, 77, &bench.times, bench.now);
    mpico_hop_open(&right, n->told.right, memory[1], 4, 1, 136, 77, &bench.times, bench.now);
    for (uint32_t t = 0; t <= stated(5); t++) {
        bench_tick();
        mpico_hop_turn(&left, bench.now);
        mpico_hop_turn(&right, bench.now);
    }
    for (int i = 0; i < 5; i++)
        if (i != 3)
            assert_string_equal(bench.node[i].why[3], "rank 3 has started again");
    bench_free();
}

/* A ring that has closed, whose rank 2 has no memory for what comes early by the other way: it says so, and does not wait for ever. */
static void no_memory_for_early(void **state)
{
    (void)state;
    for (int relief = 0; relief < 2; relief++) {
        bench_up((struct bench_shape){4, 2, 1, 136, 4096, 1});
        struct bench_node *n = &bench.node[2];
        void *all = NULL, *piece;
        while ((piece = mpico_heap_alloc(&n->rank.heap, 64)) != NULL)
            *(void **)piece = all, all = piece;
        bench.refuse = 1; /* nor does core take anything: the program has not received what came before */
        while (bench_send(1, 2))
            bench_tick();
        for (int t = 0; t < 100; t++)
            bench_tick();
        cable_cut(bench.cable[1]);
        for (uint32_t t = 0; t < 2u * bench.times.dead; t++)
            bench_tick();
        while (bench_send(1, 2))
            bench_tick();
        for (uint32_t t = 0; t < bench.times.dead; t++)
            bench_tick();
        assert_int_equal(n->halted, 0);
        for (; relief && all; all = piece) {
            piece = *(void **)all;
            mpico_heap_free(&n->rank.heap, all);
        }
        for (uint32_t t = 0; t < 4u * bench.times.dead; t++)
            bench_tick();
        assert_int_equal(n->halted, !relief);
        assert_int_equal(strstr(n->said, "no memory for messages that come early") != NULL, !relief);
        bench.refuse = 0;
        if (relief)
            bench_drain(1000);
        bench_free();
    }
}

/* A rank that computes for ever, but whose interrupts come, is not dead. */
static void busy_is_not_dead(void **state)
{
    (void)state;
    bench_up((struct bench_shape){4, 4, 1, 136, 4096, 1});
    bench.node[2].busy = 1;
    bench_send(1, 2); /* they wait in node 2, and the others go past them */
    bench_send(1, 2);
    bench_send(1, 3);
    bench_send(3, 1);
    for (uint32_t t = 0; t < 10u * bench.times.dead; t++)
        bench_tick();
    nobody_lost();
    assert_int_equal(bench.node[3].got[1], 1);
    assert_int_equal(bench.node[1].got[3], 1);
    bench.node[2].busy = 0;
    bench_drain(1000);
    bench_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut),
                                       cmocka_unit_test(cut_one_way),
                                       cmocka_unit_test(cut_tiny),
                                       cmocka_unit_test(node_dies),
                                       cmocka_unit_test(node_dies_tiny),
                                       cmocka_unit_test(last_words),
                                       cmocka_unit_test(late_is_not_lost),
                                       cmocka_unit_test(no_memory_for_early),
                                       cmocka_unit_test(second_failure),
                                       cmocka_unit_test(takes_all_when_cut_off),
                                       cmocka_unit_test(both_ends_know),
                                       cmocka_unit_test(more_die),
                                       cmocka_unit_test(restart),
                                       cmocka_unit_test(busy_is_not_dead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
