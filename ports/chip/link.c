/* link.c: messages between harts through the rings of shared.h.
 *
 * Invariant: the sender writes a line only if the receiver's published count says that it has been taken. A record
 * takes at most half a ring (mtu), and skipping to the start wastes less than the record itself: so in an empty ring
 * there is always room.
 */
#include <string.h>

#include "chip_port.h"
#include "core/rank.h"

enum {
    NAP_AFTER = 8,                             /* polls in vain: a program that asks in a loop lets the others run */
    SHORT = LINE_BYTES - sizeof(struct record) /* payload of one line */
};

struct chip_link mpico_chip_link;

static uint64_t space_of(size_t len)
{
    return (sizeof(struct record) + len + LINE_BYTES - 1) & ~(uint64_t)(LINE_BYTES - 1);
}

/* A bit that was set already was set by one who wakes the sleeper, if it sleeps. */
static inline void ring_bell(const struct chip_link *c, int who)
{
    if (__atomic_fetch_or(c->out[who].ready, c->mine, __ATOMIC_SEQ_CST) == 0)
        mpico_chip_wake(who);
}

void mpico_chip_ring(int who) { ring_bell(&mpico_chip_link, who); }

/* ---- Sending ---- */

static struct record *record_out(const struct chip_link *c, const struct way_out *w, uint64_t at)
{
    return (struct record *)(void *)(w->ring + (at & c->mask));
}

static inline void publish(struct chip_link *c, struct way_out *w, int dest, uint64_t end)
{
    w->at = end;
    __atomic_store_n(w->sent, end, __ATOMIC_RELEASE);
    ring_bell(c, dest);
}

static inline int fits(const struct chip_link *c, const struct way_out *w, uint64_t end)
{
    return end - w->taken <= c->mask + 1;
}

/* No room as far as we know: look again, and ask to be told. */
static int look_again(struct chip_link *c, struct way_out *w, int dest, uint64_t end)
{
    const uint64_t *taken = &c->inbox->taken[dest];
    w->taken = __atomic_load_n(taken, __ATOMIC_ACQUIRE);
    if (fits(c, w, end))
        return 1;
    __atomic_fetch_or(&shared()->inbox[dest].starved, c->mine, __ATOMIC_SEQ_CST);
    w->taken = __atomic_load_n(taken, __ATOMIC_SEQ_CST);
    return fits(c, w, end);
}

static void *chip_reserve(struct link *link, int dest, const struct packet *p, size_t len)
{
    (void)p;
    struct chip_link *c = (struct chip_link *)link;
    struct way_out *w = &c->out[dest];
    uint64_t space = space_of(len), to_end = c->mask + 1 - (w->at & c->mask);
    c->start = w->at + (space > to_end ? to_end : 0);
    if (!fits(c, w, c->start + space) && !look_again(c, w, dest, c->start + space))
        return NULL;
    if (c->start != w->at)
        record_out(c, w, w->at)->len = SKIP;
    return record_out(c, w, c->start)->bytes;
}

static void chip_commit(struct link *link, int dest, const struct packet *p, size_t len)
{
    struct chip_link *c = (struct chip_link *)link;
    struct way_out *w = &c->out[dest];
    struct record *record = record_out(c, w, c->start);
    record->packet = *p;
    record->len = len;
    publish(c, w, dest, c->start + space_of(len));
}

static __attribute__((noinline)) int send_any(struct link *link, int dest, const struct packet *p, const void *payload,
                                              size_t len)
{
    void *bytes = chip_reserve(link, dest, p, len);
    if (!bytes)
        return MPICO_AGAIN;
    memcpy(bytes, payload, len);
    chip_commit(link, dest, p, len);
    return 0;
}

/* What fits in one line, by words, without a call; the rest goes the general way. */
static int chip_send(struct link *link, int dest, const struct packet *p, const void *payload, size_t len)
{
    struct chip_link *c = (struct chip_link *)link;
    struct way_out *w = &c->out[dest];
    uint64_t end = w->at + LINE_BYTES;
    if (__builtin_expect(len > SHORT || (((uintptr_t)payload | len) & 3) || !fits(c, w, end), 0))
        return send_any(link, dest, p, payload, len);
    struct record *record = record_out(c, w, w->at);
    const uint32_t *from = payload;
    uint32_t *to = (uint32_t *)(void *)record->bytes;
    for (size_t left = len; left; left -= 4)
        *to++ = *from++;
    record->packet = *p;
    record->len = len;
    publish(c, w, dest, end);
    return 0;
}

/* ---- Receiving ---- */

/* The sender has no room, and is rung now that there is some. */
static __attribute__((noinline)) void feed(const struct chip_link *c, int source)
{
    __atomic_fetch_and(&c->inbox->starved, ~((uint64_t)1 << source), __ATOMIC_SEQ_CST);
    ring_bell(c, source);
}

static const struct record *record_in(const struct chip_link *c, struct way_in *w)
{
    const struct record *record = (const struct record *)(const void *)(w->ring + (w->at & c->mask));
    if (__builtin_expect(record->len != SKIP, 1))
        return record;
    w->at = (w->at | c->mask) + 1;
    return (const struct record *)(const void *)(w->ring + (w->at & c->mask));
}

