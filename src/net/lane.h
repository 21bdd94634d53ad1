/* lane.h: bytes to and from one neighbour: a UART, a pair of pipes, a cable that a test damages. Bytes may be lost, damaged,
 * doubled or invented; src/net/hop.h makes a reliable link of it.
 */
#ifndef MPICO_NET_LANE_H
#define MPICO_NET_LANE_H

#include <stddef.h>

struct lane {
    /* Take up to `len` bytes to be sent; how many it took, in order. Never blocks. */
    size_t (*put)(struct lane *, const void *bytes, size_t len);
    /* Give up to `len` bytes that have come; how many. Never blocks. */
    size_t (*get)(struct lane *, void *bytes, size_t len);
};

#endif
