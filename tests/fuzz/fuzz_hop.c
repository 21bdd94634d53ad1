/* fuzz_hop.c: a reliable link under an input that chooses what the cable does (the input's first bit: 0) or what the
 * neighbour says (1).
 *
 * The cable may lose, damage, double, delay and invent: every message comes once, whole and in order, and when it
 * stops doing so all that was sent comes. A neighbour that lies, with right check sums, can lose messages, but it cannot make a hop touch memory
 * that is not its own, deliver more than its slots hold, or run for ever. Built as fuzz_arrive.c is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/net/check.h"
#include "../unit/fake_lane.h"
#include "../unit/fake_neighbours.h"

#ifndef MPICO_LIBFUZZER
#define MPICO_LIBFUZZER 0
#endif

enum { RANDOM_ACTIONS = 400000, PROGRAM = 600, SETTLE_TICKS = 4000, HELLO = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct input {
    const uint8_t *at, *end;
} in;
static struct neighbours n;
static long actions;

static void check(int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static unsigned byte(void) { return in.at < in.end ? *in.at++ : 0; }
static unsigned two(void)
{
    unsigned low = byte();
    return low | byte() << 8;
}

static void start(void)
{
    unsigned shape = byte();
    neighbours_init(&n, shape);
    n.times = (struct hop_times){.resend = 10, .heartbeat = 20, .dead = 60000};
    n.slot_bytes = 1 + byte() % 100;
    for (int i = 0; i < 2; i++) {
        n.slots[i] = 1u << (shape >> 2 * i) % 4;
        n.cable->way[i].put_max = shape & 16 ? 3 : 0;
        n.cable->way[i].get_max = shape & 32 ? 2 : 0;
    }
    n.any_order = shape >> 6 & 1;
    neighbours_open(&n, 0, 1 + byte());
    neighbours_open(&n, 1, 1 + byte());
}

/* ---- A bad cable ---- */

static void damage(uint8_t *frame, size_t *len)
{
    size_t at = two() % *len;
    switch (byte() % 4) {
    case 0:
        frame[at] ^= (uint8_t)(byte() | 1);
        break;
    case 1:
        memmove(frame + at, frame + at + 1, --*len - at);
        break;
    case 2:
        memmove(frame + at + 1, frame + at, (*len)++ - at);
        frame[at] = (uint8_t)byte();
        break;
    default:
        *len = at;
    }
}

/* What becomes of a frame: half of them go through. Without input all do. */
static int decide(struct cable *c, int from, const uint8_t *frame, size_t len)
{
    uint8_t copy[256];
    unsigned fate = byte(), copies = fate & 7 ? 1 : fate >> 3 & 3;
    for (; copies; copies--) {
        size_t copy_len = len;
        memcpy(copy, frame, len);
        if ((fate & 7) == 1)
            damage(copy, &copy_len);
        c->way[from].latency = (fate & 7) == 2 ? byte() % 64 : 0;
        cable_inject(c, from, copy, copy_len);
    }
    c->way[from].latency = 0;
    return 0;
}

static void some_noise(int from)
{
    size_t len = byte() % 64, here = (size_t)(in.end - in.at);
    len = len < here ? len : here;
    cable_inject(n.cable, from, in.at, len);
    in.at += len;
}

static void cable_program(void)
{
    n.cable->watch = decide;
    for (; in.at < in.end; actions++) {
        unsigned what = byte();
        n.end[what & 1].to_send += what >> 5;
        n.end[0].stopped = (what & 6) == 2;
        n.end[1].idle = (what & 6) == 4;
        if ((what & 24) == 8)
            some_noise(what & 1);
        neighbours_step(&n);
        check(!n.wrong, n.wrong);
    }
    n.cable->watch = NULL;
    n.end[0].stopped = n.end[1].idle = 0;
    int e = neighbours_run(&n, SETTLE_TICKS);
    check(!n.wrong, n.wrong);
    check(e == 0, "not all messages have come");
}

/* ---- A neighbour that lies ---- */

