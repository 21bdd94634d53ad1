/* lost.h: ranks that are dead or out of reach. What needs one of them ends with MPI_ERR_PROC_ABORTED: a message to or from it, a
 * receive from any source, a collective of a communicator that it belongs to. A port that can lose ranks calls mpico_lost()
 * (port.h); programs for other ports do not link this.
 */
#ifndef MPICO_LOST_H
#define MPICO_LOST_H

#include "../base/optional.h"
#include "rank.h"

/* rank.lost, one a rank of the job. */
enum {
    TORN = 1, /* messages between it and another one were lost: two of these make as much as one */
    LOST = 2
};

static inline int rank_has_lost(const struct rank *r, int world) { return r->lost && r->lost[world] & LOST; }

/* End those of the requests that cannot be completed any more, and of the program's requests. How many ended. */
OPTIONAL int mpico_lost_end(struct rank *, struct request *const *list, int requests);
/* 1 if it will never be completed. */
OPTIONAL int mpico_lost_concerns(const struct rank *, const struct request *);
/* A request that has just begun: 1 if it has ended at once. */
OPTIONAL int mpico_lost_refuse(struct rank *, struct request *);

#endif
