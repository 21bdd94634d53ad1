/* ticket.c: a growing table with a free list. Invariant: a free entry has request == NULL, and every
 * reuse raises its generation, which is never 0: ticket 0 names nothing.
 */
#include "ticket.h"

#include <string.h>

#include "rank.h"

static int grow(struct rank *r)
{
    struct tickets *t = &r->tickets;
    uint32_t size = t->size ? 2 * t->size : 32;
    struct ticket *table = mpico_heap_alloc(&r->heap, size * sizeof *table);
    if (!table)
        return -1;
    if (t->size)
        memcpy(table, t->table, t->size * sizeof *table);
    for (uint32_t i = t->size; i < size; i++)
        table[i] = (struct ticket){.generation = 1, .next_free = i + 1 < size ? i + 2 : t->free};
    mpico_heap_free(&r->heap, t->table);
    t->free = t->size + 1;
    t->table = table;
    t->size = size;
    return 0;
}

int mpico_ticket_take(struct rank *r, struct request *q)
{
    struct tickets *t = &r->tickets;
    if (!t->free && grow(r))
        return -1;
    uint32_t index = t->free - 1;
    struct ticket *e = &t->table[index];
    t->free = e->next_free;
    e->request = q;
    q->ticket = (size_ticket)e->generation << (SMALL ? 0 : 32) | index;
    return 0;
}

struct request *mpico_ticket_find(const struct rank *r, uint64_t ticket)
{
    uint32_t index = (uint32_t)ticket, generation = (uint32_t)(ticket >> 32);
    if (index >= r->tickets.size || r->tickets.table[index].generation != generation)
        return NULL;
    return r->tickets.table[index].request;
}

void mpico_ticket_drop(struct rank *r, struct request *q)
{
    if (!q->ticket)
        return;
    uint32_t index = (uint32_t)q->ticket;
    struct ticket *e = &r->tickets.table[index];
    e->request = NULL;
    if (++e->generation == 0)
        e->generation = 1;
    e->next_free = r->tickets.free;
    r->tickets.free = index + 1;
    q->ticket = 0;
}
