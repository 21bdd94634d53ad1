/* The ring of src/net under random traffic: every packet arrives once, whole, in the order of its pair; whatever the order
 * of interrupts, with damage on the wires where the discipline promises to mend it, and never stuck.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/rank.h"
#include "net/ring.h"

enum { NODES_MAX = 64, ARENA = 1 << 19, STEPS_MAX = 60000000 };

struct bench_node {
    struct wire wire;
    struct ring ring;
    struct rank rank;
    const uint8_t *out, *chained;
    size_t out_left, chained_len;
    uint8_t *in;
    size_t in_len, in_got, chunk;
    uint64_t alarm;
    uint32_t sent[NODES_MAX], got[NODES_MAX]; /* packets to and from each; [self]: to all */
    uint32_t spread_got[NODES_MAX];
    uint8_t lent[RING_OWN_CELLS + 2][RING_PAYLOAD];
    int lent_busy[RING_OWN_CELLS + 2];
    int refuse; /* core has no memory: so many packets are put off */
    char *arena;
};
static struct bench_node *node;
static int nodes;
static uint64_t now_ns, seed;
static double damage_rate;

static uint32_t chance(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* ---- The wires ---- */

static struct bench_node *of(struct wire *w)
{
    return (struct bench_node *)(void *)((char *)w - offsetof(struct bench_node, wire));
}
static void wire_send(struct wire *w, const void *bytes, size_t len)
{
    struct bench_node *n = of(w);
    assert_true(len > 0);
    assert_int_equal(n->chained_len, 0);
    if (n->out_left) {
        n->chained = bytes;
        n->chained_len = len;
    } else {
        n->out = bytes;
        n->out_left = len;
    }
}
static void wire_receive(struct wire *w, void *into, size_t len, size_t chunk)
{
    struct bench_node *n = of(w);
    assert_int_equal(n->in_len, 0);
    assert_true(len > 0);
    n->in = into;
    n->in_len = len;
    n->in_got = 0;
    n->chunk = chunk;
}
static void nothing(struct wire *w) { (void)w; }
static uint64_t wire_now(struct wire *w)
{
    (void)w;
    return now_ns;
}
static void wire_alarm(struct wire *w, uint64_t at) { of(w)->alarm = at; }
static const struct wire_ops wire_ops = {wire_send, wire_receive, nothing, nothing, nothing, wire_now, wire_alarm};

static void move(struct bench_node *n)
{
    struct bench_node *to = &node[(int)(n - node + 1) % nodes];
    if (!n->out_left || !to->in_len)
        return;
    size_t len = to->in_len - to->in_got;
    if (to->chunk && len > to->chunk - to->in_got % to->chunk)
        len = to->chunk - to->in_got % to->chunk;
    if (len > n->out_left)
        len = n->out_left;
    memcpy(to->in + to->in_got, n->out, len);
    for (size_t i = 0; damage_rate > 0 && i < len; i++)
        if (chance(1000000) < (uint32_t)(damage_rate * 1e6))
            to->in[to->in_got + i] ^= (uint8_t)(1u << chance(8));
    n->out += len;
    n->out_left -= len;
    to->in_got += len;
    int whole = to->in_got == to->in_len, told = whole || (to->chunk && to->in_got % to->chunk == 0);
    if (whole)
        to->in_len = 0;
    int sent = !n->out_left;
    if (sent) {
        n->out = n->chained;
        n->out_left = n->chained_len;
        n->chained_len = 0;
    }
    if (told)
        to->wire.on_received(&to->wire, to->in_got);
    if (sent)
        n->wire.on_sent(&n->wire);
}

/* ---- Core's part ---- */

static uint8_t pattern(int from, uint32_t number, size_t i)
{
    return (uint8_t)((unsigned)from * 31u + number * 7u + i);
}

int mpico_arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    struct bench_node *n = (struct bench_node *)(void *)((char *)r - offsetof(struct bench_node, rank));
    if (n->refuse && chance(3) == 0)
        return MPICO_AGAIN;
    uint32_t *next = p->tag ? &n->spread_got[origin] : &n->got[origin];
    assert_int_equal(p->source, origin);
    assert_int_equal(p->length, (*next)++);
    assert_int_equal(p->cookie, len);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(((const uint8_t *)payload)[i], pattern(origin, (uint32_t)p->length, i));
    return 0;
}

void mpico_returned(struct rank *r, void *token)
{
    struct bench_node *n = (struct bench_node *)(void *)((char *)r - offsetof(struct bench_node, rank));
    int i = (int)((uint8_t(*)[RING_PAYLOAD])token - n->lent);
    assert_int_equal(n->lent_busy[i], 1);
    n->lent_busy[i] = 0;
    memset(n->lent[i], 0xee, RING_PAYLOAD); /* the program may use it again */
}

static size_t some_length(const struct ring *g)
{
    switch (chance(4)) {
    case 0:
        return chance(48);
    case 1:
        return g->link.mtu;
    default:
        return chance((uint32_t)g->link.mtu + 1);
    }
}

