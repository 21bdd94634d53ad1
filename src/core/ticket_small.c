/* ticket_small.c: in place of ticket.c in small builds: tickets are numbers that count up, and the few requests that have one
 * stand in a list. One that comes late finds nothing: 2^32 others come before its number is used again.
 */
#include "ticket.h"

#include "rank.h"

int mpico_ticket_take(struct rank *r, struct request *q)
{
    struct tickets *t = &r->tickets;
    if (++t->size == 0)
        t->size = 1;
    q->ticket = t->size;
    q->named = t->first;
    t->first = q;
    return 0;
}

struct request *mpico_ticket_find(const struct rank *r, uint64_t ticket)
{
    struct request *q = r->tickets.first;
    while (q && q->ticket != ticket)
        q = q->named;
    return q;
}

void mpico_ticket_drop(struct rank *r, struct request *q)
{
    struct request **at = &r->tickets.first;
    if (!q->ticket)
        return;
    while (*at != q)
        at = &(*at)->named;
    *at = q->named;
    q->ticket = 0;
}