static void put(uint8_t *p, uint32_t value, unsigned len)
{
    for (; len; len--, value >>= 8)
        *p++ = (uint8_t)value;
}

/* A frame from end 1 whose check sums are right. */
static void frame_comes(void)
{
    static uint8_t frame[1 << 17];
    const struct hop *h = &n.end[0].hop;
    unsigned kind = byte() % 4, version = byte() % 16 ? HOP_VERSION : byte() % 16, lie = byte();
    size_t len = kind ? HOP_NEWS_BYTES : two() % (n.slot_bytes + 2);
    if (lie & 1 && byte() % 16 == 0)
        len = two();
    uint32_t start_value = kind == HELLO ? 0xffffffff : h->start_in;
    put(frame, 0xa5, 1);
    put(frame + 1, version << 4 | kind, 1);
    put(frame + 2, lie & 2 ? two() : (uint16_t)(h->expected + byte() % 9), 2);
    put(frame + 4, lie & 4 ? two() : (uint16_t)(h->acked + byte() % 9), 2);
    put(frame + 6, lie & 8 ? byte() : 0, 1);
    put(frame + 7, lie & 16 ? byte() : 8, 1);
    put(frame + 8, (uint32_t)len, 2);
    put(frame + 10, mpico_check(start_value, frame, 10), 2);
    memset(frame + HOP_HEAD, (int)byte(), len);
    if (kind == HELLO) {
        put(frame + 12, lie & 32 ? byte() : h->hello.echo, 4);
        put(frame + 16, lie & 64 ? byte() : h->hello.nonce, 4);
        put(frame + 20, lie & 128 ? byte() : n.slot_bytes, 2);
    }
    put(frame + HOP_HEAD + len, mpico_check(start_value, frame, HOP_HEAD + len), 4);
    cable_inject(n.cable, 1, frame, HOP_HEAD + len + HOP_TAIL);
}

static void look(const struct hop *h)
{
    static volatile uint8_t sink; /* so that all is read */
    size_t len;
    unsigned here = 0;
    check(mpico_hop_room(h) <= n.slots[0], "more room than slots");
    check(h->state <= HOP_CUT && h->trouble <= HOP_SIZES, "a state that is none");
    for (const uint8_t *p; (p = mpico_hop_peek(h, here, &len)); here++) {
        check(len <= n.slot_bytes && here < n.slots[1], "more has come than there is room for");
        for (size_t i = 0; i < len; i++)
            sink ^= p[i];
    }
    (void)sink;
    for (unsigned i = 0; mpico_hop_unsent(h, i, &len); i++)
        check(len <= n.slot_bytes && i < n.slots[0], "more is unsent than was given");
    check(h->state == HOP_CUT || mpico_hop_sleep(h, n.cable->now) <= n.times.heartbeat,
          "it sleeps through a heartbeat");
}

static void liar_program(void)
{
    struct hop *h = &n.end[0].hop;
    uint8_t message[128] = {0};
    size_t len;
    n.cable->way[0].cut = 1;
    for (; in.at < in.end && h->state != HOP_CUT; actions++) {
        unsigned what = byte();
        if (what & 1)
            frame_comes();
        if ((what & 6) == 2)
            some_noise(1);
        if ((what & 24) == 8)
            mpico_hop_send(h, message, byte() % (n.slot_bytes + 1), NULL, 0);
        if ((what & 96) == 32 && mpico_hop_peek(h, what >> 7, &len))
            mpico_hop_take(h, what >> 7);
        mpico_hop_turn(h, n.cable->now += byte() % 16);
        look(h);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    in = (struct input){data, data + size};
    unsigned mode = byte();
    start();
    if (mode & 1)
        liar_program();
    else
        cable_program();
    neighbours_fini(&n);
    return 0;
}

#if !MPICO_LIBFUZZER
#include "replay.h"

int main(int argc, char **argv) { return replay_main(argc, argv, PROGRAM, &actions, RANDOM_ACTIONS, "actions"); }
#endif
