/* match.h: which message meets which receive.
 *
 * Both sides are kept in hash tables by what they name: (source, tag), (source, any), (any, tag),
 * (any, any). A posted receive stands in the one table of its own kind; an unexpected message stands
 * in all four, so that every kind of receive finds the oldest message it accepts at the head of one
 * bucket. Arrival order is kept within each bucket and by a number across tables, which is MPI's
 * non-overtaking rule. Cost does not grow with the number of waiting messages of other keys. Small builds
 * (match_small.c) have a list of each side instead.
 */
#ifndef MPICO_MATCH_H
#define MPICO_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "../base/list.h"
#include "../base/optional.h"
#include "../sizes.h"
#include "packet.h"

struct rank;
struct request;

enum { MATCH_KINDS = SMALL ? 1 : 4, MATCH_BUCKETS_MIN = 4 /* a heap block a table: they grow */ };
enum match_kind { MATCH_EXACT, MATCH_ANY_TAG, MATCH_ANY_SOURCE, MATCH_ANY };

/* An unexpected message: its packet, and its payload when it came eagerly. */
struct message {
    struct list node[MATCH_KINDS];
    struct list all;    /* arrival order */
    struct list stream; /* in rank.streams_kept while pieces are to come; else on its own */
    struct packet packet;
    int origin;   /* world rank */
    uint8_t held; /* taken out by Mprobe */
    uint32_t magic;
    struct comm *comm; /* for Mrecv */
    size_t len;        /* bytes of payload kept behind the struct, */
    size_t have;       /* of which so many have come: fewer in a stream under way */
    char payload[];
};
enum { MESSAGE_MAGIC = 0x6d736731 };

struct match_table {
    struct list *bucket;
    uint32_t mask, count;
};

struct match {
    struct match_table posted[MATCH_KINDS];
    struct list posts;     /* small builds: all posted receives, oldest first */
    struct request *sole;  /* the only posted receive, in no table: the usual case of a blocking call */
    uint32_t posted_count; /* sole and tables together */
    struct match_table unexpected[MATCH_KINDS];
    struct list arrived; /* all unexpected messages, oldest first */
    uint64_t order;
    uint32_t unexpected_count;
};

int mpico_match_init(struct rank *);
/* The oldest posted receive that accepts the packet, taken out; or NULL. */
struct request *mpico_match_arrival(struct match *, const struct packet *);
/* The same when no more than one is posted: the way of most messages. NULL: ask again, above. Not in small builds. */
struct request *mpico_match_sole(struct match *, const struct packet *);
/* The oldest unexpected message that (context, source, tag) accepts, left in; or NULL. */
struct message *mpico_match_find(struct match *, uint32_t context, int source, int tag);
void mpico_match_post(struct rank *, struct request *);
void mpico_match_unpost(struct match *, struct request *);
/* Keep a message with room for `room` bytes, of which the `len` of the payload are copied. NULL: no memory. */
APART struct message *mpico_match_keep(struct rank *, int origin, const struct packet *, const void *payload,
                                       size_t len, size_t room);
void mpico_match_take(struct match *, struct message *);
void mpico_match_drop(struct rank *, struct message *);

#endif
