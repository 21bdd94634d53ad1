/* The ring of src/net/relay.c whose links hold: every packet arrives once, whole, in the order of its pair, whatever the cables do,
 * however few the slots are; and nodes leave together.
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

static void all_to_all(struct bench_shape s, uint32_t per_million, uint32_t limit)
{
    bench_up(s);
    bench.refuse = 20;
    bench_faults(cable_all_faults(per_million));
    assert_true(bench_traffic(limit, 4000000));
    bench_drain(100000);
    for (int i = 0; i < s.nodes; i++) {
        struct relay *g = &bench.node[i].relay;
        assert_string_equal(bench.node[i].said, "");
        assert_int_equal(g->dropped, 0);
        assert_int_equal(g->damaged, 0);
        assert_int_equal(g->duplicates, 0);
        assert_int_equal(g->missing, 0);
    }
    bench_faults((struct cable_faults){0});
    uint32_t took = bench_leave(2000);
    assert_true(took <
                bench.times.dead + 100u); /* longer than a heartbeat only when damage has swallowed the last news */
    bench_free();
}

static void clean(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++)
        all_to_all((struct bench_shape){n, 4, 1, 136, 4096, (uint64_t)n}, 0, 60);
    all_to_all((struct bench_shape){16, 8, 8, 300, 4096, 3}, 0, 10);
}

static void faults(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++) {
        all_to_all((struct bench_shape){n, 8, 4, 136, 4096, (uint64_t)n}, 10000, 30);
        all_to_all((struct bench_shape){n, 4, 2, 136, 4096, (uint64_t)n}, 100000, 10);
    }
}

/* The fewest slots, and cables that hold hardly more than a frame. */
static void tiny(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        int n = 2 + (int)seed % 8, slots = 1 << seed % 3;
        all_to_all((struct bench_shape){n, slots, 1, 48, 70, seed}, seed % 4 == 3 ? 10000 : 0, 40);
    }
}

/* From a node that is not quite of this ring. */
static void strange_frames(void **state)
{
    (void)state;
    static const uint8_t strange[][8] = {{9, 0, 0, 0, 1, 0, 0, 0}, /* to rank 9 */
                                         {2, 0, 4, 0, 1, 0, 0, 0}, /* from rank 4 */
                                         {1, 0, 0xff, 0xff, 1, 0, 0, 0},
                                         {1, 0, 0, 0, 7, 0, 0, 0},  /* of kind 7 */
                                         {2, 0, 0, 0, 2, 0, 0, 0}}; /* a roll, long after the start */
    static const uint8_t tired[8] = {2, 0, 0, 0, 1, 8, 0, 0};       /* has been passed on by 8 */
    uint8_t packet[32] = {0};
    bench_up((struct bench_shape){4, 4, 1, 136, 4096, 1});
    struct hop *to_1 = &bench.node[0].relay.right;
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        while (mpico_hop_send(to_1, strange[i], 8, packet, 32))
            bench_tick();
        while (mpico_hop_send(to_1, strange[i], 8, packet, i)) /* too short, too */
            bench_tick();
    }
    while (mpico_hop_send(to_1, tired, 8, packet, 32))
        bench_tick();
    for (int i = 0; i < 100; i++)
        bench_tick();
    assert_int_equal(bench.node[1].relay.damaged, 2 * sizeof strange / sizeof *strange);
    assert_int_equal(bench.node[1].relay.dropped, 1);
    assert_int_equal(bench.node[2].relay.damaged + bench.node[2].relay.dropped, 0);
    assert_true(bench_traffic(20, 100000));
    bench_drain(10000);
    bench_free();
}

/* What a node has for others does not wait for its program, and what it has for itself does. */
static void while_it_computes(void **state)
{
    (void)state;
    bench_up((struct bench_shape){5, 4, 1, 136, 4096, 2});
    bench.node[2].busy = bench.node[3].busy = 1;
    bench_send(1, 2);
    bench_send(1, 3);
    bench_send(1, 4);
    bench_send(0, 1);
    for (int t = 0; t < 30; t++)
        bench_tick();
    assert_int_equal(bench.node[4].got[1], 1);
    assert_int_equal(bench.node[1].got[0], 1);
    assert_int_equal(bench.node[2].got[1] + bench.node[3].got[1], 0);
    bench.node[2].busy = bench.node[3].busy = 0;
    bench_drain(100);
    bench_free();
}

