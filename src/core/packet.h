/* packet.h: what one rank sends another. One format for every wire: fixed width, little-endian,
 * versioned. A wire that needs framing wraps it (src/net); shared memory does not pay for that.
 */
#ifndef MPICO_PACKET_H
#define MPICO_PACKET_H

#include <assert.h>
#include <stdint.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "packets go as they lie in memory");

enum { PACKET_VERSION = 1 };

enum packet_kind {
    PACKET_EAGER = 1, /* the whole message, or the first of a stream; cookie: the sender's request if it wants an ACK or
                         sends a stream, else 0 */
    PACKET_ACK,       /* a synchronous eager message was matched; cookie: the sender's request */
    PACKET_RTS,       /* a long message waits; cookie: the sender's request; payload: struct rts */
    PACKET_CTS,       /* send it in packets; cookie: the sender's request; payload: struct cts */
    PACKET_DATA,      /* a piece; cookie: the receiver's request (of a stream: the sender's); length: its offset */
    PACKET_FIN,       /* pulled in one copy, the sender's buffer is free; cookie: the sender's request */
    PACKET_KINDS
};

enum packet_flag {
    PACKET_SYNC = 1,  /* the sender waits for the match */
    PACKET_STREAM = 2 /* EAGER: the rest of the message follows in DATA packets of this flag, unasked and in order */
};

struct packet {
    uint8_t version;
    uint8_t kind;
    uint16_t flags;
    uint32_t context;
    int32_t source; /* the sender's rank in the communicator of `context` */
    int32_t tag;
    uint64_t length; /* bytes of the whole message (DATA: offset of this piece) */
    uint64_t cookie;
};
static_assert(sizeof(struct packet) == 32, "the packet header is 32 bytes on every wire");

enum { PACKET_WORDS = 4 };

/* A packet from whole words: wires copy it by words, and a wide load of bytes just stored one by one would
 * make the processor wait for all of them. */
static inline struct packet packet_make(enum packet_kind kind, unsigned flags, uint32_t context, int32_t source,
                                        int32_t tag, uint64_t length, uint64_t cookie)
{
    union {
        uint64_t word[PACKET_WORDS];
        struct packet packet;
    } u = {{(uint64_t)PACKET_VERSION | (uint64_t)kind << 8 | (uint64_t)flags << 16 | (uint64_t)context << 32,
            (uint64_t)(uint32_t)source | (uint64_t)(uint32_t)tag << 32, length, cookie}};
    return u.packet;
}

/* Is it a whole message that asks for nothing? Written so that the three fields are compared as one word. */
static inline int packet_is_plain(const struct packet *p)
{
    return (p->version | (uint32_t)p->kind << 8 | (uint32_t)p->flags << 16) == (PACKET_VERSION | PACKET_EAGER << 8);
}

struct rts {
    uint64_t address; /* of the sender's buffer when it is contiguous and may be pulled; else 0 */
};
struct cts {
    uint64_t receiver; /* the receiver's request */
    uint64_t limit;    /* bytes it takes: the smaller of message and buffer */
};

#endif
