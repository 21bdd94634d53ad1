/* direct.h: blocking collectives that the network does by itself (link_ops.direct), without steps or messages. */
#ifndef MPICO_DIRECT_H
#define MPICO_DIRECT_H

#include "coll.h"

struct link;

/* The link that may do a collective of this communicator: the only one, over the whole job in rank order. Or NULL. */
struct link *mpico_direct_link(const struct rank *, const struct comm *);
/* Do it, and wait for its end. 0; an error class with the sentence in the rank; or negative: no rank has done
 * anything, use a schedule. `q` is shown as what the rank waits for. */
int mpico_direct_run(struct rank *, struct link *, const struct coll_call *, struct request *q);

#endif
