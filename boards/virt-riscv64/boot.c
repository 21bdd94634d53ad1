/* boot.c: hart 0 lays out the memory and rings the others; each hart fills its private part and runs the program. */
#include "boot.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { HEAP_MIN = 4096, WORDS_MAX = 64 };

int mpico_hart;

extern int main(int argc, char **argv);
void __libc_init_array(void);

/* ---- Machine mode ---- */

_Noreturn static void refuse(const char *why)
{
    mpico_hart_write("mpico: ", 7);
    mpico_hart_write(why, strlen(why));
    mpico_hart_write("\n", 1);
    mpico_hart_exit(1);
}

/* Every hart the same share of what is left, in whole pages. */
static void share_out(struct chip *c)
{
    uintptr_t start = (uintptr_t)mpico_chip_boot_end, most = memory_start + (uintptr_t)MEGAPAGES_MAX * MEGAPAGE;
    size_t need = (size_t)((uintptr_t)mpico_chip_arena_end - private_address) + HEAP_MIN;
    char line[160];
    if (c->memory_end > most)
        c->memory_end = most;
    size_t all = c->memory_end > start ? c->memory_end - start : 0;
    c->private_start = start;
    c->private_bytes = all / c->harts / MEGAPAGE * MEGAPAGE;
    if (c->private_bytes >= need)
        return;
    mpico_text_format(
        line, sizeof line,
        "a hart has %z bytes of memory and the program needs %z: more memory (-m), fewer harts, or a smaller arena",
        c->private_bytes, need);
    refuse(line);
}

void mpico_boot_first(const void *fdt)
{
    struct chip *c = &mpico_chip;
    memset(c, 0, sizeof *c);
    const char *why = mpico_fdt_read(fdt, c);
    if (why)
        refuse(why);
    if (c->harts > HARTS_MAX)
        refuse("more than 64 harts");
    share_out(c);
    memset(mpico_chip_shared, 0, (size_t)(mpico_chip_shared_end - mpico_chip_shared));
    mpico_pages_share(c);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (uint32_t i = 1; i < c->harts; i++)
        ((volatile uint32_t *)BOOT_BELLS)[i] = 1;
}

/* A private address as long as translation is off. */
static unsigned char *physical(const struct chip *c, int hart, const unsigned char *at)
{
    return (unsigned char *)(c->private_start + (size_t)hart * c->private_bytes + ((uintptr_t)at - private_address));
}

uint64_t mpico_boot_hart(int hart)
{
    const struct chip *c = &mpico_chip;
    size_t values = (size_t)(mpico_chip_data_end - mpico_chip_data_start);
    memcpy(physical(c, hart, mpico_chip_data_start), mpico_chip_data_image, values);
    memset(physical(c, hart, mpico_chip_data_end), 0, (size_t)(mpico_chip_zero_end - mpico_chip_data_end));
    return mpico_pages_make(c, hart);
}

/* ---- Supervisor mode ---- */

/* The program's name, then the arguments cut at their blanks. */
static int split(char *text, char **words)
{
    int n = 0;
    words[n++] = (char *)(uintptr_t) "program";
    while (*text && n < WORDS_MAX) {
        while (*text == ' ')
            *text++ = 0;
        if (*text)
            words[n++] = text;
        while (*text && *text != ' ')
            text++;
    }
    return n;
}

_Noreturn void mpico_boot_run(int hart)
{
    static char text[ARGUMENTS_MAX], *words[WORDS_MAX + 1];
    mpico_hart = hart;
    memcpy(text, mpico_chip.arguments, sizeof text);
    __libc_init_array();
    exit(main(split(text, words), words));
}

const void *mpico_hart_reach(int hart, uint64_t address, size_t len)
{
    const struct chip *c = &mpico_chip;
    __asm__("" : "+r"(address)); /* a variable's address less 1 GB is no relocation that the linker can make */
    uint64_t private_at = address - private_address, image_at = address - memory_start;
    size_t image = (size_t)((uintptr_t)mpico_chip_image_end - memory_start);
    if (private_at < c->private_bytes && len <= c->private_bytes - private_at)
        return (const void *)(c->private_start + (size_t)hart * c->private_bytes + private_at);
    if (image_at < image && len <= image - image_at)
        return (const void *)(uintptr_t)address;
    return NULL;
}
