/* The reliable link between two neighbours carries each frame once and in order, and stops a sender whose neighbour has no
 * room. Virtual time; one tick a step.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "fake_lane.h"
#include "fake_neighbours.h"
#include "hop_bench.h"

static void byte_by_byte(void **state)
{
    (void)state;
    for (size_t put = 1; put < 4; put++)
        for (size_t get = 1; get < 4; get++) {
            struct neighbours n;
            neighbours_init(&n, 1);
            for (int i = 0; i < 2; i++) {
                n.cable->way[i].put_max = put;
                n.cable->way[i].get_max = get;
            }
            open_both(&n);
            traffic(&n, 300, 5000);
            assert_int_equal(n.end[0].hop.resent + n.end[0].hop.noise + n.end[0].hop.damaged, 0);
            neighbours_fini(&n);
        }
}

/* A cable that holds less than one frame, so that every frame goes in pieces over several ticks. */
static void narrow_cable(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    n.cable->capacity = HOP_HEAD + 64 + HOP_TAIL; /* the cable forwards whole frames */
    n.cable->way[0].put_max = 5;
    open_both(&n);
    n.any_order = 1;
    traffic(&n, 500, 20000);
    neighbours_fini(&n);
}

static void every_number_of_slots(void **state)
{
    (void)state;
    for (unsigned out = 1; out <= 8; out *= 2)
        for (unsigned in = 1; in <= 8; in *= 2)
            for (uint32_t faults = 0; faults <= 100000; faults += 50000) {
                struct neighbours n;
                neighbours_init(&n, out * 16 + in);
                n.times.dead = 20000;
                n.slots[0] = out;
                n.slots[1] = in;
                n.any_order = 1;
                cable_faults(n.cable, cable_all_faults(faults));
                open_both(&n);
                traffic(&n, 500, 200000);
                neighbours_fini(&n);
            }
}

static void no_room_stops_the_sender(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.end[1].idle = 1;
    n.end[0].to_send = 100;
    steps(&n, 300);
    assert_int_equal(n.end[0].sent, 16); /* 8 have come and are acknowledged, 8 wait here */
    assert_int_equal(n.end[1].hop.expected, 8);
    assert_int_equal(n.end[1].hop.duplicates, 0);
    assert_int_equal(n.end[0].hop.resent, 0);
    n.end[1].idle = 0;
    assert_int_equal(neighbours_run(&n, 300), 0);
    assert_int_equal(n.end[1].hop.duplicates, 0);
    neighbours_fini(&n);
}

/* With one slot each way the news that it is free again may be lost: then it comes with the next heartbeat. */
static void lost_news_of_room(void **state)
{
    (void)state;
    for (int lost = 0; lost < 12; lost++) {
        struct neighbours n;
        struct loss loss = {1, lost, lost + 1, 0};
        neighbours_init(&n, 1);
        n.slots[0] = n.slots[1] = 1;
        open_both(&n);
        assert_int_equal(neighbours_meet(&n, 100), 0);
        n.cable->watch = lose_some;
        n.cable->context = &loss;
        n.end[0].to_send = 20;
        assert_int_equal(neighbours_run(&n, 200), 0);
        neighbours_fini(&n);
    }
}

static void news_passes_full_slots(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.end[0].idle = n.end[1].idle = 1;
    n.end[0].to_send = n.end[1].to_send = 100;
    steps(&n, 100);
    for (int i = 0; i < 2; i++) {
        memset(n.end[i].hop.news, 7 + i, HOP_NEWS_BYTES);
        n.end[i].hop.news_due = 1;
    }
    steps(&n, 2);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < HOP_NEWS_BYTES; k++)
            assert_int_equal(n.end[!i].hop.peer_news[k], 7 + i);
    /* Without being due they go with the next heartbeat, though data is sent all the time. */
    n.end[0].idle = n.end[1].idle = 0;
    n.end[0].to_send = n.end[1].to_send = 1000000;
    n.end[0].hop.news[0] = 99;
    steps(&n, n.times.heartbeat + 2);
    assert_int_equal(n.end[1].hop.peer_news[0], 99);
    assert_null(n.wrong);
    neighbours_fini(&n);
}

/* A gap that the receiver sees is closed long before the time of `resend` is over. */
static void gap_is_closed_at_once(void **state)
{
    (void)state;
    for (int lost = 0; lost < 7; lost++) { /* what is lost last shows no gap */
        uint8_t seen[16];
        struct neighbours n;
        opened(&n, 1);
        n.times.resend = 400;
        memset(seen, 1, sizeof seen);
        seen[lost] = 0;
        n.cable->watch = lose_first_time;
        n.cable->context = seen;
        n.end[0].to_send = 8;
        assert_int_equal(neighbours_run(&n, 10), 0);
        assert_int_equal(n.end[0].hop.resent, 1);
        neighbours_fini(&n);
    }
}

