/* request.h: an operation under way. A request is on the caller's stack (blocking calls), in a
 * schedule (collectives) or from the rank's pool (MPI_Request). The core never frees one by itself
 * unless it was given away (REQUEST_DETACHED).
 */
#ifndef MPICO_REQUEST_H
#define MPICO_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "../base/list.h"
#include "../base/optional.h"
#include "../sizes.h"

struct rank;
struct comm;
struct type;
struct message;

enum request_kind {
    REQUEST_SEND = 1,
    REQUEST_RECV,
    REQUEST_COLL,     /* a schedule */
    REQUEST_BUFFERED, /* complete at birth; the copy travels on its own */
    REQUEST_RMA,      /* a one-sided operation: target parts, of which `moved` are done (src/rma) */
    REQUEST_GENERAL,  /* the program completes it */
    REQUEST_PARTS     /* partitioned: its parts are requests of their own; mode: 1 receives */
};

enum send_mode { SEND_STANDARD, SEND_SYNC, SEND_BUFFERED, SEND_READY };

enum request_flag {
    REQUEST_DONE = 1,
    REQUEST_PERSISTENT = 2,
    REQUEST_ACTIVE = 4,   /* persistent: started; others: always */
    REQUEST_DETACHED = 8, /* MPI_Request_free before completion: freed by completion */
    REQUEST_CANCELLED = 16,
    REQUEST_POOLED = 32,     /* came from mpico_request_alloc() */
    REQUEST_MATCHED = 64,    /* receive: a message was found, cancel is too late */
    REQUEST_QUEUED = 128,    /* its next packet waits for room in the wire (rank.unsent) */
    REQUEST_OWNS_COMM = 256, /* src/api holds a reference of comm until the handle is freed */
    REQUEST_STREAM = 512,    /* send: the first packet of a stream has left; receive: it stands in rank.streams */
    REQUEST_SENT = 1024,     /* send: over but for memory that a link still has on loan */
    REQUEST_SHELL = 2048     /* never posted: requests of its own in rank.requests move its data, and end it */
};

enum { REQUEST_MAGIC = 0x72657131, REQUEST_FREED = 0x66726565 };

struct request {
    uint32_t magic;
    uint8_t kind, mode;
    uint16_t flags;
    struct list node;  /* posted receives of its bucket; sends that wait for room; receives of streams under way */
    struct list line;  /* of a send that is the first in line for its peer: the others (line.h) */
    size_ticket order; /* posting order, for wildcards against exact receives */

    void *buf;
    const struct type *type;
    size_t count;
    size_t bytes; /* capacity of a receive, length of a send */
    struct comm *comm;
    uint32_t context;
    int peer;       /* rank in comm, or MPI_ANY_SOURCE / MPI_PROC_NULL */
    int peer_world; /* -1 for any */
    int tag;

    size_t moved;          /* bytes sent or arrived so far */
    size_t target;         /* bytes that will move: min(message, capacity) */
    size_ticket remote;    /* the peer's ticket (rendezvous, synchronous, stream) */
    size_ticket ticket;    /* our own while packets may name this request, else 0 */
    struct request *named; /* ticket_small.c: the next one with a ticket */
    uint8_t pending;       /* enum packet_kind of the packet that waits for room */
    uint16_t loans;        /* payloads that a link has borrowed */

    /* The result. */
    int source, status_tag, error; /* error: an MPI class, 0 when fine */
    size_t received;               /* bytes of the packed message that arrived in the buffer */
    size_t sent_bytes;             /* what the sender sent, for the sentence on truncation */

    void (*on_done)(struct request *); /* schedules; runs inside progress; may post, not wait */
    void *owner;                       /* free for on_done */
    void *extra;                       /* schedule of REQUEST_COLL, copy of a buffered send */
    struct list all;                   /* rank.requests */
};

/* From the rank's pool; NULL when memory is exhausted. Zeroed but for magic, POOLED. Never blocks. */
struct request *mpico_request_alloc(struct rank *);
OPTIONAL void mpico_request_free(struct rank *, struct request *);

/* Mark done and tell the owner. Called by the core and by the schedule engine. */
void mpico_request_done(struct rank *, struct request *);

#endif
