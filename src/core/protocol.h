/* protocol.h: sending and receiving. Short messages travel with their header (eager); long ones ask
 * first (rendezvous) and are pulled in one copy where the link can, or follow in packets.
 * No function here blocks unless its name says wait. Arguments are checked above.
 */
#ifndef MPICO_PROTOCOL_H
#define MPICO_PROTOCOL_H

#include "rank.h"
#include "request.h"
#include "../type/type.h"

/* Fill a request (its memory is the caller's); context is comm_context() or comm_coll_context(). */
void mpico_send_init(struct request *, const void *buf, size_t count, const struct type *, int dest, int tag,
                     struct comm *, uint32_t context, enum send_mode);
void mpico_recv_init(struct request *, void *buf, size_t count, const struct type *, int source, int tag, struct comm *,
                     uint32_t context);

/* Start it. May complete at once (REQUEST_DONE). */
void mpico_send_start(struct rank *, struct request *);
void mpico_recv_start(struct rank *, struct request *);

/* A short blocking send without a request: 0 taken, MPICO_AGAIN use a request instead. */
int mpico_send_short(struct rank *, const void *buf, size_t bytes, int dest, int tag, struct comm *, uint32_t context);

/* Receive a message that Mprobe took out. */
void mpico_recv_message(struct rank *, struct request *, struct message *);
/* Withdraw a posted receive: 1 cancelled (and done), 0 too late. */
int mpico_recv_cancel(struct rank *, struct request *);

#endif
