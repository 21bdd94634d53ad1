/* test_price.c: prices of small programs by a model whose numbers make the sum visible in its digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/price.h"

/* send 1, recv 10, latency 100 and a byte 1000 on the way; from 8 bytes on by rendezvous; a change 10^6. */
static const struct model model = {
    .processors = 8,
    .change = 1000000,
    .hop = 7,
    .copy_byte = 3,
    .combine_byte = 5,
    .segments = 2,
    .segment = {{.latency = 100, .send = 1, .recv = 10, .way_byte = 1000},
                {.from = 8, .rendezvous = 1, .latency = 100, .send = 1, .recv = 10, .way_byte = 1000}}};

enum { RANKS = 4, STEPS = 8 };

static struct price_step steps[RANKS][STEPS];
static struct price_program program[RANKS];

static void clear(void)
{
    for (int i = 0; i < RANKS; i++)
        program[i] = (struct price_program){.step = steps[i]};
}

static uint32_t add(int rank, enum price_kind kind, int peer, uint64_t bytes, uint32_t wait)
{
    struct price_program *p = &program[rank];
    p->step[p->count] =
        (struct price_step){.kind = (uint8_t)kind, .peer = peer, .wait = wait, .after = -1, .bytes = bytes};
    return p->count++;
}

static uint64_t price_calls(const struct model *m, int ranks, int calls, struct wires *wires)
{
    size_t all = 0;
    for (int i = 0; i < ranks; i++)
        all += program[i].count;
    void *memory = malloc(mpico_price_bytes(ranks, all * (size_t)calls));
    assert_non_null(memory);
    uint64_t time = mpico_price(m, program, ranks, calls, wires, memory);
    free(memory);
    return time;
}

static uint64_t price(const struct model *m, int ranks, struct wires *wires) { return price_calls(m, ranks, 1, wires); }

static void one_message(void **state)
{
    (void)state;
    clear();
    add(0, PRICE_SEND, 1, 2, 0);
    add(1, PRICE_RECV, 0, 2, 0);
    assert_int_equal(price(&model, 2, NULL), 1 + 100 + 2000 + 10);
}

static void the_way_back_waits_for_the_way_there(void **state)
{
    (void)state;
    clear();
    add(0, PRICE_SEND, 1, 0, 0);
    add(0, PRICE_RECV, 1, 0, 1);
    add(1, PRICE_RECV, 0, 0, 0);
    add(1, PRICE_SEND, 0, 0, 1);
    assert_int_equal(price(&model, 2, NULL), 2 * (1 + 100 + 10));
}

/* The receiver posts behind a copy of 100 bytes; an eager message has arrived by then, one by rendezvous begins then. */
static void rendezvous_waits_for_the_receiver(void **state)
{
    (void)state;
    for (int bytes = 1; bytes <= 8; bytes += 7) {
        clear();
        add(0, PRICE_SEND, 1, (uint64_t)bytes, 0);
        add(1, PRICE_COPY, -1, 10000, 0);
        add(1, PRICE_RECV, 0, (uint64_t)bytes, 1);
        assert_int_equal(price(&model, 2, NULL), 30000 + (bytes == 8 ? 8000 : 0) + 10);
    }
}

/* The sender of the second does not wait for the first one's arrival. */
static void calls_in_a_row_overlap(void **state)
{
    (void)state;
    clear();
    add(0, PRICE_SEND, 1, 0, 0);
    add(1, PRICE_RECV, 0, 0, 0);
    assert_int_equal(price_calls(&model, 2, 2, NULL), (1 + 100 + 10 + 10) / 2);
    add(0, PRICE_RECV, 1, 0, 1);
    add(1, PRICE_SEND, 0, 0, 1);
    assert_int_equal(price_calls(&model, 2, 5, NULL), 2 * (1 + 100 + 10));
}

static uint64_t links[64];

static struct wires *wires(const char *text)
{
    static struct wires w;
    assert_int_equal(mpico_wires_read(&w, text), 0);
    assert_true(mpico_wires_links(&w) <= sizeof links / sizeof *links);
    memset(links, 0, sizeof links);
    w.free = links;
    return &w;
}

static void hops_lengthen_the_way(void **state)
{
    (void)state;
    clear();
    add(0, PRICE_SEND, 3, 0, 0);
    add(3, PRICE_RECV, 0, 0, 0);
    assert_int_equal(price(&model, 4, wires("mesh:4")), 1 + 100 + 2 * 7 + 10);
    assert_int_equal(price(&model, 4, wires("torus:4")), 1 + 100 + 10);
    assert_int_equal(price(&model, 4, wires("ring:4")), 1 + 100 + 2 * 7 + 10);
    assert_int_equal(price(&model, 4, wires("mesh:2x2")), 1 + 100 + 7 + 10);
}

