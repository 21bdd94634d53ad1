/* settings.c: the numbers that a board's linker script gives ports/board (ports/board/settings.h), for firmware whose linker script is
 * the framework's. Most of them are symbols whose address is the value; only assembly can define such.
 */
#include <assert.h>
#include <stdalign.h>

#ifndef MPICO_ARENA_BYTES
#define MPICO_ARENA_BYTES 65536
#endif
#ifndef MPICO_SLOT_BYTES
#define MPICO_SLOT_BYTES 296
#endif

#ifndef MPICO_SLOTS
#define MPICO_SLOTS 4
#endif
#ifndef MPICO_SPARE_SLOTS
#define MPICO_SPARE_SLOTS 2
#endif

#define TEXT_OF(number) #number
#define ABSOLUTE(symbol, number) __asm__(".global " symbol "\n\t.set " symbol ", " TEXT_OF(number) "\n")

extern unsigned char mpico_arena[];
alignas(64) unsigned char mpico_arena[MPICO_ARENA_BYTES];

ABSOLUTE("mpico_arena_bytes", MPICO_ARENA_BYTES);
ABSOLUTE("mpico_slot_bytes", MPICO_SLOT_BYTES);
ABSOLUTE("mpico_slots", MPICO_SLOTS);
ABSOLUTE("mpico_spare_slots", MPICO_SPARE_SLOTS);

static_assert(MPICO_SLOT_BYTES % 4 == 0 && MPICO_SLOT_BYTES < 65536,
              "a frame's length is 16 bits, and its memory aligned");
