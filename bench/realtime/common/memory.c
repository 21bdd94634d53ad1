/* memory.c: memory for messages.
 *
 * Invariant: the block of the C library begins at the page, or at the multiple of more, in which the memory begins.
 */
#include "common/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *memory_alloc(size_t bytes, size_t align)
{
    size_t unit = align > MEMORY_PAGE_BYTES ? align : MEMORY_PAGE_BYTES;
    size_t before = align < MEMORY_PAGE_BYTES ? align : 0;
    if (bytes > SIZE_MAX - before - 2 * unit)
        return NULL;
    size_t whole = (before + bytes + unit) / unit * unit; /* a byte more than is asked for, at least */
    char *block = aligned_alloc(unit, whole);
    return block ? (char *)memset(block, 0, whole) + before : NULL;
}

void memory_free(void *memory)
{
    if (memory)
        free((char *)memory - (uintptr_t)memory % MEMORY_PAGE_BYTES);
}
