/* arena.h (pipe): what a program may say of the memory of its rank: define mpico_arena_bytes and mpico_arena in it, and they
 * take the place of the port's.
 *
 *     unsigned char mpico_arena[300000];
 *     const size_t mpico_arena_bytes = sizeof mpico_arena;
 */
#ifndef MPICO_PIPE_ARENA_H
#define MPICO_PIPE_ARENA_H

#include <stddef.h>

extern unsigned char mpico_arena[];
extern const size_t mpico_arena_bytes;

#endif
