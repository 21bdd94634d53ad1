/* heap.c: the buddy allocator of heap.h.
 *
 * The arena holds the control bytes, then the blocks. A piece of order k is 2^k blocks and starts at a
 * multiple of 2^k; its buddy is the other half of the piece of order k + 1. Invariant: the control byte of
 * the first block of every piece is right; those of other blocks mean nothing and are never read. For the
 * buddy of a piece of order k starts a piece too (itself, or the first of the smaller ones it was split into),
 * so looking at its control byte is always sound, and no byte needs a value at the start. Blocks from `fresh` on
 * are no piece yet; they become pieces, in order, when no free one is large enough. A buddy that reaches beyond
 * `fresh` is therefore never free.
 *
 * A request of n bytes takes at most max(64, 2n) bytes and at most HEAP_ORDERS steps to split or merge.
 */
#include "heap.h"

#include "list.h"

#define FREE 0x80u

/* No more than the address space has: shifts by k stay within size_t. */
enum { SIZE_BITS = 8 * sizeof(size_t), ORDERS = SIZE_BITS - 6 < HEAP_ORDERS ? SIZE_BITS - 6 : HEAP_ORDERS };

/* A free piece holds its node of the free list in its own first bytes. */
static struct list *piece_at(const struct heap *h, size_t block)
{
    return (struct list *)(void *)(h->base + block * HEAP_BLOCK);
}

static size_t block_of(const struct heap *h, const void *p)
{
    return (size_t)((const unsigned char *)p - h->base) / HEAP_BLOCK;
}

/* The lists have no head of their own (h->free[k] is the first node or NULL), so that struct heap
 * may be moved; prev of the first node is NULL. */
static void piece_put(struct heap *h, size_t block, unsigned k)
{
    struct list *p = piece_at(h, block), *first = h->free[k];
    p->prev = NULL;
    p->next = first;
    if (first)
        first->prev = p;
    h->free[k] = p;
    h->order[block] = (unsigned char)(FREE | k);
}

static void piece_take(struct heap *h, struct list *p, unsigned k)
{
    if (p->prev)
        p->prev->next = p->next;
    else
        h->free[k] = p->next;
    if (p->next)
        p->next->prev = p->prev;
}

/* As many blocks as fit behind their own control bytes and the alignment. */
static size_t blocks_in(uintptr_t start, size_t bytes)
{
    size_t n = bytes / (HEAP_BLOCK + 1);
    for (; n > 0; n--) {
        uintptr_t base = (start + n + HEAP_BLOCK - 1) & ~(uintptr_t)(HEAP_BLOCK - 1);
        if (base - start + n * HEAP_BLOCK <= bytes)
            break;
    }
    return n;
}

void mpico_heap_init(struct heap *h, void *arena, size_t bytes)
{
    uintptr_t start = (uintptr_t)arena;
    size_t n = blocks_in(start, bytes);
    h->order = arena;
    h->base = h->order + (((start + n + HEAP_BLOCK - 1) & ~(uintptr_t)(HEAP_BLOCK - 1)) - start);
    h->blocks = n;
    h->fresh = 0;
    h->used = h->high = 0;
    for (unsigned k = 0; k < HEAP_ORDERS; k++)
        h->free[k] = NULL;
}

/* A piece becomes free; with its buddy, if that is free, they are one. */
static void merge(struct heap *h, size_t block, unsigned k)
{
    for (; k + 1 < ORDERS; k++) {
        size_t size = (size_t)1 << k, buddy = block ^ size;
        if (buddy + size > h->fresh || h->order[buddy] != (FREE | k))
            break;
        piece_take(h, piece_at(h, buddy), k);
        block &= ~size;
    }
    piece_put(h, block, k);
}

/* One more piece: of order k if the fresh blocks begin at a multiple of its size, else the one up to where a larger one
 * may begin. Negative: there are not so many. */
static int freshen(struct heap *h, unsigned k)
{
    size_t block = h->fresh;
    unsigned order = 0;
    while (order < k && !(block >> order & 1))
        order++;
    if ((size_t)1 << order > h->blocks - block)
        return -1;
    h->fresh += (size_t)1 << order;
    merge(h, block, order);
    return 0;
}

/* The smallest order that holds `bytes`; ORDERS when none does. */
static unsigned order_for(size_t bytes)
{
    size_t need = bytes / HEAP_BLOCK + (bytes % HEAP_BLOCK != 0);
    unsigned k = 0;
    while (k < ORDERS && ((size_t)1 << k) < need)
        k++;
    return k;
}

static unsigned first_free(const struct heap *h, unsigned k)
{
    while (k < ORDERS && !h->free[k])
        k++;
    return k;
}

void *mpico_heap_alloc(struct heap *h, size_t bytes)
{
    unsigned k = order_for(bytes), from;
    if (k >= ORDERS)
        return NULL;
    while ((from = first_free(h, k)) >= ORDERS)
        if (freshen(h, k))
            return NULL;

    struct list *p = h->free[from];
    piece_take(h, p, from);
    size_t block = block_of(h, p);
    while (from > k) {
        from--;
        piece_put(h, block + ((size_t)1 << from), from);
    }
    h->order[block] = (unsigned char)k;
    h->used += (size_t)HEAP_BLOCK << k;
    if (h->used > h->high)
        h->high = h->used;
    return p;
}

void mpico_heap_free(struct heap *h, void *p)
{
    if (!p)
        return;
    size_t block = block_of(h, p);
    unsigned k = h->order[block];
    if (k & FREE)
        __builtin_trap(); /* freed twice: better to stop here than to hand one piece to two owners */
    h->used -= (size_t)HEAP_BLOCK << k;
    merge(h, block, k);
}