/* One record. 0, or MPICO_AGAIN: it stays. */
static inline int deliver(struct chip_link *c, struct way_in *w, int source)
{
    struct rank *r = rank_self();
    const struct record *record = record_in(c, w);
    size_t len = record->len;
    int e = len <= c->link.mtu ? mpico_arrive(r, source, &record->packet, record->bytes, len) : -1;
    if (e < 0)
        r->machine->halt(r, 1, "a packet in shared memory makes no sense: memory was overwritten");
    if (e == 0)
        w->at += space_of(len);
    return e;
}

static inline void in_vain(struct chip_link *c)
{
    if (__builtin_expect(++c->idle > NAP_AFTER, 0))
        mpico_chip_nap();
}

/* At most `budget` records from one rank. How many. */
static __attribute__((noinline)) int deliver_more(struct chip_link *c, struct way_in *w, int source, uint64_t end,
                                                  int budget)
{
    int n = 0;
    while (n < budget && w->at != end && deliver(c, w, source) == 0)
        n++;
    if (w->at != end)
        c->pending |= (uint64_t)1 << source;
    return n;
}

/* What one rank has sent, mostly a single record; it is told how far we are. */
static __attribute__((noinline)) int drain(struct chip_link *c, int source, int budget)
{
    struct way_in *w = &c->in[source];
    uint64_t end = __atomic_load_n(w->sent, __ATOMIC_ACQUIRE);
    int n = w->at != end && deliver(c, w, source) == 0;
    if (__builtin_expect(w->at != end, 0))
        n += deliver_more(c, w, source, end, n ? budget - 1 : 0);
    __atomic_store_n(w->taken, w->at, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&c->inbox->starved, __ATOMIC_RELAXED) >> source & 1, 0))
        feed(c, source);
    if (__builtin_expect(n != 0, 1))
        c->idle = 0;
    else
        in_vain(c);
    return n;
}

/* The number of the lowest bit that is set. The bit times a de Bruijn sequence has a number of its own in its upper
 * six bits; the harts' base instructions can only look for it one by one. */
static inline int lowest(uint64_t bits)
{
    static const uint64_t sequence = 0x3f79d71b4cb0a89u;
    static const uint8_t number[64] = {0,  1,  48, 2,  57, 49, 28, 3,  61, 58, 50, 42, 38, 29, 17, 4,
                                       62, 55, 59, 36, 53, 51, 43, 22, 45, 39, 33, 30, 24, 18, 12, 5,
                                       63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21, 44, 32, 23, 11,
                                       46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6};
    return number[(bits & -bits) * sequence >> 58];
}

/* Every rank that has rung gets its turn. */
static __attribute__((noinline)) int serve(struct chip_link *c, uint64_t todo, int from, int budget)
{
    int n = 0;
    if (from >= 0 && todo >> from & 1) {
        n = drain(c, from, budget);
        todo &= ~((uint64_t)1 << from);
    } else if (!todo)
        in_vain(c);
    for (; todo; todo &= todo - 1)
        n += drain(c, lowest(todo), budget);
    return n;
}

/* The rank that is waited for goes first, and is mostly the only one. */
static int chip_poll(struct link *link, int from, int budget)
{
    struct chip_link *c = (struct chip_link *)link;
    uint64_t todo = c->pending;
    if (__atomic_load_n(&c->inbox->ready, __ATOMIC_RELAXED))
        todo |= __atomic_exchange_n(&c->inbox->ready, 0, __ATOMIC_SEQ_CST);
    c->pending = 0;
    if (from >= 0 && todo == (uint64_t)1 << from)
        return drain(c, from, budget);
    return serve(c, todo, from, budget);
}

/* One copy, straight from the sender's memory. */
static int chip_get(struct link *link, int source, void *local, uint64_t remote, size_t len)
{
    (void)link;
    const void *there = mpico_hart_reach(source, remote, len);
    if (!there)
        return -1;
    memcpy(local, there, len);
    return 0;
}

const struct link_ops mpico_chip_link_ops = {.send = chip_send,
                                             .reserve = chip_reserve,
                                             .commit = chip_commit,
                                             .poll = chip_poll,
                                             .get = chip_get,
                                             .direct = mpico_chip_direct,
                                             .direct_state = mpico_chip_direct_state};

/* ---- Start ---- */

/* As long as the memory of all rings allows. */
static uint32_t ring_bytes(int size)
{
    uint32_t bytes = RING_BYTES_MAX, pairs = (uint32_t)size * (uint32_t)size;
    while (bytes * pairs > RINGS_BYTES)
        bytes /= 2;
    return bytes;
}

void mpico_chip_link_start(struct chip_link *c, int me, int size)
{
    struct shared *s = shared();
    uint32_t bytes = ring_bytes(size);
    c->mask = bytes - 1;
    c->mine = (uint64_t)1 << me;
    c->all = mpico_chip_all();
    c->inbox = &s->inbox[me];
    for (int i = 0; i < size; i++) {
        c->out[i] = (struct way_out){.ring = s->rings + (size_t)(i * size + me) * bytes,
                                     .sent = &s->inbox[i].sent[me],
                                     .ready = &s->inbox[i].ready};
        c->in[i] = (struct way_in){.ring = s->rings + (size_t)(me * size + i) * bytes,
                                   .sent = &s->inbox[me].sent[i],
                                   .taken = &s->inbox[i].taken[me]};
    }
    size_t mtu = bytes / 2 - sizeof(struct record);
    c->link = (struct link){.ops = &mpico_chip_link_ops, .mtu = mtu, .eager_max_bytes = mtu, .get_min_bytes = 0};
}
