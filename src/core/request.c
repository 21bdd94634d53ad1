/* request.c: the pool of requests. */
#include "request.h"

#include <string.h>

#include "../type/type.h"
#include "comm.h"
#include "held.h"
#include "rank.h"

enum { REQUEST_SLAB = 8 /* one heap piece of 2 KB: most ranks of a large job need few */ };

static int more(struct rank *r)
{
    struct request *slab = mpico_heap_alloc(&r->heap, REQUEST_SLAB * sizeof *slab);
    if (!slab)
        return -1;
    for (int i = 0; i < REQUEST_SLAB; i++) {
        slab[i].magic = REQUEST_FREED;
        list_append(&r->request_pool, &slab[i].all);
    }
    return 0;
}

struct request *mpico_request_alloc(struct rank *r)
{
    if (list_empty(&r->request_pool) && more(r))
        return NULL;
    struct request *q = list_entry(r->request_pool.next, struct request, all);
    list_remove(&q->all);
    memset(q, 0, sizeof *q);
    q->magic = REQUEST_MAGIC;
    q->flags = REQUEST_POOLED;
    list_append(&r->requests, &q->all);
    held_add(r, HELD_REQUEST, q);
    return q;
}

void mpico_request_free(struct rank *r, struct request *q)
{
    held_drop(r, q);
    q->magic = REQUEST_FREED;
    if (q->type)
        type_release(&r->heap, q->type);
    list_remove(&q->all);
    list_append(&r->request_pool, &q->all);
}
