/* where.c: source lines of addresses in any rank's copy of its program. */
#include "../host/addr2line.h"
#include "image.h"
#include "own.h"

/* The file and offset of an address in a program; negative: it is in none. */
static int find(uintptr_t address, const char **file, uintptr_t *offset)
{
    const struct images *seen = NULL;
    for (int i = 0; fiber_job && i < fiber_job->ranks; i++) {
        const struct images *images = fiber_job->fiber[i].own->images;
        if (images != seen && images_find(images, address, file, offset) >= 0)
            return 0;
        seen = images;
    }
    return -1;
}

int where_of(uintptr_t pc, char *text, size_t room)
{
    const char *file;
    uintptr_t offset;
    if (find(pc, &file, &offset))
        return -1;
    struct fiber *f = fiber_step_out(); /* a rank may not start processes */
    mpico_addr2line(file, offset, text, room);
    fiber_step_in(f);
    return 0;
}

int fiber_where(struct rank *r, const void *address, char *text, size_t room)
{
    (void)r;
    return where_of((uintptr_t)address - 1, text, room); /* the call is before the address it returns to */
}

/* Is a call in front of this address? Then it may be where a function returns to. */
static int after_call(uintptr_t address)
{
#if defined(__x86_64__)
    const unsigned char *p = (const unsigned char *)address;
    return p[-5] == 0xe8 || (p[-6] == 0xff && p[-5] == 0x15) /* relative; through a table */
           || (p[-3] == 0xff && (p[-2] & 0x38) == 0x10) || (p[-2] == 0xff && (p[-1] & 0xf8) == 0xd0); /* a pointer */
#else
    const uint32_t before = ((const uint32_t *)address)[-1];
    return before >> 26 == 0x25 || (before & 0xfffffc1f) == 0xd63f0000;
#endif
}

uintptr_t where_caller(const struct fiber *f, uintptr_t pc, uintptr_t sp)
{
    const char *file;
    uintptr_t offset;
    if (find(pc, &file, &offset) == 0)
        return pc;
    sp = sp / sizeof sp * sizeof sp;
    if (sp < (uintptr_t)f->own->stack_low)
        return pc;
    for (; sp < (uintptr_t)f->own->stack_high; sp += sizeof sp) {
        uintptr_t word = *(const uintptr_t *)sp;
        if (find(word - 8, &file, &offset) == 0 && find(word, &file, &offset) == 0 && after_call(word))
            return word - 1;
    }
    return pc;
}
