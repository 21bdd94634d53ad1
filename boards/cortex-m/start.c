/* start.c: vectors and reset of a Cortex-M: memory is made as C expects it, then the program runs on its own stack. */
#include <stdint.h>
#include <string.h>

#include "../../ports/board/board_port.h"
#include "cortex_m.h"

extern uint32_t mpico_data_start[], mpico_data_end[], mpico_data_load[], mpico_bss_start[], mpico_bss_end[];
extern uint32_t mpico_irq_stack_end[], mpico_stack_end[];

void cortex_m_reset(void);
void cortex_m_start(void);
void cortex_m_fault(void);
void cortex_m_systick(void);
void cortex_m_pendsv(void);

/* All interrupts of the board come here; which one, the core knows. */
static void any_irq(void)
{
    uint32_t exception;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    board_irq(exception - 16);
}

__attribute__((section(".vectors"), used)) void (*const cortex_m_vectors[48])(void) = {
    (void (*)(void))(uintptr_t)mpico_irq_stack_end,
    cortex_m_reset,
    cortex_m_fault,        /* NMI */
    cortex_m_fault,        /* hard fault */
    cortex_m_fault,        /* memory management */
    cortex_m_fault,        /* bus fault */
    cortex_m_fault,        /* usage fault */
    [11] = cortex_m_fault, /* SVCall: nobody calls */
    [12] = cortex_m_fault,
    [14] = cortex_m_pendsv,
    [15] = cortex_m_systick,
    [16 ... 47] = any_irq,
};

/* Onto the program's stack before any C that uses one: CONTROL.SPSEL. The floating-point unit is allowed before, where there is
 * one: the compiler may use its registers anywhere. */
__attribute__((naked)) void cortex_m_reset(void)
{
    __asm__ volatile("ldr r0, =mpico_stack_end\n\t"
                     "msr psp, r0\n\t"
                     "movs r0, #2\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
#if defined(__ARM_FP)
                     "ldr r0, =0xE000ED88\n\t"
                     "ldr r1, [r0]\n\t"
                     "orr r1, #0xF00000\n\t"
                     "str r1, [r0]\n\t"
                     "dsb\n\t"
                     "isb\n\t"
#endif
                     "b cortex_m_start");
}

/* The words that say who this node is lie outside .bss: whoever loads the program writes them first. */
void cortex_m_start(void)
{
    memcpy(mpico_data_start, mpico_data_load, (size_t)((char *)mpico_data_end - (char *)mpico_data_start));
    memset(mpico_bss_start, 0, (size_t)((char *)mpico_bss_end - (char *)mpico_bss_start));
    REG(0xE000ED08) = (uint32_t)(uintptr_t)cortex_m_vectors; /* VTOR */
    REG(0xE000ED24) |= 7u << 16; /* SHCSR: memory, bus and usage faults have handlers of their own */
    REG(0xE000ED14) |= 1u << 4;  /* CCR: a division by zero is a fault */
    mpico_board_run();
}
