/* How a reliable link opens: through every loss, past frames of former sessions, and not with a neighbour that does not fit.
 * Virtual time; one tick a step.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "../../src/port.h"
#include "fake_lane.h"
#include "fake_neighbours.h"
#include "hop_bench.h"

/* ---- Opening ---- */

static void opens(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    open_both(&n);
    assert_int_equal(neighbours_meet(&n, 5), 0); /* without waiting for a heartbeat */
    assert_int_equal(n.end[0].hop.trouble, HOP_FINE);
    traffic(&n, 100, 1000);
    assert_int_equal(n.end[0].hop.resent + n.end[0].hop.damaged + n.end[0].hop.duplicates + n.end[0].hop.noise, 0);
    neighbours_fini(&n);
}

static void opens_when_one_starts_late(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    neighbours_open(&n, 0, NONCE_A);
    n.end[1].stopped = 1;
    steps(&n, 300);
    assert_int_equal(n.end[0].hop.state, HOP_OPENING);
    n.end[1].stopped = 0;
    neighbours_open(&n, 1, NONCE_B);
    assert_int_equal(neighbours_meet(&n, 60), 0);
    traffic(&n, 100, 1000);
    neighbours_fini(&n);
}

/* Every single frame of the first eight, and every row of them, of either end. */
static void opens_through_losses(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int from = 0; from < 8; from++)
            for (int until = from + 1; until <= 8; until++) {
                struct neighbours n;
                struct loss loss = {side, from, until, 0};
                neighbours_init(&n, 1);
                n.cable->watch = lose_some;
                n.cable->context = &loss;
                open_both(&n);
                assert_int_equal(neighbours_meet(&n, 400), 0);
                traffic(&n, 30, 1000);
                neighbours_fini(&n);
            }
}

static void opens_through_faults(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct neighbours n;
        neighbours_init(&n, seed);
        n.times.dead = 60000;
        cable_faults(n.cable, cable_all_faults(300000));
        open_both(&n);
        assert_int_equal(neighbours_meet(&n, 5000), 0);
        traffic(&n, 20, 20000);
        neighbours_fini(&n);
    }
}

static void sends_while_opening(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    open_both(&n);
    n.end[1].stopped = 1;
    n.end[0].to_send = 20;
    steps(&n, 20);
    assert_int_equal(n.end[0].sent, 8);
    assert_int_equal(mpico_hop_room(&n.end[0].hop), 0);
    assert_int_equal(mpico_hop_send(&n.end[0].hop, "x", 1, NULL, 0), MPICO_AGAIN);
    n.end[1].stopped = 0;
    assert_int_equal(neighbours_run(&n, 200), 0);
    neighbours_fini(&n);
}

/* ---- Sessions ---- */

struct record {
    uint8_t bytes[4096];
    size_t len;
    int from, kind; /* kind < 0: all frames */
};

static int keep_frames(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    struct record *r = c->context;
    if (from == r->from && (r->kind < 0 || kind_of(frame) == r->kind) && r->len + len <= sizeof r->bytes) {
        memcpy(r->bytes + r->len, frame, len);
        r->len += len;
    }
    return 1;
}

/* All that end 0 has sent in a session of which only its own nonce was another. */
static void record_session(struct record *r, uint32_t nonce)
{
    struct neighbours n;
    neighbours_init(&n, 1);
    n.cable->watch = keep_frames;
    n.cable->context = r;
    neighbours_open(&n, 0, nonce);
    neighbours_open(&n, 1, NONCE_B);
    n.end[0].to_send = 40;
    assert_int_equal(neighbours_run(&n, 1000), 0);
    neighbours_fini(&n);
}

static void former_session_is_noise(void **state)
{
    (void)state;
    struct record old = {.from = 0, .kind = DATA}, same = {.from = 0, .kind = DATA};
    record_session(&old, NONCE_A + 1);
    record_session(&same, NONCE_A);
    struct neighbours n;
    opened(&n, 1);
    cable_inject(n.cable, 0, old.bytes, old.len);
    steps(&n, 3);
    assert_null(n.wrong); /* a message would be one that was not sent */
    assert_int_equal(n.end[1].hop.expected, 0);
    assert_in_range(n.end[1].hop.noise, 1000, old.len);
    /* And the same bytes are frames where the nonces are the same: it is the nonces that make the difference. */
    n.end[1].idle = 1;
    cable_inject(n.cable, 0, same.bytes, same.len);
    steps(&n, 3);
    assert_int_equal(n.end[1].hop.expected, 8);
    neighbours_fini(&n);
}

static void late_hello_does_no_harm(void **state)
{
    (void)state;
    struct record old = {.from = 0, .kind = HELLO};
    record_session(&old, NONCE_A + 1);
    assert_in_range(old.len, 2 * HOP_SMALL, 8 * HOP_SMALL);
    for (int when = 0; when < 60; when += 3) {
        struct neighbours n;
        neighbours_init(&n, 1);
        open_both(&n);
        n.end[0].to_send = n.end[1].to_send = 100;
        n.end[0].idle = n.end[1].idle = when > 30;
        steps(&n, when);
        cable_inject(n.cable, 0, old.bytes, old.len);
        n.end[0].idle = n.end[1].idle = 0;
        assert_int_equal(neighbours_run(&n, 1000), 0);
        assert_int_equal(n.end[1].hop.state, HOP_OPEN);
        neighbours_fini(&n);
    }
}

