/* wire.h: a bare wire, as src/net sees it: two link ports of a node, one out to the right neighbour, one in from the left.
 *
 * A wire carries a stream of bytes and holds the sender back until the receiver takes them (the handshake of a link
 * port, the flow control of a UART). Blocks of sender and receiver need not have the same length. One receive is under
 * way at a time, and two sends: the second follows the first without a gap (a chain of DMA blocks).
 */
#ifndef MPICO_NET_WIRE_H
#define MPICO_NET_WIRE_H

#include <stddef.h>
#include <stdint.h>

struct wire;

enum { WIRE_SENDS = 2 };

struct wire_ops {
    /* Start sending, or follow the send under way; `bytes` stay untouched until its on_sent. len > 0. Never blocks. Any
     * context. */
    void (*send)(struct wire *, const void *bytes, size_t len);
    /* Start receiving the next `len` bytes. on_received comes after every `chunk` bytes (0: none) and at the end. */
    void (*receive)(struct wire *, void *into, size_t len, size_t chunk);
    /* The program's context enters and leaves a section that the functions below must not interrupt. */
    void (*lock)(struct wire *);
    void (*unlock)(struct wire *);
    /* Something came for the program: end its wait. Any context. */
    void (*wake)(struct wire *);
    /* Nanoseconds, and one alarm at that time, which replaces the one before (0: none). Any context. */
    uint64_t (*now)(struct wire *);
    void (*alarm)(struct wire *, uint64_t at_ns);
};

/* A port embeds this; src/net fills the second part. */
struct wire {
    const struct wire_ops *ops;
    uint8_t reliable; /* no byte is lost or damaged */

    /* Called in interrupt context, one at a time. */
    void (*on_sent)(struct wire *);
    void (*on_received)(struct wire *, size_t so_far); /* of the receive under way */
    void (*on_alarm)(struct wire *);
    void *owner;
};

#endif
