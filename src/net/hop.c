/* hop.c: selective repeat over a lane that loses, damages, doubles and invents bytes.
 *
 * What must hold. Of the incoming sequence numbers as many as there are slots, from expected - ready on, have a slot each,
 * and a bit in `here` that says whether a frame is in it: those below `expected` have all come (some are taken already), beyond
 * it some may have. The head that we send allows the neighbour exactly these, so a frame always finds its slot. Of the outgoing
 * ones [acked, acked + given) have a slot each, and the first `flying` of them have been sent. Nothing in a frame is believed
 * before the check sum of the whole frame is right; only its length and its slot are used earlier, when the head alone is.
 *
 * A frame goes out and comes in piece by piece, as the lane takes and gives, and is never copied: its payload lies in its slot,
 * with room behind it for the check sum. The receiving half is in hop_rx.c, the sending half in hop_tx.c.
 */
#include "hop_parts.h"

#include "../port.h"

enum { BABBLE = 1024 };

static size_t stride(unsigned slot_bytes) { return (slot_bytes + HOP_TAIL + sizeof(uint16_t) + 7u) & ~(size_t)7; }

size_t mpico_hop_bytes(unsigned slots_out, unsigned slots_in, unsigned slot_bytes)
{
    return (slots_out + slots_in) * stride(slot_bytes);
}

void mpico_hop_cut(struct hop *h, unsigned trouble)
{
    h->trouble = (uint8_t)trouble;
    h->state = HOP_CUT;
    h->tx_left = 0;
}

void mpico_hop_open(struct hop *h, struct lane *lane, void *memory, unsigned slots_out, unsigned slots_in,
                    unsigned slot_bytes, uint32_t nonce, const struct hop_times *times, uint32_t now)
{
    memset(h, 0, sizeof *h);
    h->lane = lane;
    h->times = times;
    h->memory = memory;
    h->memory_in = h->memory + mpico_hop_bytes(slots_out, 0, slot_bytes);
    h->mask_out = (uint8_t)(slots_out - 1);
    h->mask_in = (uint8_t)(slots_in - 1);
    h->stride = (uint16_t)stride(slot_bytes);
    h->hello.nonce = nonce;
    h->hello.slot_bytes = (uint16_t)slot_bytes;
    h->heard = now;
    h->said = now - times->heartbeat; /* a HELLO is due */
    mpico_hop_rx_head(h, HOP_HEAD);
}

int mpico_hop_turn(struct hop *h, uint32_t now)
{
    if (h->state == HOP_CUT)
        return 0;
    /* A frame whose end was lost would swallow what comes after it. */
    if (h->rx_payload && due(now, h->rx_since, h->times->dead / 2)) {
        h->damaged++;
        mpico_hop_rx_head(h, HOP_HEAD);
    }
    unsigned moved = mpico_hop_receive(h, now);
    if (due(now, h->heard, h->times->dead)) {
        h->trouble = h->noise - h->noise_heard > BABBLE ? HOP_BABBLES : HOP_SILENT;
        if (h->state == HOP_OPEN)
            mpico_hop_cut(h, h->trouble);
    }
    if (h->state != HOP_CUT)
        mpico_hop_transmit(h, now);
    return (int)moved;
}

uint32_t mpico_hop_sleep(const struct hop *h, uint32_t now)
{
    uint32_t left = h->said + h->times->heartbeat - now, again = h->pushed + h->times->resend - now;
    if (h->state == HOP_CUT)
        return UINT32_MAX;
    if (h->tx_left)
        return 1;
    if (h->state == HOP_OPEN) {
        if (h->news_due || h->ack_due || may_send_fresh(h))
            return 0;
        if (h->flying && (int32_t)(again - left) < 0)
            left = again;
    }
    return (int32_t)left > 0 ? left : 0;
}

/* A frame that is acknowledged while it goes out again keeps its slot, and so do those behind it, until it is gone. */
unsigned mpico_hop_room(const struct hop *h)
{
    unsigned slots = h->mask_out + 1u, behind = (uint16_t)(h->acked - h->tx.sequence);
    return slots - h->given - (h->tx_left && behind <= slots ? behind : 0);
}

uint8_t *mpico_hop_slot(struct hop *h, size_t len)
{
    uint8_t *to = slot_out(h, h->acked + h->given);
    if (mpico_hop_room(h) == 0)
        return NULL;
    *slot_len(h, to) = (uint16_t)len;
    return to;
}

int mpico_hop_send(struct hop *h, const void *head, size_t head_len, const void *body, size_t body_len)
{
    uint8_t *to = mpico_hop_slot(h, head_len + body_len);
    if (!to)
        return MPICO_AGAIN;
    cost(COST_COPY, head_len + body_len);
    memcpy(to, head, head_len);
    if (body_len)
        memcpy(to + head_len, body, body_len);
    hop_filled(h);
    return 0;
}

/* Where in `here` is the i-th frame that can be taken; HOP_SLOTS_MAX: there is none. */
static unsigned find(const struct hop *h, unsigned i)
{
    for (unsigned k = 0; k < h->ready; k++)
        if ((h->here >> k & 1) && i-- == 0)
            return k;
    return HOP_SLOTS_MAX;
}

const uint8_t *mpico_hop_peek(const struct hop *h, unsigned i, size_t *len)
{
    unsigned k = find(h, i);
    if (k == HOP_SLOTS_MAX)
        return NULL;
    const uint8_t *slot = slot_in(h, h->expected - h->ready + k);
    *len = *slot_len(h, slot);
    return slot;
}

void mpico_hop_take(struct hop *h, unsigned i)
{
    h->here &= (uint8_t) ~(1u << find(h, i));
    for (; h->ready && !(h->here & 1); h->ready--, h->freed++)
        h->here >>= 1;
    /* Tell the neighbour of room that it does not know, but not of each slot alone. */
    if (2u * h->freed > h->mask_in ||
        (h->freed && h->ready + h->freed > h->mask_in)) /* half of them, or the only one */
        h->ack_due = 1;
}

const uint8_t *mpico_hop_unsent(const struct hop *h, unsigned i, size_t *len)
{
    const uint8_t *slot = slot_out(h, h->acked + i);
    if (i >= h->given)
        return NULL;
    *len = *slot_len(h, slot);
    return slot;
}
