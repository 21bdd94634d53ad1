/* nap.c: sleep with a limit, on the hart's own timer (Sstc). The timer's interrupt is let through only meanwhile. */
#include "hart.h"

static const uint64_t never = UINT64_MAX;

void mpico_hart_nap(uint64_t ticks)
{
    __asm__ volatile("csrw 0x14d, %0\n\tcsrs sie, %1" ::"r"(hart_ticks() + ticks),
                     "r"((uint64_t)INTERRUPT_TIMER)); /* stimecmp */
    hart_sleep();
    __asm__ volatile("csrc sie, %0\n\tcsrw 0x14d, %1" ::"r"((uint64_t)INTERRUPT_TIMER), "r"(never));
}
