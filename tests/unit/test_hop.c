/* The reliable link between two neighbours: it opens through every loss, carries each frame once and in order, stops a sender
 * whose neighbour has no room, and names what is wrong when it ends. Virtual time; one tick a step.
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

enum { KIND = 1, SEQUENCE = 2, CONTROL = 1, HELLO = 2, DATA = 0, NONCE_A = 0x1234, NONCE_B = 0x98765432 };

static int kind_of(const uint8_t *frame) { return frame[KIND] & 15; }

static void open_both(struct neighbours *n)
{
    neighbours_open(n, 0, NONCE_A);
    neighbours_open(n, 1, NONCE_B);
}

static void opened(struct neighbours *n, uint64_t seed)
{
    neighbours_init(n, seed);
    open_both(n);
    assert_int_equal(neighbours_meet(n, 100), 0);
}

static void steps(struct neighbours *n, int ticks)
{
    while (ticks-- > 0)
        neighbours_step(n);
}

/* Both send so many messages, and all come. */
static void traffic(struct neighbours *n, uint32_t messages, uint32_t ticks)
{
    n->end[0].to_send += messages;
    n->end[1].to_send += messages;
    int e = neighbours_run(n, ticks);
    if (n->wrong)
        fail_msg("%s", n->wrong);
    assert_int_equal(e, 0);
}

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

struct loss {
    int side, from, until, seen;
};

static int lose_some(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    struct loss *l = c->context;
    (void)frame;
    (void)len;
    if (from != l->side)
        return 1;
    int number = l->seen++;
    return number < l->from || number >= l->until;
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

/* ---- Traffic ---- */

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

static int lose_first_time(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    uint8_t *seen = c->context;
    (void)len;
    if (from != 0 || kind_of(frame) != DATA || frame[SEQUENCE] >= 16)
        return 1;
    return seen[frame[SEQUENCE]]++ > 0;
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

/* ---- Silence ---- */

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
