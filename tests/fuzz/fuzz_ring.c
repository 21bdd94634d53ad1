/* fuzz_ring.c: whatever comes over the incoming wire, a node of a ring hands up only packets of nodes that exist, touches
 * no memory but its own and what it was given, and comes to an end with every byte.
 *
 * The input is a program: each byte an action (bytes come, a frame comes whose check sums are right and nothing
 * else need be, a packet is sent, a collective is started, ...), its operands the bytes behind it. Built as
 * fuzz_arrive.c is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rank.h"
#include "net/ring.h"

#ifndef MPICO_LIBFUZZER
#define MPICO_LIBFUZZER 0
#endif

enum { ARENA = 1 << 19, LOANS = 16, RANDOM_FRAMES = 200000, PROGRAM = 2048, BLOCK_MAX = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at, *end;
};

/* One node, and what its wires have programmed. */
static struct node {
    struct wire wire;
    struct ring ring;
    struct rank rank;
    uint8_t *in;
    size_t in_len, in_got, chunk;
    const uint8_t *out[WIRE_SENDS];
    size_t out_len[WIRE_SENDS];
    int sends;
    uint64_t now_ns, alarm_ns;
    void *loan[LOANS]; /* exactly as long as the packet, freed when it is given back */
    uint8_t *place;
    uint8_t *block; /* of the collective under way */
    int wants;
    int refuses; /* packets that core will put off */
} node;
static char arena[ARENA];
static unsigned touched; /* so that every byte is read */
static long frames;

static uint8_t byte(struct input *in) { return in->at < in->end ? *in->at++ : 0; }
static unsigned two(struct input *in) { return (unsigned)byte(in) << 8 | byte(in); }

static void read_all(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        touched += bytes[i];
}

static void check(int holds)
{
    if (!holds)
        abort();
}

/* ---- The wire ---- */

static void wire_send(struct wire *w, const void *bytes, size_t len)
{
    (void)w;
    check(node.sends < WIRE_SENDS && len > 0);
    node.out[node.sends] = bytes;
    node.out_len[node.sends++] = len;
}

static void wire_receive(struct wire *w, void *into, size_t len, size_t chunk)
{
    (void)w;
    check(node.in_len == 0 && len > 0);
    node.in = into;
    node.in_len = len;
    node.in_got = 0;
    node.chunk = chunk;
}

static void nothing(struct wire *w) { (void)w; }

static uint64_t wire_now(struct wire *w)
{
    (void)w;
    return node.now_ns;
}

static void wire_alarm(struct wire *w, uint64_t at_ns)
{
    (void)w;
    node.alarm_ns = at_ns;
}

static const struct wire_ops wire_ops = {wire_send, wire_receive, nothing, nothing, nothing, wire_now, wire_alarm};

static void one_sent(void)
{
    if (node.sends == 0)
        return;
    read_all(node.out[0], node.out_len[0]);
    node.out[0] = node.out[1];
    node.out_len[0] = node.out_len[1];
    node.sends--;
    node.wire.on_sent(&node.wire);
}

/* As many bytes as the node takes; the others are lost. */
static void feed(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len && node.in_len; i++) {
        node.in[node.in_got++] = bytes[i];
        size_t got = node.in_got;
        int whole = got == node.in_len;
        if (whole)
            node.in_len = 0;
        if (whole || (node.chunk && got % node.chunk == 0))
            node.wire.on_received(&node.wire, got);
    }
}

/* ---- Core ---- */

int mpico_arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    (void)r;
    check(origin >= 0 && origin < node.ring.size && len <= RING_PAYLOAD);
    read_all((const uint8_t *)p, sizeof *p);
    read_all(payload, len);
    return node.refuses > 0 && node.refuses-- ? MPICO_AGAIN : len % 5 == 4 ? -1 : 0;
}

void mpico_returned(struct rank *r, void *token)
{
    void **loan = token;
    (void)r;
    check(*loan != NULL);
    free(*loan);
    *loan = NULL;
}

/* ---- Actions ---- */

static void bytes_come(struct input *in)
{
    size_t len = two(in) % 256, here = (size_t)(in->end - in->at);
    len = len < here ? len : here;
    feed(in->at, len);
    in->at += len;
}

static struct packet some_packet(struct input *in)
{
    struct packet p =
        packet_make((enum packet_kind)(byte(in) % 8), byte(in), 0, byte(in), 0, two(in) % 9000, byte(in) % 3);
    if (byte(in) % 4 == 0)
        memset(&p.length, byte(in), sizeof p.length);
    return p;
}

static uint32_t some_node(struct input *in)
{
    unsigned kind = byte(in), value = byte(in);
    if (kind % 8 == 0)
        return (uint32_t)value << 24 | two(in);
    unsigned number = kind % 8 == 1 ? (unsigned)node.ring.self : value % ((unsigned)node.ring.size + 1);
    return node.ring.discipline == &mpico_windowed ? number : number < 32 ? (uint32_t)1 << number : 0;
}

/* A frame whose check sums are right. */
static void frame_comes(struct input *in)
{
    static uint8_t bytes[sizeof(struct frame) + RING_PAYLOAD];
    size_t head = node.ring.discipline->head_bytes, len;
    struct frame f = {
        .sync = FRAME_SYNC, .kind = (uint8_t)(byte(in) % 7), .dest = some_node(in), .source = some_node(in)};
    f.hops = byte(in) % 4 ? 0 : byte(in);
    f.length = (uint16_t)(byte(in) % 2 ? two(in) % (RING_PAYLOAD + 2) : byte(in) % 64);
    f.sequence = (uint16_t)(byte(in) % 8 ? byte(in) % 6 : two(in));
    f.ack = (uint16_t)(byte(in) % 8 ? byte(in) % 6 : two(in));
    f.packet = some_packet(in);
    len = f.length > node.ring.inline_max && f.length <= RING_PAYLOAD ? f.length : 0;
    memset(bytes, byte(in), sizeof bytes);
    if (!node.wire.reliable) {
        uint8_t hops = f.hops;
        f.hops = 0;
        f.payload_check = len ? mpico_frame_crc32(bytes, len) : 0;
        f.check = mpico_frame_crc16(&f, head);
        f.hops = hops;
    }
    feed((const uint8_t *)&f, head);
    feed(bytes, len);
    frames++;
}

