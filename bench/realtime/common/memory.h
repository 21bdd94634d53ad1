/* memory.h: memory for messages, at a known place within a page. */
#pragma once

#include <stddef.h>

enum { MEMORY_PAGE_BYTES = 4096 };

/* Zeroed and touched. Begins at a multiple of `align` bytes, a power of two, and below a page at a multiple of no larger one.
 * NULL: no memory. */
void *memory_alloc(size_t bytes, size_t align);
void memory_free(void *);
