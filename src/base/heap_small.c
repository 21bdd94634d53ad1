/* heap_small.c: in place of heap.c in small builds: pieces in address order, each behind a word that says how long it is; the first
 * that is long enough is taken. Free neighbours become one when somebody looks for room. Costs a walk over the pieces,
 * of which there are few, and 8 bytes a piece.
 */
#include "heap.h"

struct piece {
    uint32_t units; /* of HEAP_BLOCK bytes, with this head; 0: the end of the arena */
    uint32_t used;
};

static struct piece *next_of(struct piece *p) { return p + p->units; }

void mpico_heap_init(struct heap *h, void *arena, size_t bytes)
{
    size_t skip = -(uintptr_t)arena % HEAP_BLOCK;
    struct piece *first = (struct piece *)(void *)((unsigned char *)arena + skip);
    h->base = (unsigned char *)first;
    h->blocks = bytes < skip + 2 * HEAP_BLOCK ? 1 : (bytes - skip) / HEAP_BLOCK;
    *first = (struct piece){(uint32_t)h->blocks - 1, 0};
    *next_of(first) = (struct piece){0, 1};
}

void *mpico_heap_alloc(struct heap *h, size_t bytes)
{
    size_t want = bytes / HEAP_BLOCK + (bytes % HEAP_BLOCK != 0) + 1;
    for (struct piece *p = (struct piece *)(void *)h->base; p->units; p = next_of(p)) {
        while (!p->used && !next_of(p)->used)
            p->units += next_of(p)->units;
        if (p->used || p->units < want)
            continue;
        if (p->units > want) {
            p[want] = (struct piece){p->units - (uint32_t)want, 0};
            p->units = (uint32_t)want;
        }
        p->used = 1;
        return p + 1;
    }
    return NULL;
}

void mpico_heap_free(struct heap *h, void *p)
{
    (void)h;
    if (p)
        ((struct piece *)p)[-1].used = 0;
}
