/* bare_ring.c: frames on their way round, and messages made of them. Announcements and data go to the right; what a receiver asks goes
 * back the way that the announcement came, to the left.
 *
 * Why nothing stands still: every frame for this node can be taken at once. To the right, no node puts a frame of its own into the
 * last slot while others pass, so that somewhere in the ring there is always a free one. To the left, there is one frame a node at
 * most, and between two neighbours are two slots.
 */
#include <string.h>

#include "../port.h"
#include "bare.h"

struct bare mpico_bare;

/* A frame has come for this node. What nobody waits for is dropped: no node of this ring sends it. */
static void take(struct bare *b, const struct bare_head *h, size_t payload)
{
    struct bare_announced *m = &b->messages[h->source];
    switch (h->kind) {
    case BARE_ANNOUNCE:
        if (!m->here)
            *m = (struct bare_announced){h->tag, h->length, h->context, 1};
        break;
    case BARE_ASK:
        if (h->source == b->to) {
            b->wanted = h->length;
            b->to = -1;
        }
        break;
    case BARE_DATA:
        if (h->source == b->from && payload <= b->missing) {
            memcpy(b->at, h + 1, payload);
            b->at += payload;
            b->missing -= (uint32_t)payload;
        }
    }
}

/* 0: the frame has to wait for room. */
static int pass(struct bare *b, struct hop *onward, const uint8_t *frame, size_t len)
{
    const struct bare_head *h = (const struct bare_head *)(const void *)frame;
    if (len < sizeof *h || h->dest >= b->world.size || h->source >= b->world.size)
        return 1;
    if (h->dest == b->world.rank)
        take(b, h, len - sizeof *h);
    else if (h->source != b->world.rank) /* else it has been round */
        return mpico_hop_send(onward, frame, len, NULL, 0) == 0;
    return 1;
}

static int drain(struct bare *b, struct hop *from, struct hop *onward, uint32_t now)
{
    const uint8_t *frame;
    size_t len;
    int moved = mpico_hop_turn(from, now);
    while ((frame = mpico_hop_peek(from, 0, &len)) && pass(b, onward, frame, len))
        mpico_hop_take(from, 0);
    return moved;
}

static int turn(struct bare *b)
{
    if (!b->right.lane)
        return 0;
    uint32_t now = mpico_bare_ticks();
    int moved = drain(b, &b->left, &b->right, now) + drain(b, &b->right, &b->left, now);
    if (moved)
        drain(b, &b->left, &b->right, now); /* there may be room now */
    return moved;
}

static int is_free(struct bare *b) { return !__atomic_exchange_n(&b->busy, 1, __ATOMIC_ACQUIRE); }

/* An interrupt is over when the program goes on; a thread that stands for one is about to let go. */
void mpico_bare_hold(struct bare *b)
{
    while (!is_free(b))
        continue;
}

void mpico_bare_release(struct bare *b) { __atomic_store_n(&b->busy, 0, __ATOMIC_RELEASE); }

void mpico_bare_turn(void)
{
    struct bare *b = &mpico_bare;
    if (!is_free(b))
        return;
    turn(b);
    mpico_bare_release(b);
}

static void watch(const struct bare *b, const struct hop *h, int step)
{
    static const char *const why[] = {"nothing comes",     "silent",
                                      "babbles",           "another version of the wire",
                                      "has started again", "frames of another length"};
    int late = b->state == BARE_BEFORE && (int32_t)(mpico_bare_ticks() - b->open_until) > 0;
    if (h->state == HOP_CUT || (late && h->state == HOP_OPENING))
        mpico_bare_die(MPI_ERR_OTHER, "the link to rank %d is cut: %s", (b->world.rank + step) % b->world.size,
                       why[h->trouble]);
}

void mpico_bare_wait(void)
{
    struct bare *b = &mpico_bare;
    if (!turn(b))
        mpico_bare_idle();
    if (b->state != BARE_LEAVING) {
        watch(b, &b->left, b->world.size - 1);
        watch(b, &b->right, 1);
    }
}

static void put(struct bare *b, const struct bare_head *h, const void *body, size_t len)
{
    struct hop *to = h->kind == BARE_ASK ? &b->left : &b->right;
    size_t other;
    while ((to == &b->right && mpico_hop_room(to) < 2 && mpico_hop_peek(&b->left, 0, &other)) ||
           mpico_hop_send(to, h, sizeof *h, body, len))
        mpico_bare_wait();
    turn(b); /* it goes at once */
}

void mpico_bare_send(const void *buf, size_t bytes, int dest, int tag, enum bare_context context)
{
    struct bare *b = &mpico_bare;
    struct bare_head h = {(uint8_t)dest, (uint8_t)b->world.rank, BARE_ANNOUNCE, (uint8_t)context, tag, (uint32_t)bytes};
    const uint8_t *at = buf;
    mpico_bare_hold(b);
    b->to = dest;
    put(b, &h, NULL, 0);
    while (b->to >= 0)
        mpico_bare_wait();
    h.kind = BARE_DATA;
    for (size_t n, left = b->wanted < bytes ? b->wanted : bytes; left; left -= n, at += n) {
        n = left < b->part_bytes ? left : b->part_bytes;
        put(b, &h, at, n);
    }
    mpico_bare_release(b);
}

/* The next rank whose message a receive can have; -1: none. */
static int find(struct bare *b, int source, int tag, enum bare_context context)
{
    for (int i = 0; i < b->world.size; i++) {
        if (++b->next >= b->world.size)
            b->next = 0;
        const struct bare_announced *m = &b->messages[b->next];
        if (m->here && m->context == context && (source == b->next || source == MPI_ANY_SOURCE) &&
            (tag == m->tag || tag == MPI_ANY_TAG))
            return b->next;
    }
    return -1;
}

struct bare_announced mpico_bare_recv(void *buf, size_t room, int *source, int tag, enum bare_context context)
{
    struct bare *b = &mpico_bare;
    int from;
    mpico_bare_hold(b);
    while ((from = find(b, *source, tag, context)) < 0)
        mpico_bare_wait();
    struct bare_announced m = b->messages[from];
    b->messages[from].here = 0; /* the next one comes after these data */
    uint32_t wanted = m.length < room ? m.length : (uint32_t)room;
    struct bare_head h = {(uint8_t)from, (uint8_t)b->world.rank, BARE_ASK, 0, 0, wanted};
    b->from = from;
    b->at = buf;
    b->missing = wanted;
    put(b, &h, NULL, 0);
    while (b->missing)
        mpico_bare_wait();
    mpico_bare_release(b);
    if (m.length > room)
        mpico_bare_die(MPI_ERR_TRUNCATE, "message truncated: rank %d sent %z bytes (tag %d), the buffer holds %z", from,
                       (size_t)m.length, (int)m.tag, room);
    *source = from;
    return m;
}
