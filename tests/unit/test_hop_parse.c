/* The reader of frames, exhaustively over a short row of frames: every byte changed to every other value, every byte lost, a byte
 * inserted everywhere, every truncation. Nothing wrong is ever delivered, at most the frames that were touched are lost,
 * and when the row is sent again all is there.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "../../src/net/check.h"
#include "fake_lane.h"
#include "fake_neighbours.h"

enum { FRAMES = 6, ROW = 512 };
static const size_t lengths[FRAMES] = {3, 0, 20, 64, 1, 40}; /* frame 2 is followed by a control frame */

struct row {
    uint8_t bytes[ROW];
    size_t len, start[FRAMES + 2]; /* where each of the frames begins, and the end */
    int frames;
};

static struct neighbours n;
static struct row row;
static struct hop ready; /* end 1, before any of it has come */

static void fill(int number, uint8_t *bytes)
{
    memset(bytes, 17 * number + 1, lengths[number]);
    if (number == 3) /* much that looks like the start of a frame, and a whole head with a wrong check sum */
        for (size_t i = 0; i < lengths[number]; i += 5)
            memcpy(bytes + i, row.bytes, 3);
}

static int keep_row(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    (void)c;
    if (from == 0) {
        row.start[row.frames++] = row.len;
        memcpy(row.bytes + row.len, frame, len);
        row.len += len;
        row.start[row.frames] = row.len;
    }
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    uint8_t bytes[64];
    memset(&row, 0, sizeof row);
    neighbours_init(&n, 1);
    n.times.heartbeat = 50;
    n.times.dead = 5000;
    neighbours_open(&n, 0, 77);
    neighbours_open(&n, 1, 78);
    assert_int_equal(neighbours_meet(&n, 20), 0);
    n.cable->watch = keep_row;
    for (int i = 0; i < FRAMES; i++) {
        fill(i, bytes);
        assert_int_equal(mpico_hop_send(&n.end[0].hop, bytes, lengths[i], NULL, 0), 0);
        n.end[0].hop.news_due = i == 3;
        mpico_hop_turn(&n.end[0].hop, n.cable->now);
    }
    assert_int_equal(row.frames, FRAMES + 1);
    ready = n.end[1].hop;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    neighbours_fini(&n);
    return 0;
}

/* ---- One trial: end 1 hears some bytes, and keeps what it delivers. ---- */

static unsigned delivered;

static void begin_trial(void)
{
    n.end[1].hop = ready;
    delivered = 0;
}

static void hears(const uint8_t *bytes, size_t len)
{
    struct hop *h = &n.end[1].hop;
    size_t got;
    uint8_t expected[64];
    cable_inject(n.cable, 0, bytes, len);
    mpico_hop_turn(h, n.cable->now);
    for (const uint8_t *p; (p = mpico_hop_peek(h, 0, &got)); delivered++) {
        assert_true(delivered < FRAMES);
        fill((int)delivered, expected);
        assert_int_equal(got, lengths[delivered]);
        assert_memory_equal(p, expected, got);
        mpico_hop_take(h, 0);
    }
}

