/* arena.c: the memory of a rank unless the program brings its own: a file of its own, so that the linker leaves it out then. */
#include "arena.h"

#include <stdalign.h>

enum {
    ARENA_BYTES = 16 * 1024 * 1024
}; /* pages of an emulated or a host process cost nothing before they are touched */

alignas(64) unsigned char mpico_arena[ARENA_BYTES];
const size_t mpico_arena_bytes = sizeof mpico_arena;
