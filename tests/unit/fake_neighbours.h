/* fake_neighbours.h: two ends of a cable (fake_lane.h) with a hop each, and above them a layer that sends numbered messages
 * whose bytes follow from their number, and sees that each comes once, whole and in order.
 */
#ifndef MPICO_FAKE_NEIGHBOURS_H
#define MPICO_FAKE_NEIGHBOURS_H

#include <stdint.h>

#include "../../src/net/hop.h"
#include "fake_lane.h"

struct neighbour {
    struct hop hop;
    void *memory; /* exactly what the hop asks for, so that a sanitizer sees a byte beyond */
    uint32_t to_send, sent, got;
    uint8_t taken; /* bit i: message got + i was taken out of turn */
    int idle;      /* 1: takes nothing */
    int stopped;   /* 1: its turn does not come */
};

struct neighbours {
    struct cable *cable;
    struct hop_times times;
    unsigned slots[2], slot_bytes; /* slots[i]: from end i to the other */
    int any_order;                 /* messages are taken in an order that is drawn, and some later */
    struct neighbour end[2];
    const char *wrong; /* what has gone wrong first; NULL: nothing */
};

/* 8 slots of 64 bytes, resend 10, heartbeat 25, dead 500; an empty cable of 4096 bytes. Nonces follow from the seed. Change what
 * you like, then neighbours_open(). */
void neighbours_init(struct neighbours *, uint64_t seed);
void neighbours_open(struct neighbours *, int side, uint32_t nonce);
void neighbours_fini(struct neighbours *);

size_t message_len(const struct neighbours *, int side, uint32_t number);
void message_fill(int side, uint32_t number, uint8_t *bytes, size_t len);

/* Let both ends send what they can of to_send, take what has come, and one tick pass. How much has moved. */
int neighbours_step(struct neighbours *);
/* Until both have got what the other has to send. 0; -1: not within so many ticks, or something is wrong. */
int neighbours_run(struct neighbours *, uint32_t ticks);
/* Until both links are open. 0, or -1. */
int neighbours_meet(struct neighbours *, uint32_t ticks);

#endif
