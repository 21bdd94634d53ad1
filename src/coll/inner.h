/* inner.h: blocking collectives of bytes that the library itself needs, without a choice among algorithms. 0, or an error class
 * and the sentence in the rank. */
#ifndef MPICO_INNER_H
#define MPICO_INNER_H

#include "../core/rank.h"

int mpico_inner_barrier(struct rank *, struct comm *);
/* `each` bytes of every member; the own ones are in their place. */
int mpico_inner_allgather(struct rank *, struct comm *, void *all, size_t each);
/* What one member has met, all have: the greatest of their errors (0: none), which are classes. With its own a member has its own sentence. */
int mpico_inner_worst(struct rank *, struct comm *, int e);
int mpico_inner_bcast(struct rank *, struct comm *, void *buf, size_t bytes, int root);

#endif
