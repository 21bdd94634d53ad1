/* loop.h: what a program that links ports/loop may set before MPI_Init. */
#ifndef MPICO_LOOP_H
#define MPICO_LOOP_H

#include <stddef.h>

/* Memory for the library, the caller's for the life of the rank. Without this call a static array of
 * LOOP_ARENA_BYTES serves. Before MPI_Init only. */
void mpico_loop_arena(void *arena, size_t bytes);

enum { LOOP_ARENA_BYTES = 256 * 1024 };

#endif
