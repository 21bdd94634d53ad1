/* shared.h: what harts share. One ring of lines for each ordered pair of ranks, so that a sender writes without
 * locks, and one inbox a rank.
 *
 * A message is a record in the ring from its sender to its receiver: header and payload in whole lines of 64 bytes,
 * one line up to 24 bytes of payload. A record is never wrapped: one that would reach beyond the ring's end starts at
 * its beginning, and a record of length SKIP fills the gap. Both ends count bytes, without end; a position is the
 * count modulo the ring.
 *
 * Who rings a bell sets its bit in the inbox of the one it rings for, always: so `ready` says whom to look at, and a
 * rank that finds it zero has nothing to do. A bell also says that there is room again, or nothing at all: whoever is
 * woken looks for itself.
 */
#ifndef MPICO_CHIP_SHARED_H
#define MPICO_CHIP_SHARED_H

#include <assert.h>
#include <stdint.h>

#include "core/packet.h"
#include "hart.h"

enum {
    LINE_BYTES = 64,
    RING_BYTES_MIN = 4 * LINE_BYTES,
    RING_BYTES_MAX = 4096,
    RINGS_BYTES = HARTS_MAX * HARTS_MAX * RING_BYTES_MIN, /* all rings together: 1 MB for 64 harts, and never more */
    AREA_BYTES = 128 * 1024
};

struct record {
    struct packet packet;
    uint64_t len; /* of the payload, or SKIP */
    unsigned char bytes[];
};
static const uint64_t SKIP = UINT64_MAX;
static_assert(sizeof(struct record) == 40, "a line holds the header and 24 bytes");

struct inbox {
    _Alignas(LINE_BYTES) uint64_t ready; /* bit s: rank s has rung */
    uint64_t starved;                    /* bit s: rank s waits for room in its ring to this rank */
    uint32_t ended;
    _Alignas(LINE_BYTES) uint64_t sent[HARTS_MAX];  /* bytes written into the ring from s to this rank; s writes */
    _Alignas(LINE_BYTES) uint64_t taken[HARTS_MAX]; /* bytes read from the ring from this rank to d; d writes */
};

struct shared {
    uint64_t asleep;  /* bit k: rank k sleeps, naps, or has ended; who rings it takes the bit back */
    uint64_t napping; /* bit k: rank k goes on by itself */
    uint32_t ended;
    int32_t code; /* of the first rank that failed */
    uint32_t halting;
    uint32_t printing;
    uint64_t print_waiters; /* bit k: rank k waits for the console */
    uint64_t arrived;       /* at collectives of the whole job: collective.c */
    struct inbox inbox[HARTS_MAX];
    _Alignas(LINE_BYTES) unsigned char rings[RINGS_BYTES];
    _Alignas(LINE_BYTES) unsigned char area[2][AREA_BYTES]; /* data of collectives */
};

static_assert(sizeof(struct shared) <= SHARED_BYTES - SCRATCH_BYTES, "what harts share fits");

static inline struct shared *shared(void) { return (struct shared *)(void *)mpico_chip_shared; }

#endif
