/* held.c: see held.h. */
#include "held.h"

#include <string.h>

static struct held **bucket(const struct rank *r, const void *object)
{
    uintptr_t v = (uintptr_t)object / HEAP_BLOCK;
    return &r->held->bucket[(v ^ v / HELD_BUCKETS) % HELD_BUCKETS];
}

void mpico_held_add(struct rank *r, enum held_kind kind, const void *object)
{
    if (!r->held) {
        r->held = mpico_heap_alloc(&r->heap, sizeof *r->held);
        if (!r->held)
            return;
        memset(r->held, 0, sizeof *r->held);
    }
    struct held *h = mpico_heap_alloc(&r->heap, sizeof *h), **at = bucket(r, object);
    if (!h)
        return;
    *h = (struct held){.next = *at, .object = object, .call = r->call, .site = r->call_site, .kind = (uint8_t)kind};
    *at = h;
}

const struct held *mpico_held_find(const struct rank *r, const void *object)
{
    const struct held *h = r->held ? *bucket(r, object) : NULL;
    while (h && h->object != object)
        h = h->next;
    return h;
}

void mpico_held_drop(struct rank *r, const void *object)
{
    struct held **at = bucket(r, object);
    while (*at && (*at)->object != object)
        at = &(*at)->next;
    struct held *h = *at;
    if (h) {
        *at = h->next;
        mpico_heap_free(&r->heap, h);
    }
}
