/* inter.h: how the two sides of an intercommunicator, or of one that is being made, tell each other something. Each function
 * returns 0, or an error class and the sentence in the rank.
 */
#ifndef MPICO_API_INTER_H
#define MPICO_API_INTER_H

#include "comm.h"

/* Where the one member of each side that speaks for it finds the other; `inside` is the communicator of this side. */
struct bridge {
    struct comm *inside;
    int leader;        /* a rank in it */
    struct comm *over; /* the leader's alone, as is what follows */
    int peer;          /* the other leader */
    int tag;
};

/* Between the groups of an intercommunicator; takes a tag of its collectives. */
struct bridge inter_bridge(struct comm *);
/* What each side has to all of the other one: `out` counts at the leader, `in` is filled everywhere. */
int inter_exchange(struct rank *, const struct bridge *, const void *out, size_t out_bytes, void *in, size_t in_bytes);
/* The other side's group. */
int inter_exchange_group(struct rank *, const struct bridge *, const struct group *mine, struct group **theirs);

#endif