static void packet_goes(struct input *in)
{
    struct link *l = &node.ring.link;
    int dest = (int)(two(in) % (unsigned)node.ring.size), slot = 0;
    if (l->broadcast && byte(in) % 8 == 0)
        dest = -1;
    while (slot < LOANS && node.loan[slot])
        slot++;
    if (slot == LOANS)
        return;
    size_t len = two(in) % (l->mtu + 1);
    struct packet p = some_packet(in);
    node.loan[slot] = calloc(1, len + 1);
    int lend = byte(in) % 2 && len;
    int e = lend ? l->ops->lend(l, dest, &p, node.loan[slot], len, &node.loan[slot])
                 : l->ops->send(l, dest, &p, node.loan[slot], len);
    if (e != MPICO_LENT) {
        free(node.loan[slot]);
        node.loan[slot] = NULL;
    }
}

static void want_changes(struct input *in)
{
    struct link *l = &node.ring.link;
    if (!l->ops->want)
        return;
    int more = node.wants == 0 || (node.wants < 3 && byte(in) % 2);
    l->ops->want(l, -1, more ? 1 : -1);
    node.wants += more ? 1 : -1;
}

static void place_changes(struct input *in)
{
    struct link *l = &node.ring.link;
    size_t to = two(in) % 9000, from = to ? two(in) % to : 0;
    int source = byte(in) % node.ring.size;
    uint64_t stream = byte(in) % 3;
    if (!l->ops->place || node.ring.rx == RX_PAYLOAD) /* it may be coming there */
        return;
    for (int i = 0; i < node.ring.size && node.place; i++)
        for (uint64_t s = 0; s < 3; s++)
            l->ops->place(l, i, s, NULL, 0, 0);
    l->ops->poll(l, -1, RING_TRANSIT_CELLS + RING_OWN_CELLS);
    if (!list_empty(&node.ring.in))
        return; /* core still has to read it */
    free(node.place);
    node.place = malloc(to + 1);
    l->ops->place(l, source, stream, node.place, from, to);
}

static void collective(struct input *in)
{
    struct link *l = &node.ring.link;
    if (!l->ops->direct)
        return;
    if (node.block) {
        if (l->ops->direct_state(l) == MPICO_AGAIN)
            return;
        free(node.block);
        node.block = NULL;
        return;
    }
    enum direct what = (enum direct)(1 + byte(in) % 3);
    size_t each = what == DIRECT_BARRIER ? 0 : byte(in) % 8 ? byte(in) : two(in) % BLOCK_MAX;
    int root = what == DIRECT_BCAST ? (int)(two(in) % (unsigned)node.ring.size) : 0;
    node.block = calloc(what == DIRECT_ALLGATHER ? (size_t)node.ring.size : 1, each + !each);
    l->ops->direct(l, what, node.block, each, root, byte(in) % 4 != 0);
}

static void time_passes(struct input *in)
{
    node.now_ns += (uint64_t)two(in) << byte(in) % 16;
    if (node.alarm_ns && node.alarm_ns <= node.now_ns) {
        node.alarm_ns = 0;
        node.wire.on_alarm(&node.wire);
    }
}

static void act(struct input *in)
{
    switch (byte(in) % 16) {
    case 0:
    case 1:
        bytes_come(in);
        break;
    case 2:
        packet_goes(in);
        break;
    case 3:
        want_changes(in);
        break;
    case 4:
        place_changes(in);
        break;
    case 5:
        collective(in);
        break;
    case 6:
        time_passes(in);
        break;
    case 7:
        node.refuses = byte(in) % 4;
        break;
    case 8:
    case 9:
        node.ring.link.ops->poll(&node.ring.link, -1, 4);
        break;
    case 10:
    case 11:
    case 12:
        one_sent();
        break;
    default:
        frame_comes(in);
    }
}

/* ---- A run ---- */

static void start(struct input *in)
{
    const char *why;
    unsigned shape = byte(in);
    int windowed = shape % 3 != 0, size = windowed && shape & 64 ? 2 + (int)(two(in) % 400) : 2 + byte(in) % 31;
    memset(&node, 0, sizeof node);
    mpico_heap_init(&node.rank.heap, arena, sizeof arena);
    node.wire.ops = &wire_ops;
    node.wire.reliable = shape % 3 != 1;
    node.now_ns = 1;
    check(mpico_ring_start(&node.ring, &node.rank, (int)(two(in) % (unsigned)size), size, &node.wire,
                           windowed ? "windowed" : "stop-and-wait", &why) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    start(&in);
    while (in.at < in.end)
        act(&in);
    for (int i = 0; i < LOANS; i++)
        free(node.loan[i]);
    free(node.place);
    free(node.block);
    return 0;
}

#if !MPICO_LIBFUZZER
#include "replay.h"

int main(int argc, char **argv)
{
    int e = replay_main(argc, argv, PROGRAM, &frames, RANDOM_FRAMES, "frames");
    printf("sum of what was read: %u\n", touched);
    return e;
}
#endif
