/* boot.h: what the files of this folder share. "Machine mode": runs before translation is on, on physical addresses,
 * and must not touch the program's data. */
#ifndef MPICO_BOOT_H
#define MPICO_BOOT_H

#include "hart.h"

/* Devices. */
enum {
    TEST_DEVICE = 0x100000,
    BOOT_BELLS = 0x2000000 /* machine software interrupts, one word a hart */,
    UART = 0x10000000
};

enum { MEGAPAGE = 2 * 1024 * 1024, MEGAPAGES_MAX = 512 /* of RAM that is used: 1 GB */ };

static const uintptr_t private_address = 0x40000000; /* of every hart's own memory: chip.ld, pages.c */
static const uintptr_t memory_start = 0x80000000;

/* Limits of the program, from chip.ld. Private ones are addresses as the program sees them. */
extern unsigned char mpico_chip_image_end[], mpico_chip_boot_start[], mpico_chip_boot_end[];
extern unsigned char mpico_chip_data_start[], mpico_chip_data_end[], mpico_chip_zero_end[], mpico_chip_arena_end[];
extern const unsigned char mpico_chip_data_image[];

/* Fill harts, tick_ns, memory_end and arguments from the device tree. Machine mode. 0, or a sentence. */
const char *mpico_fdt_read(const void *fdt, struct chip *);

/* The page tables that all harts share; then those of one. Returns what its `satp` register must hold. Machine mode. */
void mpico_pages_share(const struct chip *);
uint64_t mpico_pages_make(const struct chip *, int hart);

/* Called by start.S in machine mode: by hart 0 alone, then by each hart. */
void mpico_boot_first(const void *fdt);
uint64_t mpico_boot_hart(int hart);
/* In supervisor mode, with the hart's memory in place: constructors, main(), exit(). */
_Noreturn void mpico_boot_run(int hart);

#endif
