/* hop_tx.c: frames that go over a hop: which is due, built, handed to the lane piece by piece. */
#include "hop_parts.h"

/* Build the frame around `body` and start sending it. Its sequence number is in the head. */
static void begin(struct hop *h, unsigned kind, uint8_t *body, unsigned len)
{
    cost(COST_HEADER, 1);
    h->tx.sync = HOP_SYNC;
    h->tx.kind = (uint8_t)(HOP_VERSION << 4 | kind);
    h->tx.ack = h->expected;
    h->tx.ahead = (uint8_t)(h->here >> (h->ready + 1));
    h->tx.room = (uint8_t)(h->mask_in + 1u - h->ready);
    h->tx.length = (uint16_t)len;
    uint32_t sum =
        mpico_check(kind == HOP_HELLO ? hop_hello_start : h->start_out, &h->tx, offsetof(struct hop_head, check));
    h->tx.check = (uint16_t)sum;
    sum = mpico_check(sum >> 16, body, len); /* see check.h */
    memcpy(body + len, &sum, sizeof sum);
    h->tx_end = body + len + HOP_TAIL;
    h->tx_left = HOP_HEAD + len + HOP_TAIL;
    h->freed = 0;
    h->ack_due = 0;
}

/* Start the next data frame: one that is missed, or a new one. 0: none may go. */
static int begin_data(struct hop *h, uint32_t now)
{
    unsigned flight = (1u << h->flying) - 1, again, s = h->acked;
    if (flight && due(now, h->pushed, h->times->resend))
        h->again = (uint8_t)flight;
    again = h->again & flight & ~(unsigned)h->held;
    if (again) {
        h->again &= (uint8_t) ~(again & -again);
        h->resent++;
        for (; !(again & 1); again >>= 1)
            s++;
    } else if (may_send_fresh(h)) {
        s += h->flying++;
    } else {
        return 0;
    }
    uint8_t *slot = slot_out(h, s);
    h->tx.sequence = (uint16_t)s;
    begin(h, HOP_DATA, slot, *slot_len(h, slot));
    return 1;
}

/* Start the next frame. 0: none is due. */
static int begin_any(struct hop *h, uint32_t now)
{
    int beat = due(now, h->said, h->times->heartbeat);
    unsigned kind = HOP_CONTROL;
    uint8_t *body = h->news;
    if (h->hello_due || (beat && !h->met)) { /* until a frame of the session has come, it may not be the neighbour's */
        kind = HOP_HELLO;
        body = (uint8_t *)&h->hello;
        h->hello.open = h->state;
        h->hello_due = 0;
        h->news_due |= beat && h->state == HOP_OPEN; /* whose beat this was */
    } else if (h->state == HOP_OPENING) {
        return 0;
    } else if (!h->news_due && !beat) {
        if (begin_data(h, now))
            return 1;
        if (!h->ack_due)
            return 0;
    }
    h->news_due &= (uint8_t)(kind == HOP_HELLO);
    h->said = now;
    h->tx.sequence = (uint16_t)(h->acked + h->flying);
    begin(h, kind, body, HOP_NEWS_BYTES);
    return 1;
}

/* Give the lane what it takes of the frame under way. 1: all of it is gone. */
static int push(struct hop *h, uint32_t now)
{
    while (h->tx_left) {
        size_t n = h->tx_left, payload = (size_t)h->tx.length + HOP_TAIL;
        const uint8_t *end = h->tx_end;
        if (n > payload) {
            n -= payload;
            end = (const uint8_t *)(&h->tx + 1);
        }
        n = h->lane->put(h->lane, end - n, n);
        if (n == 0)
            return 0;
        h->tx_left -= n;
    }
    if ((h->tx.kind & HOP_KIND) == HOP_DATA)
        h->pushed = now;
    return 1;
}

void mpico_hop_transmit(struct hop *h, uint32_t now)
{
    while ((h->tx_left || begin_any(h, now)) && push(h, now))
        continue;
}
