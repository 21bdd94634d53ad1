/* protocol.h: what a stage does for a block: ask, await, start, send. A block's number decides its buffer and its requests. */
#pragma once

#include "chain/seat.h"

/* Posts the receives of a block and asks upstream for it. */
void seat_ask(struct seat *, int block);
void seat_await(struct seat *, int block, int message);

/* Downstream, blocking: until the request is there; until the message may be overwritten, or with overlap until it is on its way. */
void seat_await_request(struct seat *);
void seat_send(struct seat *, const float *block, int message);
/* Until nothing is under way downstream. */
void seat_await_sends(struct seat *);

/* When the stage should begin with a block; -HUGE_VAL: whenever it can. */
double seat_moment(const struct seat *, const struct run *, int block);
/* How late a stage may begin: alone with two buffers a period, since the block that comes at the moment would find the other buffer. With
 * data flow the source's requests say the same. */
double seat_slack(const struct seat *, const struct run *);
/* The stage is ready for a block, or for the part of it that comes `period_part` of a period after its start: notes that in the step and
 * waits for the moment. */
void seat_start(struct seat *, const struct run *, int block, double period_part, struct step *);