static void try_send(struct bench_node *n, uint32_t limit, int spread)
{
    int self = (int)(n - node), dest = (int)chance((uint32_t)nodes), slot = 0;
    int all = spread && chance(8) == 0;
    uint32_t *count = &n->sent[all ? self : dest];
    if ((!all && dest == self) || *count >= limit)
        return;
    while (slot < RING_OWN_CELLS + 2 && n->lent_busy[slot])
        slot++;
    if (slot == RING_OWN_CELLS + 2)
        return;
    size_t len = some_length(&n->ring);
    struct packet p = packet_make(PACKET_EAGER, 0, 0, self, all, *count, len);
    for (size_t i = 0; i < len; i++)
        n->lent[slot][i] = pattern(self, *count, i);
    struct link *l = &n->ring.link;
    int lend = chance(2) == 0;
    int e = lend ? l->ops->lend(l, all ? -1 : dest, &p, n->lent[slot], len, n->lent[slot])
                 : l->ops->send(l, all ? -1 : dest, &p, n->lent[slot], len);
    if (e == MPICO_AGAIN)
        return;
    if (e == MPICO_LENT)
        n->lent_busy[slot] = 1;
    else
        memset(n->lent[slot], 0xee, RING_PAYLOAD);
    (*count)++;
}

static int all_arrived(uint32_t limit, int spread)
{
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < nodes; k++)
            if (i != k && (node[i].got[k] < limit || (spread && node[i].spread_got[k] < limit)))
                return 0;
    return 1;
}

static void start(int size, const char *discipline, int reliable)
{
    const char *why = NULL;
    nodes = size;
    node = calloc((size_t)size, sizeof *node);
    assert_non_null(node);
    for (int i = 0; i < size; i++) {
        struct bench_node *n = &node[i];
        n->arena = malloc(ARENA);
        mpico_heap_init(&n->rank.heap, n->arena, ARENA);
        n->rank.world_rank = i;
        n->rank.world_size = size;
        n->wire.ops = &wire_ops;
        n->wire.reliable = (uint8_t)reliable;
        assert_int_equal(mpico_ring_start(&n->ring, &n->rank, i, size, &n->wire, discipline, &why), 0);
        if (n->ring.link.ops->want)
            n->ring.link.ops->want(&n->ring.link, -1, 1);
    }
}

static void stop(void)
{
    for (int i = 0; i < nodes; i++)
        free(node[i].arena);
    free(node);
}

static void traffic(int size, const char *discipline, int reliable, double rate, uint32_t limit, uint64_t with_seed)
{
    long steps = 0;
    seed = with_seed;
    damage_rate = rate;
    now_ns = 1;
    start(size, discipline, reliable);
    int spread = node[0].ring.link.broadcast;
    while (!all_arrived(limit, spread)) {
        struct bench_node *n = &node[chance((uint32_t)size)];
        now_ns += 1000;
        n->refuse = chance(50) == 0;
        switch (chance(4)) {
        case 0:
            try_send(n, limit, spread);
            break;
        case 1:
            n->ring.link.ops->poll(&n->ring.link, -1, 4);
            break;
        default:
            move(n);
        }
        if (n->alarm && n->alarm <= now_ns) {
            n->alarm = 0;
            n->wire.on_alarm(&n->wire);
        }
        if (++steps > STEPS_MAX)
            fail_msg("stuck: %d nodes, %s, seed %llu", size, discipline, (unsigned long long)with_seed);
    }
    stop();
}

static void windowed(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 6; s++) {
        traffic(2, "windowed", 1, 0, 200, s);
        traffic(3, "windowed", 1, 0, 100, s);
        traffic(8, "windowed", 1, 0, 20, s);
    }
    traffic(64, "windowed", 1, 0, 2, 9);
}

static void windowed_on_a_noisy_wire(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 3; s++) {
        traffic(2, "windowed", 0, 1e-4, 60, s);
        traffic(5, "windowed", 0, 5e-5, 20, s);
    }
    traffic(3, "windowed", 0, 0, 60, 4);
}

static void stop_and_wait(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 6; s++) {
        traffic(2, "stop-and-wait", 1, 0, 200, s);
        traffic(3, "stop-and-wait", 1, 0, 60, s);
        traffic(8, "stop-and-wait", 1, 0, 12, s);
    }
    traffic(32, "stop-and-wait", 1, 0, 2, 9);
}

static void refused(void **state)
{
    (void)state;
    assert_null(mpico_ring_refuse("windowed", 64, 0));
    assert_null(mpico_ring_refuse("stop-and-wait", 32, 1));
    assert_non_null(strstr(mpico_ring_refuse("stop-and-wait", 33, 1), "at most 32"));
    assert_non_null(strstr(mpico_ring_refuse("stop-and-wait", 4, 0), "reliable"));
    assert_non_null(strstr(mpico_ring_refuse("go-back", 4, 1), "no such discipline"));
}

static void check_sums(void **state)
{
    (void)state;
    assert_int_equal(mpico_frame_crc16("123456789", 9), 0x29b1);
    assert_int_equal(mpico_frame_crc32("123456789", 9), 0xcbf43926);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windowed), cmocka_unit_test(windowed_on_a_noisy_wire),
                                       cmocka_unit_test(stop_and_wait), cmocka_unit_test(refused),
                                       cmocka_unit_test(check_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
