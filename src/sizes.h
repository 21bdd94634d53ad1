/* sizes.h: what a small build (MPICO_SMALL: a library for machines whose memory is counted in KB) keeps less of, or leaves out. It
 * has one link to all ranks, which copies what it sends and takes any message longer than a packet in pieces that were asked
 * for; it does not explain its waits to other processes. Files called *_small.c replace the ones they are named after.
 */
#ifndef MPICO_SIZES_H
#define MPICO_SIZES_H

#include <stdint.h>

#if defined(MPICO_SMALL) && MPICO_SMALL
typedef uint32_t size_ticket; /* a ticket (core/ticket.h) or a number of bytes of a packet */
enum {
    SMALL = 1,
    SIZE_FAULT = 120,      /* longest sentence of an error, bytes */
    SIZE_COMMS = 64,       /* communicators at a time */
    SIZE_COLL_BLOCK = 512, /* memory of a short collective's steps, bytes */
    SIZE_NOTE_WAITS = 1    /* waits that a rank's note has room for */
};
#else
typedef uint64_t size_ticket;
enum { SMALL = 0, SIZE_FAULT = 256, SIZE_COMMS = 4096, SIZE_COLL_BLOCK = 4096, SIZE_NOTE_WAITS = 4 };
#endif

#endif
