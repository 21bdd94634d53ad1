/* fake_wire.h: up to 17 ranks in one program, joined by a list of messages instead of the core: what a schedule
 * needs of src/core, and nothing else. Some sends are done at once, others when they are taken; which receive
 * is served next is drawn by a fixed seed.
 */
#ifndef MPICO_FAKE_WIRE_H
#define MPICO_FAKE_WIRE_H

#include <stdint.h>

#include "../../src/core/rank.h"

enum { RANKS_MAX = 17 };

struct world {
    int size;
    struct rank rank[RANKS_MAX];
    struct comm comm[RANKS_MAX];
    struct request request[RANKS_MAX];
    uint64_t random;
};
extern struct world *w;

void world_start(int size);
void world_stop(void);
uint32_t draw(uint32_t below);

/* Fails the test when no receive can be served. */
void deliver_one(void);
/* Advance every rank; 1 if every rank's request is done. */
int all_done(void);
/* Until all requests are done; then nothing may be left on the wire. */
void run_all(void);
void wire_clear(void);
int wire_letters(void);

#endif
