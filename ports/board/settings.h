/* settings.h: the numbers of ports/board. Those a program may choose when it is linked are symbols of the linker's script
 * (boards/cortex-m/sections.ld), set with -Wl,--defsym=NAME=VALUE; the symbol's address is the value.
 */
#ifndef MPICO_BOARD_SETTINGS_H
#define MPICO_BOARD_SETTINGS_H

#include <stdint.h>

extern unsigned char mpico_arena[];       /* the library's memory */
extern unsigned char mpico_arena_bytes[]; /* its size */
extern unsigned char mpico_slot_bytes[];  /* longest frame between neighbours; the same in all nodes of a ring */

extern unsigned char mpico_slots[];       /* frames under way to the right: 1, 2, 4 or 8 */
extern unsigned char mpico_spare_slots[]; /* and to the left, when the ring is cut */

enum {
    /* Ticks of 2^20 ns. An emulated wire carries 40 KB/s when little else runs on the host, and all nodes share the host: what
     * would be milliseconds on a board are tenths of seconds here. */
    RESEND_TICKS = 400,
    HEARTBEAT_TICKS = 100,
    DEAD_TICKS = 4000,
    OPEN_TICKS = 12000, /* for the neighbours' start */
    LEAVE_TICKS = 3000,
    STARVED_TICKS = 2000, /* to be sure that nothing moves any more */

    /* What src/core, src/coll and src/api take of the arena for one rank of a small program: src/core/rank.h has the sum. */
    CORE_BYTES = 2560
};

#endif
