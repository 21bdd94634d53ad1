/* cortex_m.h: what all boards with an Arm Cortex-M core share. A board adds a clock, a console and lanes (ports/board/board.h).
 *
 * The program runs on the process stack, at the bottom of the RAM: where it overflows there is no memory, and the core says so at
 * once. Interrupts run on the main stack above it.
 */
#ifndef MPICO_CORTEX_M_H
#define MPICO_CORTEX_M_H

#include <stddef.h>
#include <stdint.h>

#define REG(address) (*(volatile uint32_t *)(address))

/* Start the tick: `clock_hz` is what the core runs at. mpico_board_turn() is called in PendSV, below all other interrupts. */
void cortex_m_tick_start(uint32_t clock_hz);
/* Allow an interrupt of the board; pend one, as if its device had asked. */
void cortex_m_irq_enable(unsigned irq);
static inline void cortex_m_irq_pend(unsigned irq) { REG(0xE000E200 + 4 * (irq / 32)) = 1u << irq % 32; }

/* Something has happened: end cortex_m_sleep(). From interrupts. */
extern volatile uint8_t cortex_m_event;
static inline void cortex_m_wake(void) { cortex_m_event = 1; }
/* The frames in the rings should move on soon, though the program computes. From interrupts. */
void cortex_m_hurry(void);
void cortex_m_sleep(void);

/* Interrupts off, and what was before. */
static inline uint32_t cortex_m_lock(void)
{
    uint32_t was;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(was)::"memory");
    return was;
}
static inline void cortex_m_unlock(uint32_t was) { __asm__ volatile("msr primask, %0" ::"r"(was) : "memory"); }

/* The board: one of its interrupts has come. */
void board_irq(unsigned irq);

/* Calls to a debugger or an emulator (Arm's semihosting). The result is the debugger's. */
int semihost_call(int operation, const void *arguments);
enum { SEMIHOST_GET_CMDLINE = 0x15, SEMIHOST_EXIT_EXTENDED = 0x20 };

#endif