/* 0 to 2 and 1 to 3 share the link from 1 to 2, which the first to leave has first; in opposite directions they share none. */
static void messages_wait_for_a_link(void **state)
{
    (void)state;
    const uint64_t alone = 1 + 100 + 7 + 4000 + 10;
    clear();
    add(0, PRICE_SEND, 2, 4, 0);
    add(2, PRICE_RECV, 0, 4, 0);
    add(1, PRICE_SEND, 3, 4, 0);
    add(3, PRICE_RECV, 1, 4, 0);
    assert_int_equal(price(&model, 4, NULL), alone - 7);
    assert_int_equal(price(&model, 4, wires("mesh:4")), alone + 4000 + 7);
    clear();
    add(0, PRICE_SEND, 2, 4, 0);
    add(2, PRICE_RECV, 0, 4, 0);
    add(3, PRICE_SEND, 1, 4, 0);
    add(1, PRICE_RECV, 3, 4, 0);
    assert_int_equal(price(&model, 4, wires("mesh:4")), alone);
}

static void a_port_has_one_message_at_a_time(void **state)
{
    (void)state;
    clear();
    for (int to = 1; to < 3; to++) {
        add(0, PRICE_SEND, to, 4, 0);
        add(to, PRICE_RECV, 0, 4, 0);
    }
    uint64_t alone = 1 + 100 + 4000 + 10;
    assert_int_equal(price(&model, 3, NULL), alone + 1); /* the second send begins when the first has */
    assert_int_equal(price(&model, 3, wires("crossbar:3")), alone + 4000);
    clear();
    for (int from = 1; from < 3; from++) {
        add(from, PRICE_SEND, 0, 4, 0);
        add(0, PRICE_RECV, from, 4, 0);
    }
    assert_int_equal(price(&model, 3, NULL), alone + 10);
    assert_int_equal(price(&model, 3, wires("crossbar:3")), alone + 4000);
    struct wires w;
    assert_int_equal(mpico_wires_read(&w, "crossbar:2x2"), -1);
}

static void steps_have_times(void **state)
{
    (void)state;
    clear();
    add(0, PRICE_SEND, 1, 2, 0);
    add(1, PRICE_RECV, 0, 2, 0);
    add(1, PRICE_COPY, 0, 2, 1);
    char *memory = malloc(mpico_price_bytes(2, 3));
    assert_non_null(memory);
    uint64_t there = 1 + 100 + 2000 + 10, all = mpico_price(&model, program, 2, 1, NULL, memory);
    struct price_times send = mpico_price_times(memory, 0), recv = mpico_price_times(memory, 1),
                       copy = mpico_price_times(memory, 2);
    assert_int_equal(all, there + 6);
    assert_true(send.begin == 0 && send.end == 1);
    assert_true(recv.begin == 0 && recv.end == there);
    assert_true(copy.begin == there && copy.end == all);
    free(memory);
}

static void what_are_no_wires_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "ring",
                                        "mesh:",
                                        "mesh:0",
                                        "mesh:4x",
                                        "mesh:x4",
                                        "ring:2x2",
                                        "mesh:2x2x2x2x2",
                                        "mesh:99999999999999",
                                        "mesh:4096x4096",
                                        "mesh:4 ",
                                        "star:4"};
    struct wires w;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(mpico_wires_read(&w, wrong[i]), -1);
}

/* Two ranks with a processor each, or one that goes from the first to the second. */
static void a_shared_processor_changes(void **state)
{
    (void)state;
    struct model one = model;
    one.processors = 1;
    clear();
    add(0, PRICE_COMBINE, -1, 100, 0);
    add(1, PRICE_COMBINE, -1, 100, 0);
    assert_int_equal(price(&model, 2, NULL), 500);
    assert_int_equal(price(&one, 2, NULL), 1000 + 1000000);
}

/* Three ranks take turns: a message from 0 to 1 is met in the next turn, from 1 to 0 in the one after that of 2. */
static void ranks_of_a_processor_take_turns(void **state)
{
    (void)state;
    struct model one = model;
    one.processors = 1;
    for (int from = 0; from < 2; from++) {
        clear();
        add(from, PRICE_SEND, 1 - from, 0, 0);
        add(1 - from, PRICE_RECV, from, 0, 0);
        add(2, PRICE_COPY, -1, 0, 0);
        uint64_t changes = from ? 3 : 1;
        assert_in_range(price(&one, 3, NULL), changes * 1000000, (from ? 3 : 2) * 1000000 + 500);
    }
}

