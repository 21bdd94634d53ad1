/* arrive.h: what protocol.c offers to progress.c alone. */
#ifndef MPICO_ARRIVE_H
#define MPICO_ARRIVE_H

struct rank;

/* Try again every packet that waits for room. How many requests moved on. */
int mpico_protocol_push(struct rank *);

#endif
