/* hart.h: what the chip gives ports/chip and the rest of this folder: a number for each hart, memory that all share,
 * a way to sleep and to wake another, a console, a clock, the end. Another chip's folder has a hart.h with the same
 * functions.
 *
 * A hart runs its program in supervisor mode behind a page table of its own (pages.c): the program's data, its heap
 * and its stack are at the same addresses on every hart and in different memory. Code, constants and `shared` are the
 * same for all. Interrupts are never taken; a pending one only ends hart_sleep().
 */
#ifndef MPICO_HART_H
#define MPICO_HART_H

#include <stddef.h>
#include <stdint.h>

enum { HARTS_MAX = 64, ARGUMENTS_MAX = 1024, INTERRUPT_SOFTWARE = 1 << 1, INTERRUPT_TIMER = 1 << 5 };

/* What the first hart has found out at boot. Read only from then on. */
struct chip {
    uint32_t harts;
    uint32_t tick_ns;        /* of the `time` register */
    uintptr_t private_start; /* physical memory of hart 0's private part; the others follow */
    size_t private_bytes;    /* of each */
    uintptr_t memory_end;
    char arguments[ARGUMENTS_MAX]; /* the program's, separated by blanks */
};
extern struct chip mpico_chip;

/* Memory that every hart may read and write, zero at boot. Its last 4 KB are left to programs that share something by
 * themselves. */
enum { SHARED_BYTES = 2 * 1024 * 1024, SCRATCH_BYTES = 4096 };
extern _Alignas(SCRATCH_BYTES) unsigned char mpico_chip_shared[],
    mpico_chip_scratch[]; /* aligned, or words are read by bytes */
extern const unsigned char mpico_chip_shared_end[];

/* The calling hart's number. */
extern int mpico_hart;

enum { HART_BELLS = 0x2f00000 /* the supervisor software interrupt registers (ACLINT SSWI), one word a hart */ };

/* End hart_sleep() of `hart`, now or the next. Any hart, any context; never blocks. */
static inline void hart_wake(int hart) { ((volatile uint32_t *)HART_BELLS)[hart] = 1; }

/* Until hart_wake() of this hart, or for no reason. What the waker wrote before is visible when this returns. */
static inline void hart_sleep(void)
{
    __asm__ volatile("wfi\n\tcsrci sip, %0\n\tfence rw, rw" ::"i"(INTERRUPT_SOFTWARE) : "memory");
}

static inline uint64_t hart_ticks(void)
{
    uint64_t t;
    __asm__ volatile("csrr %0, time" : "=r"(t));
    return t;
}

/* The same, but at most until `ticks` of the clock from now. */
void mpico_hart_nap(uint64_t ticks);

/* Where this hart can read `len` bytes at `address` of `hart`, or NULL when that is no memory of the program there. */
const void *mpico_hart_reach(int hart, uint64_t address, size_t len);

/* Bytes to the console. One hart at a time. */
void mpico_hart_write(const char *bytes, size_t len);

/* End the machine with an exit code of 0 to 255. Any context. */
_Noreturn void mpico_hart_exit(int code);

#endif
