/* pages.c: the page tables (RISC-V privileged architecture, Sv39), in pages of 2 MB, so that translation costs next
 * to nothing.
 *
 *   from            to               what                               may
 *   0x00100000      4 KB             the device that ends the machine   read, write
 *   0x02e00000      2 MB             bells                              read, write
 *   0x10000000      2 MB             console                            read, write
 *   0x40000000      private_bytes    the hart's own memory              read, write
 *   0x80000000      image            code and constants                 read, execute
 *   then            2 MB             shared memory                      read, write
 *   then            end of RAM       start-up code's, all private parts read
 *
 * Everything else is nothing: address 0, and what lies below the stack. Another hart's memory can be read, which is
 * how long messages are copied, but not written. Tables of hart h: root at 2 * h, private one at 2 * h + 1, behind
 * the three of all harts.
 */
#include <string.h>

#include "boot.h"

enum { ENTRIES = 512, PAGE_SHIFT = 12, ROOT_SHIFT = 30, MEGA_SHIFT = 21 };
enum { VALID = 1, READ = 2, WRITE = 4, EXECUTE = 8, ACCESSED = 64, DIRTY = 128 };
enum { TABLE_DEVICES, TABLE_TEST, TABLE_MEMORY, TABLES_SHARED };
static const uint64_t sv39 = (uint64_t)8 << 60;

typedef uint64_t table[ENTRIES];
extern table mpico_chip_page_tables[TABLES_SHARED + 2 * HARTS_MAX];

static uint64_t leaf(uintptr_t at, unsigned may)
{
    return (uint64_t)at >> PAGE_SHIFT << 10 | may | VALID | ACCESSED | DIRTY;
}

static uint64_t branch(const table *t) { return (uint64_t)(uintptr_t)t >> PAGE_SHIFT << 10 | VALID; }

static unsigned mega_index(uintptr_t at) { return (unsigned)(at >> MEGA_SHIFT) % ENTRIES; }

static void map(table *t, uintptr_t at, uintptr_t physical, unsigned may)
{
    (*t)[mega_index(at)] = leaf(physical & ~(uintptr_t)(MEGAPAGE - 1), may);
}

static void map_itself(table *t, uintptr_t from, uintptr_t to, unsigned may)
{
    for (uintptr_t at = from; at < to; at += MEGAPAGE)
        map(t, at, at, may);
}

void mpico_pages_share(const struct chip *c)
{
    table *t = mpico_chip_page_tables;
    uintptr_t shared = (uintptr_t)mpico_chip_shared, boot = (uintptr_t)mpico_chip_boot_start;
    memset(t, 0, TABLES_SHARED * sizeof *t);
    t[TABLE_DEVICES][0] = branch(&t[TABLE_TEST]);
    t[TABLE_TEST][TEST_DEVICE >> PAGE_SHIFT] = leaf(TEST_DEVICE, READ | WRITE);
    map(&t[TABLE_DEVICES], UART, UART, READ | WRITE);
    map(&t[TABLE_DEVICES], HART_BELLS, HART_BELLS, READ | WRITE);
    map_itself(&t[TABLE_MEMORY], memory_start, shared, READ | EXECUTE);
    map_itself(&t[TABLE_MEMORY], shared, boot, READ | WRITE);
    map_itself(&t[TABLE_MEMORY], boot, c->memory_end, READ);
}

uint64_t mpico_pages_make(const struct chip *c, int hart)
{
    table *all = mpico_chip_page_tables, *root = &all[TABLES_SHARED + 2 * hart], *own = root + 1;
    uintptr_t physical = c->private_start + (size_t)hart * c->private_bytes;
    memset(root, 0, 2 * sizeof *root);
    for (size_t i = 0; i < c->private_bytes; i += MEGAPAGE)
        map(own, private_address + i, physical + i, READ | WRITE);
    (*root)[0] = branch(&all[TABLE_DEVICES]);
    (*root)[private_address >> ROOT_SHIFT] = branch(own);
    (*root)[memory_start >> ROOT_SHIFT] = branch(&all[TABLE_MEMORY]);
    return sv39 | (uintptr_t)root >> PAGE_SHIFT;
}