/* A board that is reset twice: a HELLO of its first start has opened the link, and nothing more has come of that session. */
static void starting_twice_is_no_restart(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    n.cable->way[0].latency = 1;
    neighbours_open(&n, 0, NONCE_A + 1);
    neighbours_open(&n, 1, NONCE_B);
    for (int i = 0; i < 20 && n.end[1].hop.state != HOP_OPEN; i++)
        neighbours_step(&n);
    assert_int_equal(n.end[1].hop.state, HOP_OPEN);
    assert_int_equal(n.end[1].hop.hello.echo, NONCE_A + 1);
    neighbours_open(&n, 0, NONCE_A);
    steps(&n, 60);
    assert_int_equal(n.end[1].hop.state, HOP_OPEN);
    assert_int_equal(n.end[1].hop.hello.echo, NONCE_A);
    traffic(&n, 50, 500);
    neighbours_fini(&n);
}

static void restart_is_noticed(void **state)
{
    (void)state;
    struct neighbours n;
    opened(&n, 1);
    n.end[0].to_send = n.end[1].to_send = 1000;
    steps(&n, 50);
    neighbours_open(&n, 0, NONCE_A + 1);
    n.end[0].to_send = 0;
    n.end[1].idle = 1;
    steps(&n, 500);
    assert_int_equal(n.end[1].hop.state, HOP_CUT);
    assert_int_equal(n.end[1].hop.trouble, HOP_RESTART);
    assert_int_equal(n.end[0].hop.state, HOP_OPENING);
    assert_int_equal(n.end[0].got, 0);
    /* Also when no data has ever gone. */
    struct neighbours idle;
    opened(&idle, 1);
    steps(&idle, 60);
    neighbours_open(&idle, 0, NONCE_A + 1);
    steps(&idle, 400);
    assert_int_equal(idle.end[1].hop.trouble, HOP_RESTART);
    neighbours_fini(&idle);
    /* When the other end starts again as well, they meet. */
    neighbours_open(&n, 1, NONCE_B + 1);
    n.end[1].to_send = 0;
    n.end[1].idle = 0;
    assert_int_equal(neighbours_meet(&n, 100), 0);
    traffic(&n, 50, 500);
    neighbours_fini(&n);
}

/* ---- What does not fit ---- */

static void other_sizes(void **state)
{
    (void)state;
    struct neighbours n;
    neighbours_init(&n, 1);
    neighbours_open(&n, 0, NONCE_A);
    n.slot_bytes = 65;
    neighbours_open(&n, 1, NONCE_B);
    steps(&n, 600);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(n.end[i].hop.state, HOP_OPENING);
        assert_int_equal(n.end[i].hop.trouble, HOP_SIZES);
    }
    n.slot_bytes = 64;
    neighbours_open(&n, 1, NONCE_B + 1);
    assert_int_equal(neighbours_meet(&n, 100), 0);
    assert_int_equal(n.end[0].hop.trouble, HOP_FINE);
    neighbours_fini(&n);
}

/* The check sum once more, bit by bit. */
static uint32_t slow_check(uint32_t crc, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        crc ^= b[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return crc;
}

static void hello_of_version(uint8_t hello[HOP_SMALL], unsigned version)
{
    static const uint8_t text[] = {0xa5, 0,    0, 0, 0,  0, 0, 8, HOP_NEWS_BYTES, 0, 0, 0, 7, 0, 0, 0,
                                   0,    0x12, 0, 0, 64, 0, 0, 0};
    memcpy(hello, text, sizeof text);
    hello[KIND] = (uint8_t)(version << 4 | HELLO);
    uint32_t sum = slow_check(0xffffffff, hello, 10);
    hello[10] = (uint8_t)sum;
    hello[11] = (uint8_t)(sum >> 8);
    sum = slow_check(0xffffffff, hello, HOP_SMALL - HOP_TAIL);
    for (int i = 0; i < HOP_TAIL; i++)
        hello[HOP_SMALL - HOP_TAIL + i] = (uint8_t)(sum >> 8 * i);
}

/* The bytes of a HELLO are written here a second time, from docs/wire-format.md. */
static void other_version(void **state)
{
    (void)state;
    uint8_t hello[HOP_SMALL];
    struct neighbours n;
    neighbours_init(&n, 1);
    neighbours_open(&n, 0, NONCE_A);
    n.end[1].stopped = 1;
    hello_of_version(hello, HOP_VERSION);
    cable_inject(n.cable, 1, hello, sizeof hello);
    steps(&n, 2);
    assert_int_equal(n.end[0].hop.hello.echo, *(const uint32_t *)(const void *)(hello + 12));
    hello_of_version(hello, HOP_VERSION + 1);
    cable_inject(n.cable, 1, hello, sizeof hello);
    steps(&n, 2);
    assert_int_equal(n.end[0].hop.state, HOP_OPENING);
    assert_int_equal(n.end[0].hop.trouble, HOP_NEWER);
    assert_int_equal(n.end[0].hop.peer_version, HOP_VERSION + 1);
    neighbours_fini(&n);

    /* A neighbour that comes back with another version ends an open link. */
    opened(&n, 1);
    traffic(&n, 1, 10);
    n.end[1].stopped = 1;
    for (int i = 0; i < 20 && n.end[0].hop.state == HOP_OPEN; i++) {
        cable_inject(n.cable, 1, hello, sizeof hello);
        steps(&n, 20);
    }
    assert_int_equal(n.end[0].hop.state, HOP_CUT);
    assert_int_equal(n.end[0].hop.trouble, HOP_NEWER);
    neighbours_fini(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens),
        cmocka_unit_test(opens_when_one_starts_late),
        cmocka_unit_test(opens_through_losses),
        cmocka_unit_test(opens_through_faults),
        cmocka_unit_test(sends_while_opening),
        cmocka_unit_test(former_session_is_noise),
        cmocka_unit_test(late_hello_does_no_harm),
        cmocka_unit_test(starting_twice_is_no_restart),
        cmocka_unit_test(restart_is_noticed),
        cmocka_unit_test(other_sizes),
        cmocka_unit_test(other_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