/* Acknowledgements that come before the frame that went again can have arrived do not make it go once more. */
static void gap_is_closed_once(void **state)
{
    (void)state;
    uint8_t seen[16];
    struct neighbours n;
    opened(&n, 1);
    n.times.resend = 400;
    n.cable->way[0].latency = n.cable->way[1].latency = 2;
    memset(seen, 1, sizeof seen);
    seen[0] = 0;
    n.cable->watch = lose_first_time;
    n.cable->context = seen;
    for (int i = 0; i < 8; i++) {
        n.end[0].to_send++;
        neighbours_step(&n);
    }
    assert_int_equal(neighbours_run(&n, 10), 0);
    assert_int_equal(n.end[0].hop.resent, 1);
    neighbours_fini(&n);
}

static int lose_first_twice(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    uint8_t *seen = c->context;
    (void)len;
    return from != 0 || kind_of(frame) != DATA || frame[SEQUENCE] != 0 || (*seen)++ >= 2;
}

/* After `resend` only what the neighbour has not said to have goes again. */
static void only_what_is_missing_goes_again(void **state)
{
    (void)state;
    uint8_t seen = 0;
    struct neighbours n;
    opened(&n, 1);
    n.cable->watch = lose_first_twice;
    n.cable->context = &seen;
    n.end[0].to_send = 8;
    assert_int_equal(neighbours_run(&n, 30), 0);
    assert_int_equal(n.end[0].hop.resent, 2);
    assert_int_equal(n.end[1].hop.duplicates, 0);
    neighbours_fini(&n);
}

/* A frame that goes out a second time when its acknowledgement comes: its slot is not used again before it is gone. */
static void acknowledged_while_it_goes_again(void **state)
{
    (void)state;
    uint32_t resent = 0;
    for (uint32_t resend = 1; resend < 40; resend++) {
        struct neighbours n;
        neighbours_init(&n, resend);
        n.times.resend = (uint16_t)resend;
        n.slots[0] = 1 + resend % 2;
        n.cable->way[0].rate = 7;
        n.cable->way[1].latency = 11;
        open_both(&n);
        n.end[0].to_send = 200;
        assert_int_equal(neighbours_run(&n, 20000), 0);
        resent += n.end[0].hop.resent;
        assert_int_equal(n.end[1].hop.damaged, 0);
        neighbours_fini(&n);
    }
    assert_true(resent > 1000);
}

static void last_frame_goes_again(void **state)
{
    (void)state;
    uint8_t seen[16] = {0};
    struct neighbours n;
    opened(&n, 1);
    n.cable->watch = lose_first_time;
    n.cable->context = seen;
    n.end[0].to_send = 8;
    steps(&n, 9);
    assert_int_equal(n.end[1].got, 0);
    assert_int_equal(neighbours_run(&n, 5), 0);
    assert_int_equal(n.end[0].hop.resent, 8);
    neighbours_fini(&n);
}

static int lose_acks(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    (void)c;
    (void)len;
    return from == 0 || kind_of(frame) == HELLO;
}

static void duplicates_are_acknowledged(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.cable->watch = lose_acks;
    n.end[0].to_send = 3;
    steps(&n, 25);
    assert_int_equal(n.end[1].got, 3);
    assert_int_equal(n.end[1].hop.duplicates, 6); /* two resends of three frames */
    assert_int_equal(mpico_hop_room(&n.end[0].hop), 5);
    n.cable->watch = NULL;
    steps(&n, 12);
    assert_int_equal(mpico_hop_room(&n.end[0].hop), 8);
    assert_null(n.wrong);
    neighbours_fini(&n);
}

static void sequence_numbers_wrap(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.any_order = 1;
    cable_faults(n.cable, cable_all_faults(2000));
    traffic(&n, 150000, 400000);
    assert_int_equal(n.end[0].hop.expected, 150000 % 65536);
    neighbours_fini(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_by_byte),
        cmocka_unit_test(narrow_cable),
        cmocka_unit_test(every_number_of_slots),
        cmocka_unit_test(no_room_stops_the_sender),
        cmocka_unit_test(lost_news_of_room),
        cmocka_unit_test(news_passes_full_slots),
        cmocka_unit_test(gap_is_closed_at_once),
        cmocka_unit_test(gap_is_closed_once),
        cmocka_unit_test(only_what_is_missing_goes_again),
        cmocka_unit_test(acknowledged_while_it_goes_again),
        cmocka_unit_test(last_frame_goes_again),
        cmocka_unit_test(duplicates_are_acknowledged),
        cmocka_unit_test(sequence_numbers_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
