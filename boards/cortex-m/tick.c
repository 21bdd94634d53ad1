/* tick.c: the clock tick, sleep, and the lowest interrupt, in which frames are moved on while the program computes. */
#include "../../ports/board/board.h"
#include "cortex_m.h"

enum { LOWEST = 0xE0, LOW = 0xC0, USUAL = 0x40 }; /* priorities; three bits are there on every core */

volatile uint8_t cortex_m_event;
static uint8_t asleep; /* the program waits, and will look at the lanes itself */

void cortex_m_systick(void);
void cortex_m_pendsv(void);

void cortex_m_hurry(void)
{
    if (!asleep)
        REG(0xE000ED04) = 1u << 28; /* ICSR: pend PendSV */
}

void cortex_m_systick(void)
{
    cortex_m_wake();
    cortex_m_hurry();
}

void cortex_m_pendsv(void) { mpico_board_turn(); }

void cortex_m_tick_start(uint32_t clock_hz)
{
    REG(0xE000ED20) = (uint32_t)LOW << 24 | LOWEST << 16;  /* SHPR3: SysTick, PendSV */
    REG(0xE000E014) = clock_hz / 1000 * BOARD_TICK_MS - 1; /* SYST_RVR: 24 bits */
    REG(0xE000E018) = 0;
    REG(0xE000E010) = 7; /* the core's clock, interrupt, on */
}

void cortex_m_irq_enable(unsigned irq)
{
    *(volatile uint8_t *)(0xE000E400 + irq) = USUAL;
    REG(0xE000E100 + 4 * (irq / 32)) = 1u << irq % 32;
}

/* With interrupts off wfi still ends at one, so none can slip in between the look and the sleep. */
void cortex_m_sleep(void)
{
    uint32_t was = cortex_m_lock();
    asleep = 1;
    if (!cortex_m_event)
        __asm__ volatile("dsb\n\twfi" ::: "memory");
    cortex_m_event = 0;
    cortex_m_unlock(was); /* what has come is handled here, and stays noted for the next call */
    asleep = 0;
}