static unsigned bits(unsigned mask)
{
    unsigned count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* The row, damaged, comes; at most `lost` data frames of it are missing. Then it comes once more, and nothing is. */
static void trial(const uint8_t *bytes, size_t len, unsigned lost)
{
    begin_trial();
    hears(bytes, len);
    unsigned came = delivered + bits(n.end[1].hop.here);
    if (came + lost < FRAMES)
        fail_msg("%u frames are lost", FRAMES - came);
    hears(row.bytes, row.len);
    hears(row.bytes, row.len); /* the end of the first may have been taken for the rest of a frame */
    assert_int_equal(delivered, FRAMES);
    assert_int_equal(n.end[1].hop.state, HOP_OPEN);
}

static void undamaged(void **state)
{
    (void)state;
    trial(row.bytes, row.len, 0);
    assert_int_equal(n.end[1].hop.damaged + n.end[1].hop.noise, 0);
    assert_int_equal(n.end[1].hop.duplicates, 2 * FRAMES);
}

static void every_byte_changed(void **state)
{
    (void)state;
    uint8_t bytes[ROW];
    for (size_t at = 0; at < row.len; at++)
        for (unsigned x = 1; x < 256; x++) {
            memcpy(bytes, row.bytes, row.len);
            bytes[at] ^= (uint8_t)x;
            trial(bytes, row.len, 1);
            assert_true(n.end[1].hop.damaged + n.end[1].hop.noise > 0);
        }
}

static void every_byte_lost(void **state)
{
    (void)state;
    uint8_t bytes[ROW];
    for (size_t at = 0; at < row.len; at++) {
        memcpy(bytes, row.bytes, at);
        memcpy(bytes + at, row.bytes + at + 1, row.len - at - 1);
        trial(bytes, row.len - 1, 2); /* the next frame's first byte is taken for the last of this one */
    }
}

static void a_byte_inserted_everywhere(void **state)
{
    (void)state;
    uint8_t bytes[ROW + 1];
    for (size_t at = 0; at <= row.len; at++)
        for (unsigned x = 0; x < 256; x++) {
            memcpy(bytes, row.bytes, at);
            bytes[at] = (uint8_t)x;
            memcpy(bytes + at + 1, row.bytes + at, row.len - at);
            trial(bytes, row.len + 1, 1);
        }
}

static void every_truncation(void **state)
{
    (void)state;
    for (size_t len = 0; len < row.len; len++) {
        unsigned whole = 0;
        while (row.start[whole + 1] <= len)
            whole++;
        begin_trial();
        hears(row.bytes, len);
        assert_int_equal(delivered, whole - (whole > 3)); /* one of them is the control frame */
        hears(row.bytes, row.len);
        hears(row.bytes, row.len);
        assert_int_equal(delivered, FRAMES);
        /* The rest without the beginning. */
        trial(row.bytes + len, row.len - len, whole + 1 - (whole > 3));
    }
}

/* A burst: any stretch is missing. */
static void every_stretch_lost(void **state)
{
    (void)state;
    uint8_t bytes[ROW];
    for (size_t from = 0; from < row.len; from++)
        for (size_t to = from + 1; to < row.len; to++) {
            memcpy(bytes, row.bytes, from);
            memcpy(bytes + from, row.bytes + to, row.len - to);
            trial(bytes, from + row.len - to, FRAMES);
        }
}

/* A head that is right but for the length, which is more than a slot holds, is no head. */
static void too_long(void **state)
{
    (void)state;
    for (unsigned len = 65; len < 65536; len = len * 3 / 2) {
        uint8_t bytes[2 * ROW];
        memcpy(bytes, row.bytes, row.len);
        bytes[8] = (uint8_t)len;
        bytes[9] = (uint8_t)(len >> 8);
        uint32_t sum = mpico_check(ready.start_in, bytes, 10);
        bytes[10] = (uint8_t)sum;
        bytes[11] = (uint8_t)(sum >> 8);
        trial(bytes, row.len, 1);
    }
}

/* Behind a sum its own two lowest bytes make it short, and no others do. */
static void check_sum(void **state)
{
    (void)state;
    static const uint8_t text[] = "123456789";
    assert_int_equal(mpico_check(0xffffffff, text, 9) ^ 0xffffffff, 0xcbf43926); /* the standard's example */
    assert_int_equal(mpico_check(mpico_check(5, text, 4), text + 4, 5), mpico_check(5, text, 9));
    uint32_t sum = mpico_check(12345, text, 9);
    for (unsigned two = 0; two < 65536; two++) {
        const uint8_t tail[2] = {(uint8_t)two, (uint8_t)(two >> 8)};
        assert_int_equal(mpico_check(sum, tail, 2) < 65536, two == (sum & 0xffff));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(undamaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_byte_changed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_byte_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_byte_inserted_everywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_truncation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_stretch_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_long, set_up, tear_down),
        cmocka_unit_test(check_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
