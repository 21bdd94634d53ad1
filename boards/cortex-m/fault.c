/* fault.c: the last words of a node: what has gone wrong, where, and the end with the code that a Linux process would have, 128 + SIGSEGV.
 */
#include <stdint.h>

#include "../../ports/board/board.h"
#include "../../ports/board/board_port.h"
#include "base/text.h"
#include "cortex_m.h"

enum { FAULT_CODE = 139, NEAR = 512 /* bytes below the stack that one frame of an exception may miss by */ };

/* What the core has pushed. */
struct frame {
    uint32_t r0, r1, r2, r3, r12, lr, pc, psr;
};

extern unsigned char mpico_stack_start[], mpico_stack_end[], mpico_stack_bytes[], mpico_irq_stack_end[],
    mpico_ram_end[];

void cortex_m_fault(void);
void cortex_m_last_words(const struct frame *, uint32_t process_sp, uint32_t exc_return);

/* Which stack the frame is on is in bit 2 of lr. The main stack may be what has failed, and is not needed any more: begin it anew. */
__attribute__((naked)) void cortex_m_fault(void)
{
    __asm__ volatile("mrs r1, psp\n\t"
                     "mov r2, lr\n\t"
                     "tst lr, #4\n\t"
                     "ite eq\n\t"
                     "mrseq r0, msp\n\t"
                     "movne r0, r1\n\t"
                     "ldr r3, =mpico_irq_stack_end\n\t"
                     "msr msp, r3\n\t"
                     "b cortex_m_last_words");
}

static const char *cause_of(uint32_t cfsr)
{
    static const struct {
        uint32_t bits;
        const char *name;
    } causes[] = {
        {1u << 25, "division by zero"},
        {1u << 24, "unaligned access"},
        {1u << 16 | 1u << 17 | 1u << 18 | 1u << 19, "not an instruction"},
        {1u << 0 | 1u << 8, "jump to where no code is"},
        {1u << 15 | 1u << 9, "access to an address without memory"},
        {1u << 7 | 1u << 1, "access to a forbidden address"},
        {0xff00u, "write to an address without memory"},
    };
    for (unsigned i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (cfsr & causes[i].bits)
            return causes[i].name;
    return "fault";
}

/* With the stack at the bottom of the RAM, whatever is pushed or stored below it is an access to no memory. */
static int overflow(uint32_t process_sp, uint32_t cfsr, uint32_t address, uint32_t start)
{
    const uint32_t stacking = 1u << 4 | 1u << 12, address_valid = 1u << 15;
    if (process_sp < start || ((cfsr & stacking) && process_sp < start + NEAR))
        return 1;
    return (cfsr & address_valid) && address < start && address >= start - NEAR;
}

/* "0x" and eight digits, for the sentence that is being made. */
static const char *hex(char digits[11], uint32_t value)
{
    digits[0] = '0';
    digits[1] = 'x';
    for (int i = 0; i < 8; i++)
        digits[2 + i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    digits[10] = 0;
    return digits;
}

static int readable(const struct frame *f)
{
    return (uintptr_t)f >= (uintptr_t)mpico_stack_start && (uintptr_t)f + sizeof *f <= (uintptr_t)mpico_ram_end;
}

void cortex_m_last_words(const struct frame *f, uint32_t process_sp, uint32_t exc_return)
{
    char line[160], one[11], other[11];
    uint32_t cfsr = REG(0xE000ED28), address = REG(0xE000ED38);
    size_t n;
    if (overflow(process_sp, cfsr, address, (uint32_t)(uintptr_t)mpico_stack_start))
        n = mpico_text_format(line, sizeof line,
                              "the program's stack of %u bytes has overflowed; link with "
                              "a larger -Wl,--defsym=mpico_stack_bytes=...",
                              (unsigned)(uintptr_t)mpico_stack_bytes);
    else
        n = mpico_text_format(line, sizeof line, "%s%s", cause_of(cfsr), exc_return & 4 ? "" : " in an interrupt");
    if (cfsr & 1u << 15)
        n += mpico_text_format(line + n, sizeof line - n, " (address %s)", hex(one, address));
    if (readable(f))
        mpico_text_format(line + n, sizeof line - n, ", pc %s, called from %s", hex(one, f->pc), hex(other, f->lr));
    mpico_board_say(line);
    board_exit(FAULT_CODE);
}
