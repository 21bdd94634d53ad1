/* trap.c: a fault of the program says what it was, and where, and ends the job. */
#include "base/text.h"
#include "boot.h"
#include "port.h"

enum { STACK_BYTES = 4096 /* start.S knows it */, CODE_TRAP = 139, HEX_DIGITS = 16 };

_Alignas(16) unsigned char mpico_trap_stack[STACK_BYTES];
_Noreturn void mpico_trap(uint64_t cause, uint64_t pc, uint64_t address);

static const char *const causes[] = {
    [0] = "instruction address misaligned",
    [1] = "instruction access fault",
    [2] = "illegal instruction",
    [3] = "breakpoint",
    [4] = "load address misaligned",
    [5] = "load access fault",
    [6] = "store address misaligned",
    [7] = "store access fault",
    [8] = "environment call",
    [9] = "environment call",
    [12] = "instruction page fault",
    [13] = "load page fault",
    [15] = "store page fault",
};

static const char *name(uint64_t cause)
{
    const char *text = cause < sizeof causes / sizeof *causes ? causes[cause] : NULL;
    return text ? text : "unknown trap";
}

/* What the address tells. */
static const char *meaning(uint64_t address)
{
    if (address < MEGAPAGE)
        return " (a null pointer)";
    if (address < private_address && address >= private_address - (uint64_t)MEGAPAGES_MAX / 2 * MEGAPAGE)
        return " (the stack has overflowed)";
    if (address >= memory_start && address < mpico_chip.memory_end)
        return " (code, constants or another hart's memory)";
    return "";
}

static const char *hex(uint64_t n, char text[HEX_DIGITS + 1])
{
    int digits = 1;
    while (digits < HEX_DIGITS && n >> 4 * digits)
        digits++;
    text[digits] = 0;
    for (; digits > 0; n >>= 4)
        text[--digits] = "0123456789abcdef"[n & 15];
    return text;
}

_Noreturn void mpico_trap(uint64_t cause, uint64_t pc, uint64_t address)
{
    static uint8_t inside;
    char line[200], at[HEX_DIGITS + 1], where[HEX_DIGITS + 1];
    if (inside++)
        mpico_hart_exit(CODE_TRAP);
    size_t len = mpico_text_format(line, sizeof line, "hart %d: %s at pc 0x%s", mpico_hart, name(cause), hex(pc, at));
    if (cause != 2 && cause != 3 && cause != 8 && cause != 9)
        mpico_text_format(line + len, sizeof line - len, ", address 0x%s%s", hex(address, where), meaning(address));
    mpico_machine.halt(NULL, CODE_TRAP, line);
}
