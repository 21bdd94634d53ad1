/* hop_parts.h: what the files of hop.c share. */
#ifndef MPICO_NET_HOP_PARTS_H
#define MPICO_NET_HOP_PARTS_H

#include <string.h>

#include "../cost.h"
#include "check.h"
#include "hop.h"

enum { HOP_SYNC = 0xa5, HOP_KIND = 15, HOP_DATA = 0, HOP_CONTROL = 1, HOP_HELLO = 2 };
static const uint32_t hop_hello_start = 0xffffffff; /* of the check sum of a HELLO: before nonces are known */

/* Signed: a turn in an interrupt may have noted a later time than the `now` of the turn that it interrupts. */
static inline int due(uint32_t now, uint32_t since, unsigned ticks) { return (int32_t)(now - since) >= (int32_t)ticks; }

static inline uint8_t *slot_out(const struct hop *h, unsigned sequence)
{
    return h->memory + (sequence & h->mask_out) * (size_t)h->stride;
}
static inline uint8_t *slot_in(const struct hop *h, unsigned sequence)
{
    return h->memory_in + (sequence & h->mask_in) * (size_t)h->stride;
}
/* The length of its payload is at the end of a slot. */
static inline uint16_t *slot_len(const struct hop *h, const uint8_t *slot)
{
    return (uint16_t *)(void *)(uintptr_t)(slot + h->stride - sizeof(uint16_t));
}

static inline int may_send_fresh(const struct hop *h) { return h->flying < h->given && h->flying < h->allowed; }

/* Forget the first n bytes of the head that has been read; the next head begins with the others. */
void mpico_hop_rx_head(struct hop *, unsigned n);
/* Read what has come. How much it has moved. */
unsigned mpico_hop_receive(struct hop *, uint32_t now);
/* Send what is due, as much as the lane takes. */
void mpico_hop_transmit(struct hop *, uint32_t now);
void mpico_hop_cut(struct hop *, unsigned trouble);

#endif
