/* line.h: sends that wait for room in the wire, a line a peer. A line is made of its requests alone: the first
 * stands in one of the rank's few buckets and heads the others. So waiting needs no memory, and a rank with nothing
 * that waits touches nothing, however large the job is. Small builds (line_small.c) have one line for all: their one link
 * has room for every peer or for none.
 */
#ifndef MPICO_LINE_H
#define MPICO_LINE_H

#include "rank.h"

/* The first in line for world rank `peer` (-1: for all), or NULL. */
struct request *mpico_line_first(const struct rank *, int peer);
static inline int line_waits(const struct rank *r, int peer)
{
    return __builtin_expect(r->unsent_count != 0, 0) && (SMALL || mpico_line_first(r, peer) != NULL);
}

/* To the end of the line for q->peer_world. */
void mpico_line_join(struct rank *, struct request *);
/* The first of a line leaves it, and comes back to its head when there was no room after all; then the line goes behind the
 * others of its bucket. */
void mpico_line_leave(struct rank *, struct request *);
void mpico_line_return(struct rank *, struct request *);

#endif