/* 8000 bytes at 1 a byte of the receiver's: the sender that waits takes half of them, one that copies 10^6 bytes meanwhile does not. */
static void a_sender_that_waits_copies_too(void **state)
{
    (void)state;
    struct model both = {
        .processors = 2, .copy_byte = 1, .segments = 1, .segment = {{.rendezvous = 1, .recv_byte = 1, .copiers = 2}}};
    for (int busy = 0; busy < 2; busy++) {
        clear();
        add(0, PRICE_SEND, 1, 8000, 0);
        if (busy)
            add(0, PRICE_COPY, -1, 1000000, 0);
        add(1, PRICE_RECV, 0, 8000, 0);
        add(1, PRICE_COPY, -1, busy ? 992000 : 0, 1);
        assert_int_equal(price(&both, 2, NULL), busy ? 1000000 : 4000);
    }
    both.processors = 1; /* nobody waits on a processor of its own */
    clear();
    add(0, PRICE_SEND, 1, 8000, 0);
    add(1, PRICE_RECV, 0, 8000, 0);
    assert_int_equal(price(&both, 2, NULL), 8000);
}

static void a_gap_keeps_sends_apart(void **state)
{
    (void)state;
    struct model slow = model;
    slow.gap = 50000;
    clear();
    for (int i = 0; i < 3; i++) {
        add(0, PRICE_SEND, 1, 0, 0);
        add(1, PRICE_RECV, 0, 0, 0);
    }
    assert_int_equal(price(&slow, 2, NULL), 2 * 50000 + 1 + 100 + 10);
}

static void a_message_to_all_is_one_send(void **state)
{
    (void)state;
    clear();
    add(1, PRICE_SEND, -1, 0, 0);
    for (int i = 0; i < RANKS; i++)
        if (i != 1)
            add(i, PRICE_RECV, 1, 0, 0);
    assert_int_equal(price(&model, RANKS, NULL), 1 + 100 + 10);
}

static void programs_that_do_not_fit_have_no_price(void **state)
{
    (void)state;
    clear();
    add(1, PRICE_RECV, 0, 0, 0);
    assert_true(price(&model, 2, NULL) == UINT64_MAX);
    clear(); /* each waits for the other's message before it sends */
    for (int i = 0; i < 2; i++) {
        add(i, PRICE_RECV, 1 - i, 0, 0);
        add(i, PRICE_SEND, 1 - i, 0, 1);
    }
    assert_true(price(&model, 2, NULL) == UINT64_MAX);
}

static void numbers_are_read(void **state)
{
    (void)state;
    struct model m;
    assert_int_equal(mpico_model_read(&m, "2 1 2 3 4 5 6 2 0 0 10 11 12 13 14 15 1 8192 1 20 21 22 23 24 25 2"), 0);
    assert_int_equal(m.processors, 2);
    assert_int_equal(m.combine_byte, 6);
    assert_ptr_equal(model_segment(&m, 8191), &m.segment[0]);
    assert_ptr_equal(model_segment(&m, 8192), &m.segment[1]);
    assert_int_equal(m.segment[1].way_byte, 25);
    assert_int_equal(m.segment[1].copiers, 2);
}

static void what_is_no_model_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "2",
        "0 1 2 3 4 5 6 1 0 0 1 1 1 1 1 1 1",                       /* no processor */
        "2 1 2 3 4 5 6 0",                                         /* no segment */
        "2 1 2 3 4 5 6 9 0 0 1 1 1 1 1 1 1",                       /* too many */
        "2 1 2 3 4 5 6 1 5 0 1 1 1 1 1 1 1",                       /* the first one not from 0 */
        "2 1 2 3 4 5 6 2 0 0 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 1",     /* not ascending */
        "2 1 2 3 4 5 6 1 0 0 1 1 1 1 1 1 1 x",                     /* more */
        "2 1 2 3 4 5 6 1 0 0 1 1 1 1 1 1",                         /* less */
        "2 1 2 3 4 5 6 1 0 0 1 1 1 1 1 1 99999999999999999999999", /* too large */
        "2 -1 2 3 4 5 6 1 0 0 1 1 1 1 1 1 1",
    };
    struct model m;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(mpico_model_read(&m, wrong[i]), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_message),
        cmocka_unit_test(the_way_back_waits_for_the_way_there),
        cmocka_unit_test(rendezvous_waits_for_the_receiver),
        cmocka_unit_test(calls_in_a_row_overlap),
        cmocka_unit_test(hops_lengthen_the_way),
        cmocka_unit_test(messages_wait_for_a_link),
        cmocka_unit_test(a_port_has_one_message_at_a_time),
        cmocka_unit_test(steps_have_times),
        cmocka_unit_test(what_are_no_wires_is_refused),
        cmocka_unit_test(a_shared_processor_changes),
        cmocka_unit_test(ranks_of_a_processor_take_turns),
        cmocka_unit_test(a_sender_that_waits_copies_too),
        cmocka_unit_test(a_gap_keeps_sends_apart),
        cmocka_unit_test(a_message_to_all_is_one_send),
        cmocka_unit_test(programs_that_do_not_fit_have_no_price),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(what_is_no_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
