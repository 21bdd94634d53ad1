/* hop_bench.h: what the tests of src/net/hop.h share: two neighbours (fake_neighbours.h) that open a link, let time pass and send
 * each other messages; what goes wrong fails the test.
 */
#ifndef MPICO_HOP_BENCH_H
#define MPICO_HOP_BENCH_H

#include <stdint.h>

#include "fake_lane.h"
#include "fake_neighbours.h"

/* Where in a frame, and what: once more, from docs/wire-format.md. */
enum { KIND = 1, SEQUENCE = 2, DATA = 0, CONTROL = 1, HELLO = 2 };
enum { NONCE_A = 0x1234, NONCE_B = 0x98765432 };

int kind_of(const uint8_t *frame);
void open_both(struct neighbours *);
/* Start, and wait until both ends are open. */
void opened(struct neighbours *, uint64_t seed);
void steps(struct neighbours *, int ticks);
/* Both send so many messages, and all come. */
void traffic(struct neighbours *, uint32_t messages, uint32_t ticks);

/* A cable's watcher that loses the frames from `from` to before `until` that `side` sends; context: this. */
struct loss {
    int side, from, until, seen;
};
int lose_some(struct cable *, int from, const uint8_t *frame, size_t len);
/* One that loses each of end 0's data frames 0 to 15 once, where context, an array of 16 bytes, holds 0. */
int lose_first_time(struct cable *, int from, const uint8_t *frame, size_t len);

#endif
