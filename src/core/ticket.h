/* ticket.h: the names under which packets speak of a request. A packet never carries an address: a
 * ticket is an index and a generation, so that one from a broken or late peer finds nothing instead
 * of memory that means something else by now.
 */
#ifndef MPICO_TICKET_H
#define MPICO_TICKET_H

#include <stdint.h>

#include "../base/optional.h"

struct rank;
struct request;

struct ticket {
    struct request *request; /* NULL: free */
    uint32_t generation;
    uint32_t next_free;
};

struct tickets {
    struct ticket *table;
    uint32_t size, free;   /* index + 1 of the first free one; 0: none */
    struct request *first; /* small builds: those with a ticket, by `named` */
};

/* Name the request; sets request->ticket. 0, or negative: out of memory. */
int mpico_ticket_take(struct rank *, struct request *);
/* The request a ticket names, or NULL. */
struct request *mpico_ticket_find(const struct rank *, uint64_t ticket);
APART void mpico_ticket_drop(struct rank *, struct request *);

#endif
