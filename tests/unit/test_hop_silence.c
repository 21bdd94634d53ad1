/* How a reliable link ends, and how it does not: heartbeats, silence, babble. Virtual time; one tick a step.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_lane.h"
#include "fake_neighbours.h"
#include "hop_bench.h"

static void heartbeats_keep_it_open(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    steps(&n, 5000);
    assert_int_equal(n.end[0].hop.state, HOP_OPEN);
    assert_in_range(n.cable->way[0].frames, 5000 / 25, 5000 / 25 + 5);
    neighbours_fini(&n);
}

/* Woken only when it asks for it or something comes, it misses nothing. */
static void sleeps_long_enough_and_no_longer(void **state)
{
    (void)state;
    struct neighbours n;
    uint32_t turns = 0;
    uint8_t seen[16] = {0};
    opened(&n, 1);
    steps(&n, 30);
    n.cable->watch = lose_first_time;
    n.cable->context = seen;
    n.end[0].to_send = 6;
    for (uint32_t now = n.cable->now, end = now + 2000; now != end; n.cable->now = ++now) {
        for (int i = 0; i < 2; i++)
            n.end[i].stopped =
                !n.cable->way[!i].held && mpico_hop_sleep(&n.end[i].hop, now) > 0 && n.end[i].sent == n.end[i].to_send;
        turns += (uint32_t)(!n.end[0].stopped + !n.end[1].stopped);
        neighbours_step(&n);
        if (now == end - 2000 + 12) {
            assert_int_equal(n.end[1].got, 6);
            assert_int_equal(mpico_hop_room(&n.end[0].hop), 8);
        }
    }
    assert_int_equal(n.end[0].hop.state, HOP_OPEN);
    assert_int_equal(n.end[0].hop.resent, 6);
    assert_in_range(turns, 2 * 2000 / 25, 4 * 2000 / 25 + 20);
    neighbours_fini(&n);
}

static void silence(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.end[0].to_send = n.end[1].to_send = 20;
    n.end[1].idle = 1;
    assert_int_equal(neighbours_run(&n, 50), -1); /* end 1 takes nothing: 8 come, 8 wait */
    assert_null(n.wrong);
    cable_cut(n.cable);
    steps(&n, n.times.dead - n.times.heartbeat - 2);
    assert_int_equal(n.end[0].hop.state, HOP_OPEN);
    uint64_t sent = n.cable->way[0].bytes;
    assert_true(sent > 0);
    steps(&n, n.times.heartbeat + 3);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(n.end[i].hop.state, HOP_CUT);
        assert_int_equal(n.end[i].hop.trouble, HOP_SILENT);
    }
    /* What had come can be read, what has not gone can be had back, and nothing more is sent. */
    sent = n.cable->way[0].bytes;
    size_t len;
    uint8_t bytes[64];
    for (unsigned i = 0; i < 8; i++) {
        const uint8_t *unsent = mpico_hop_unsent(&n.end[0].hop, i, &len);
        uint32_t number = n.end[0].hop.acked + i;
        assert_non_null(unsent);
        assert_int_equal(number, 8 + i);
        assert_int_equal(len, message_len(&n, 0, number));
        message_fill(0, number, bytes, len);
        assert_memory_equal(unsent, bytes, len);
    }
    assert_null(mpico_hop_unsent(&n.end[0].hop, 8, &len));
    n.end[1].idle = 0;
    steps(&n, 100);
    assert_null(n.wrong);
    assert_int_equal(n.end[1].got, 8);
    assert_int_equal(n.cable->way[0].bytes, sent);
    assert_int_equal(mpico_hop_sleep(&n.end[0].hop, n.cable->now), UINT32_MAX);
    neighbours_fini(&n);
}

/* Only what end 0 sends is lost: both ends must notice, end 0 because end 1 falls silent when it has cut. */
static void one_direction_is_cut(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.cable->way[0].cut = 1;
    steps(&n, n.times.dead + 1);
    assert_int_equal(n.end[1].hop.trouble, HOP_SILENT);
    assert_int_equal(n.end[0].hop.state, HOP_OPEN);
    steps(&n, n.times.dead + 1);
    assert_int_equal(n.end[0].hop.trouble, HOP_SILENT);
    neighbours_fini(&n);
}

static void babble(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.cable->way[0].babble = 3;
    steps(&n, 520);
    assert_int_equal(n.end[1].hop.state, HOP_CUT);
    assert_int_equal(n.end[1].hop.trouble, HOP_BABBLES);
    assert_int_equal(n.end[1].got, 0);
    neighbours_fini(&n);
    /* A few bytes are no babble. */
    opened(&n, 1);
    n.cable->way[0].babble = 1;
    steps(&n, 520);
    assert_int_equal(n.end[1].hop.trouble, HOP_SILENT);
    neighbours_fini(&n);
}

static void trouble_while_opening(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    neighbours_open(&n, 0, NONCE_A);
    n.end[1].stopped = 1;
    steps(&n, 499);
    assert_int_equal(n.end[0].hop.trouble, HOP_FINE);
    steps(&n, 2);
    assert_int_equal(n.end[0].hop.trouble, HOP_SILENT);
    n.cable->way[1].babble = 50;
    steps(&n, 100);
    assert_int_equal(n.end[0].hop.trouble, HOP_BABBLES);
    assert_int_equal(n.end[0].hop.state, HOP_OPENING);
    n.cable->way[1].babble = 0;
    n.end[1].stopped = 0;
    neighbours_open(&n, 1, NONCE_B);
    assert_int_equal(neighbours_meet(&n, 600), 0);
    assert_int_equal(n.end[0].hop.trouble, HOP_FINE);
    neighbours_fini(&n);
}

/* The neighbour starts again in the middle of its longest frame. What it sends then must not be taken for the rest. */
static void lost_end_of_a_frame(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    n.slot_bytes = 4000;
    open_both(&n);
    traffic(&n, 1, 50);
    /* A head of this session, and nothing of its 4000 bytes; then heartbeats alone. */
    uint8_t longest[4000] = {0};
    assert_int_equal(mpico_hop_send(&n.end[0].hop, longest, sizeof longest, NULL, 0), 0);
    n.cable->way[0].put_max = HOP_HEAD;
    n.cable->capacity = 0;
    mpico_hop_turn(&n.end[0].hop, n.cable->now);
    n.cable->capacity = HOP_HEAD;
    mpico_hop_turn(&n.end[0].hop, n.cable->now);
    assert_int_equal(n.cable->way[0].built, HOP_HEAD);
    n.cable->capacity = 8192;
    n.cable->way[0].put_max = 0;
    neighbours_open(&n, 0, NONCE_A + 1); /* the head goes off */
    steps(&n, 400);
    assert_int_equal(n.end[1].hop.damaged, 1);
    assert_int_equal(n.end[1].hop.state, HOP_CUT);
    assert_int_equal(n.end[1].hop.trouble, HOP_RESTART);
    neighbours_fini(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heartbeats_keep_it_open),
        cmocka_unit_test(sleeps_long_enough_and_no_longer),
        cmocka_unit_test(silence),
        cmocka_unit_test(one_direction_is_cut),
        cmocka_unit_test(babble),
        cmocka_unit_test(trouble_while_opening),
        cmocka_unit_test(lost_end_of_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
