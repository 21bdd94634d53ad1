/* frame.h: what goes over a bare wire: a head of fixed length, then `length` bytes of payload, if any. The
 * receiver arms its port for a head, learns from it how much follows, and arms the port for that.
 */
#ifndef MPICO_NET_FRAME_H
#define MPICO_NET_FRAME_H

#include <assert.h>
#include <stddef.h>

#include "../core/packet.h"

enum { FRAME_SYNC = 0x504d, FRAME_INLINE = 40 };

enum frame_kind {
    FRAME_PACKET = 1, /* a packet of the library: to one node */
    FRAME_SPREAD,     /* to all */
    FRAME_READY,      /* the request to send, from a receiver to the nodes whose message it waits for */
    FRAME_TOKEN,      /* of the barrier; sequence: its round */
    FRAME_ACK,        /* only the acknowledgement that every frame of the windowed discipline carries */
    FRAME_KINDS
};

struct frame {
    uint16_t sync;
    uint8_t kind, hops;    /* hops so far, modulo 256: in a small ring a frame that has been round is dropped */
    uint32_t dest, source; /* nodes; one bit a node in the stop-and-wait discipline */
    uint16_t length;       /* of the payload on the wire, which a short one is not: it is in `inlined` */
    uint16_t sequence;
    uint16_t ack;           /* windowed: the next sequence number expected from `dest` */
    uint16_t check;         /* CRC-16 of the head with this field 0; 0 on a reliable wire */
    uint32_t payload_check; /* CRC-32 of the payload; 0 on a reliable wire */
    struct packet packet;
    uint8_t inlined[FRAME_INLINE]; /* windowed: a payload up to this long */
};
static_assert(sizeof(struct frame) == 24 + 32 + FRAME_INLINE, "the head has no holes");

/* Without the inlined part: the head of the stop-and-wait discipline. */
enum { FRAME_PLAIN = sizeof(struct frame) - FRAME_INLINE };

/* CRC-16/CCITT and CRC-32 (IEEE 802.3), bit by bit over a table of 16: small rather than fast. */
uint16_t mpico_frame_crc16(const void *, size_t);
uint32_t mpico_frame_crc32(const void *, size_t);

#endif
