/* hop_rx.c: frames that come over a hop: found among what is not a frame, checked, believed, kept. */
#include "hop_parts.h"

enum { READS = 4096, HELLO_NONCES = offsetof(struct hop_hello, slot_bytes) };

/* Forget the first n bytes of the head that is being read. */
void mpico_hop_rx_head(struct hop *h, unsigned n)
{
    uint8_t *head = (uint8_t *)&h->rx;
    memmove(head, head + n, HOP_HEAD - n);
    h->rx_left = n;
    h->rx_end = head + HOP_HEAD;
    h->rx_payload = 0;
}

/* Not a head: look for the beginning of one in what has been read. */
static void slide(struct hop *h)
{
    unsigned n = 1;
    while (n < HOP_HEAD && ((uint8_t *)&h->rx)[n] != HOP_SYNC)
        n++;
    h->noise += n;
    mpico_hop_rx_head(h, n);
}

/* Which bit of `here` is the data frame's that comes; at least HOP_SLOTS_MAX: none. */
static unsigned bit_of(const struct hop *h) { return (uint16_t)(h->rx.sequence - h->expected + h->ready); }

/* Its slot. NULL: it has come before, or there is no room. */
static uint8_t *place(const struct hop *h)
{
    unsigned i = bit_of(h);
    if (i < h->ready || i > h->mask_in || (h->here >> i & 1))
        return NULL;
    return slot_in(h, h->rx.sequence);
}

/* A whole head has come. 0: it is none. */
static int decode(struct hop *h, uint32_t now)
{
    unsigned kind = h->rx.kind & HOP_KIND, len = h->rx.length;
    h->rx_check = mpico_check(kind == HOP_HELLO ? hop_hello_start : h->start_in, &h->rx, HOP_HEAD);
    if (kind != HOP_HELLO && h->state != HOP_OPEN)
        return 0;
    if (h->rx.sync != HOP_SYNC || h->rx_check >> 16 || (kind ? len != HOP_NEWS_BYTES : len > h->hello.slot_bytes))
        return 0;
    cost(COST_DECODE, 1);
    h->rx_left = len + HOP_TAIL;
    h->rx_end = kind ? h->rx_small.bytes : place(h);
    if (h->rx_end)
        h->rx_end += h->rx_left;
    h->rx_since = now;
    h->rx_payload = 1;
    return 1;
}

/* ---- What they say ---- */

static unsigned wrong_with(const struct hop *h, const struct hop_hello *hello)
{
    if (h->rx.kind >> 4 != HOP_VERSION)
        return HOP_NEWER;
    if (hello->slot_bytes != h->hello.slot_bytes)
        return HOP_SIZES;
    return h->met && hello->nonce != h->hello.echo ? HOP_RESTART : HOP_FINE;
}

/* A HELLO has come in which nothing is wrong. 1: it is of this session. */
static int greet(struct hop *h, const struct hop_hello *hello)
{
    /* Also one that is open with another life of ours: it hears nothing else from us. */
    h->hello_due |= (uint8_t)(!hello->open || hello->echo != h->hello.nonce);
    if (hello->nonce != h->hello.echo)
        h->state = HOP_OPENING; /* what opened it was a late one */
    h->hello.echo = hello->nonce;
    if (hello->echo != h->hello.nonce)
        return 0;
    if (h->state == HOP_OPENING) {
        h->state = HOP_OPEN;
        h->hello_due = 1; /* before anything else: the neighbour opens with it */
        h->start_in = mpico_check(hop_hello_start, hello, HELLO_NONCES);
        h->start_out = mpico_check(hop_hello_start, &h->hello, HELLO_NONCES);
    }
    return 1;
}

/* What a head says of our frames. How many more are acknowledged. Not inlined, nor is accept(): their caller would become
 * so long that its branches need twice the room. */
__attribute__((noinline)) static unsigned acknowledge(struct hop *h)
{
    unsigned more = (uint16_t)(h->rx.ack - h->acked);
    unsigned map = (unsigned)h->rx.ahead << 1, gaps = map | map >> 1; /* bit 0: `ack`, which has not come */
    if (more > h->flying)
        return 0; /* late: of the past */
    h->acked = (uint16_t)(h->acked + more);
    h->flying = (uint8_t)(h->flying - more);
    h->given = (uint8_t)(h->given - more);
    h->allowed = h->rx.room;
    gaps |= gaps >> 2;
    gaps = (gaps | gaps >> 4) & ~map;
    h->held = (uint8_t)map;
    h->again = (uint8_t)(h->again >> more);
    h->hurried = (uint8_t)(h->hurried >> more);
    h->again |= (uint8_t)(gaps & ~h->hurried);
    h->hurried |= (uint8_t)gaps;
    return more;
}

/* A data frame has come, with a slot or without. 1: it is new. */
static unsigned keep(struct hop *h)
{
    unsigned len = h->rx.length;
    h->ack_due = 1;
    if (!h->rx_end) {
        h->duplicates++;
        return 0;
    }
    *slot_len(h, h->rx_end - len - HOP_TAIL) = (uint16_t)len;
    h->here |= (uint8_t)(1u << bit_of(h));
    for (; h->here >> h->ready & 1; h->ready++)
        h->expected++;
    return 1;
}

/* A frame has come and its check sums are right. How much it has moved. */
__attribute__((noinline)) static unsigned accept(struct hop *h, uint32_t now)
{
    unsigned kind = h->rx.kind & HOP_KIND, moved;
    if (kind == HOP_HELLO) {
        unsigned trouble = wrong_with(h, &h->rx_small.hello);
        h->peer_version = h->rx.kind >> 4;
        if (trouble && h->met) {
            /* A late one of a former session, if the neighbour is still heard. */
            if (due(now, h->heard, h->times->dead / 2))
                mpico_hop_cut(h, trouble);
            return 0;
        }
        h->trouble = (uint8_t)trouble;
    }
    h->heard = now;
    h->noise_heard = h->noise;
    if (h->trouble) {
        h->state = HOP_OPENING;
        return 0;
    }
    if (kind != HOP_HELLO)
        h->met = 1;
    else if (!greet(h, &h->rx_small.hello))
        return 0;
    moved = acknowledge(h);
    if (moved) {
        h->pushed = now;
        h->met = 1;
    }
    if (kind == HOP_CONTROL)
        memcpy(h->peer_news, h->rx_small.bytes, HOP_NEWS_BYTES);
    if (kind == HOP_DATA)
        moved += keep(h);
    return moved;
}

/* Read once from the lane what is missing of a head, or of a payload with its check sum. 0: nothing was there. */
static size_t pull(struct hop *h)
{
    size_t n = h->rx_left;
    uint8_t *to = h->rx_small.bytes;
    if (h->rx_end)
        to = h->rx_end - n;
    else if (n > sizeof h->rx_small.bytes) /* without a slot it is read and forgotten */
        n = sizeof h->rx_small.bytes;
    n = h->lane->get(h->lane, to, n);
    h->rx_left -= n;
    if (h->rx_payload)
        h->rx_check = mpico_check(h->rx_check, to, n);
    return n;
}

unsigned mpico_hop_receive(struct hop *h, uint32_t now)
{
    unsigned moved = 0;
    for (unsigned i = 0; i < READS && h->state != HOP_CUT && pull(h); i++) {
        if (h->rx_left)
            continue;
        if (h->rx_payload) {
            if (h->rx_check)
                h->damaged++;
            else
                moved += accept(h, now);
            mpico_hop_rx_head(h, HOP_HEAD);
        } else if (!decode(h, now)) {
            slide(h);
        }
    }
    return moved;
}
