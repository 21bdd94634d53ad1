/* heap.h: memory from one arena given at start. A buddy allocator: sizes are powers of two times
 * HEAP_BLOCK, so that free and alloc take a bounded number of steps and fragmentation has a proved bound
 * (J. M. Robson, "Bounds for some functions concerning dynamic storage allocation", JACM 21(3), 1974). Small builds
 * (heap_small.c) take the first piece that is long enough.
 */
#ifndef MPICO_HEAP_H
#define MPICO_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "../sizes.h"

enum { HEAP_BLOCK = SMALL ? 8 : 64, HEAP_ORDERS = SMALL ? 1 : 40 };

struct heap {
    unsigned char *base;  /* aligned to HEAP_BLOCK */
    size_t blocks, fresh; /* all, and from which on none was ever part of a piece */
    unsigned char *order; /* one byte a block: order of the piece that starts there, bit 7: free */
    void *free[HEAP_ORDERS];
    size_t used, high; /* bytes */
};

/* The arena is the caller's for the life of the heap, and lent to it. Memory is taken from its beginning on: pages beyond
 * what was ever in use are not touched, however large the arena is. */
void mpico_heap_init(struct heap *, void *arena, size_t bytes);
/* Aligned to HEAP_BLOCK. NULL when there is no piece large enough. Never blocks. */
void *mpico_heap_alloc(struct heap *, size_t bytes);
void mpico_heap_free(struct heap *, void *); /* NULL is fine */

#endif