/* The rank in the middle has ended: it stays for what the others have to say to each other. */
static void leaves_last(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        bench_up((struct bench_shape){4, 4, 1, 136, 4096, seed});
        bench_faults(cable_all_faults(seed % 2 ? 0 : 10000));
        bench_leave_first(1, 100000);
        for (int t = 0; t < 2000; t++) {
            bench_send(0, 2);
            bench_send(3, 2);
            if (t % 100 == 0)
                bench_send(0, 1); /* nobody takes it any more, and it must not stand in the way */
            bench_tick();
        }
        bench.node[0].sent[1] = 0;
        assert_int_equal(bench.node[1].left, 0);
        bench_drain(2000);
        assert_true(bench.node[2].got[0] > 100);
        bench_faults((struct cable_faults){0});
        assert_true(bench_leave(2000) < bench.times.dead + 100u);
        bench_free();
    }
}

static void turn(int node) { mpico_relay_turn(&bench.node[node].relay, bench.now); }

/* Room that the right neighbour gives is used in the same turn. */
static void room_is_used_at_once(void **state)
{
    (void)state;
    bench_up((struct bench_shape){3, 1, 1, 136, 4096, 5});
    struct relay *middle = &bench.node[1].relay, *last = &bench.node[2].relay;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bench_send(0, 2), 0);
        for (int t = 0; t < 4; t++) { /* node 2 does nothing: the first stops in the slot of 1 to the right, */
            turn(1);
            turn(0);
        }
    }
    assert_int_equal(middle->right.flying, 1);
    assert_int_equal(middle->left.ready, 1); /* the second in the one before */
    last->link.ops->poll(&last->link, -1, 1);
    turn(2);
    assert_int_equal(bench.node[2].got[0], 1);
    turn(1);
    assert_int_equal(middle->left.ready, 0);
    assert_int_equal(middle->right.flying, 1);
    turn(2);
    bench_drain(100);
    bench_free();
}

/* A send for which there is no room moves nothing: what makes room is found by poll(), which then tries again. */
static void a_send_in_vain(void **state)
{
    (void)state;
    bench_up((struct bench_shape){3, 1, 1, 136, 4096, 6});
    struct relay *first = &bench.node[0].relay;
    for (int t = 0; t < 10; t++) /* the start signal leaves the slots */
        bench_tick();
    assert_int_equal(bench_send(0, 2), 0);
    for (int i = 1; i < 3; i++)
        turn(i);
    assert_int_equal(bench_send(0, 2), MPICO_AGAIN); /* the acknowledgement is on the cable */
    assert_int_equal(mpico_hop_room(&first->right), 0);
    first->link.ops->poll(&first->link, -1, 1);
    assert_int_equal(bench_send(0, 2), 0);
    bench_drain(100);
    bench_free();
}

/* A message to oneself waits for memory. */
static void no_memory(void **state)
{
    (void)state;
    bench_make((struct bench_shape){1, 4, 1, 136, 4096, 2});
    bench.arena_bytes = 2048;
    bench_start(100);
    bench_is_up();
    while (bench_send(0, 0) == 0)
        assert_true(bench.node[0].sent[0] < 100);
    assert_true(bench.node[0].sent[0] > 4);
    bench_drain(100);
    assert_int_equal(bench_send(0, 0), 0);
    bench_drain(100);
    assert_int_equal(bench_leave(100), 1);
    bench_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clean),
                                       cmocka_unit_test(faults),
                                       cmocka_unit_test(tiny),
                                       cmocka_unit_test(strange_frames),
                                       cmocka_unit_test(while_it_computes),
                                       cmocka_unit_test(no_memory),
                                       cmocka_unit_test(room_is_used_at_once),
                                       cmocka_unit_test(a_send_in_vain),
                                       cmocka_unit_test(leaves_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
