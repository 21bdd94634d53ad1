/* protocol.h: sending and receiving. Short messages travel with their header (eager); long ones ask
 * first (rendezvous) and are pulled in one copy where the link can, or follow in packets.
 * No function here blocks unless its name says wait. Arguments are checked above.
 */
#ifndef MPICO_PROTOCOL_H
#define MPICO_PROTOCOL_H

#include "../base/optional.h"
#include "rank.h"
#include "request.h"
#include "../type/type.h"

/* Fill a request (its memory is the caller's); context is comm_context() or comm_coll_context(). A collective's send to
 * rank -1 goes to every other rank of the job, over a link that can (link->broadcast): of no more bytes than
 * mpico_send_eager_max(). */
void mpico_send_init(struct request *, const void *buf, size_t count, const struct type *, int dest, int tag,
                     struct comm *, uint32_t context, enum send_mode);
void mpico_recv_init(struct request *, void *buf, size_t count, const struct type *, int source, int tag, struct comm *,
                     uint32_t context);

/* Start it. May complete at once (REQUEST_DONE). */
void mpico_send_start(struct rank *, struct request *);
void mpico_recv_start(struct rank *, struct request *);

/* A short blocking send without a request: 0 taken, MPICO_AGAIN use a request instead. */
int mpico_send_short(struct rank *, const void *buf, size_t bytes, int dest, int tag, struct comm *, uint32_t context);

/* Longest message to go over this link without asking. */
size_t mpico_send_eager_max(const struct rank *, const struct link *);

/* A receive or a probe for world rank `source` (-1: any) begins (+1) or ends (-1) to wait for its message. */
SELDOM void mpico_want_tell(struct rank *, int source, int change);
static inline void mpico_want(struct rank *r, int source, int change)
{
    if (!SMALL && __builtin_expect(r->wants, 0))
        mpico_want_tell(r, source, change);
}

/* Receive a message that Mprobe took out. */
void mpico_recv_message(struct rank *, struct request *, struct message *);
/* Withdraw a posted receive: 1 cancelled (and done), 0 too late. */
int mpico_recv_cancel(struct rank *, struct request *);

#endif
