/* arrive.h: what the two ends of the protocol share: send.c, protocol.c (receiving) and stream.c. */
#ifndef MPICO_ARRIVE_H
#define MPICO_ARRIVE_H

#include "../base/copy.h"
#include "../base/optional.h"
#include "../type/type.h"
#include "protocol.h"

/* A request starts: clear what its last use left. */
void mpico_request_begin(struct request *);
/* Send the request's packet of this kind now if nobody waits before it, else stand in line. */
void mpico_send_push(struct rank *, struct request *, enum packet_kind);
/* Send the packet that is pending. 0, or MPICO_AGAIN. */
int mpico_send_again(struct rank *, struct request *);
/* The peer needs nothing more: done, or as soon as the links have given lent memory back. */
void mpico_send_over(struct rank *, struct request *);
/* Try again every packet that waits for room. How many requests moved on. */
SELDOM int mpico_protocol_push(struct rank *);

/* One or two words, by a load and a store each instead of a call. The alignment is asked for because some machines would copy
 * bytes without knowing it. 0: nothing is copied. */
static inline int copied_short(void *to, const void *from, size_t len)
{
    if (SMALL || (len != 4 && len != 8) || ((uintptr_t)to | (uintptr_t)from) & 3)
        return 0;
    to = __builtin_assume_aligned(to, 4);
    from = __builtin_assume_aligned(from, 4);
    if (len == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, 8);
    cost(COST_COPY, len);
    return 1;
}

/* Packed bytes [offset, offset + len) of the message have come: to the program's buffer. */
static inline void unpack(struct request *q, size_t offset, const void *payload, size_t len)
{
    char *to = (char *)q->buf + offset;
    if (len == 0)
        return;
    if (!q->type->contiguous) {
        mpico_type_unpack(q->type, q->buf, offset, payload, len);
    } else if (!copied_short(to, payload, len)) {
        mpico_copy(to, payload, len);
    }
}

#endif
