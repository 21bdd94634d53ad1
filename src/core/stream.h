/* stream.h: the receiving end of a stream: a message longer than a packet whose sender does not ask. Its first packet is
 * matched like any message; the pieces follow in order and are named by the sender's world rank and its ticket.
 */
#ifndef MPICO_STREAM_H
#define MPICO_STREAM_H

#include "match.h"
#include "request.h"

/* Can this be the first packet of a stream? Negative: no correct peer sends it. */
int mpico_stream_check(const struct rank *, int origin, const struct packet *, size_t len);
/* A receive has met its message, of which `have` bytes have come. The request may be done when this returns. */
APART void mpico_stream_accept(struct rank *, struct request *, const struct packet *, const void *payload,
                               size_t have);
/* A message was kept of which more is to come. */
void mpico_stream_keep(struct rank *, struct message *);
/* A piece. Negative: nobody expects it. */
int mpico_stream_piece(struct rank *, int origin, const struct packet *, const void *payload, size_t len);

#endif
