/* memory.c: malloc from a static array, through the library's allocator (src/base/heap.h). The block's length stands
 * before it, for realloc.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

enum { BYTES = 32 * 1024 * 1024, HEAD = 16 /* keeps what follows aligned for any type */ };

static unsigned char memory[BYTES];
static struct heap heap;

void *malloc(size_t n)
{
    if (!heap.base)
        mpico_heap_init(&heap, memory, sizeof memory);
    if (n > BYTES)
        return NULL;
    unsigned char *block = mpico_heap_alloc(&heap, n + HEAD);
    if (!block)
        return NULL;
    memcpy(block, &n, sizeof n);
    return block + HEAD;
}

void free(void *p)
{
    if (p)
        mpico_heap_free(&heap, (unsigned char *)p - HEAD);
}

void *calloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *p = malloc(count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

void *realloc(void *p, size_t n)
{
    size_t had = 0;
    void *larger = malloc(n);
    if (!p || !larger)
        return larger;
    memcpy(&had, (unsigned char *)p - HEAD, sizeof had);
    memcpy(larger, p, had < n ? had : n);
    free(p);
    return larger;
}
