/* strip.h: equal blocks of bytes from places a step apart to places a step apart: what a walk over a layout (pack.c) is made of. Short
 * blocks go through registers, for a call would take longer than the copy. Small builds have one loop of them, and words.
 */
#ifndef MPICO_TYPE_STRIP_H
#define MPICO_TYPE_STRIP_H

#include "../base/copy.h"
#include "../sizes.h"

/* One short block: the two ends, as long as a register each, overlap in the middle. A call would take longer than the copy. */
static inline __attribute__((always_inline)) void copy_ends(char *to, const char *from, size_t len, size_t end)
{
    char first[16], last[16];
    memcpy(first, from, end);
    memcpy(last, from + len - end, end);
    memcpy(to, first, end);
    memcpy(to + len - end, last, end);
}

static inline __attribute__((always_inline)) void copy_block(char *to, const char *from, size_t len)
{
    if (SMALL || len > 32) {
        mpico_copy(to, from, len);
        return;
    }
    if (len >= 16)
        copy_ends(to, from, len, 16);
    else if (len >= 8)
        copy_ends(to, from, len, 8);
    else if (len >= 4)
        copy_ends(to, from, len, 4);
    else
        for (size_t i = 0; i < len; i++)
            to[i] = from[i];
    cost(COST_COPY, len);
}

/* Blocks of a known length: a load and a store each. Four at a time, because the loop would take as long as the copy. */
static inline __attribute__((always_inline)) void copy_blocks(char *to, ptrdiff_t to_step, const char *from,
                                                              ptrdiff_t from_step, size_t len, size_t count)
{
    cost(COST_COPY, len * count);
    for (; !SMALL && count >= 4; count -= 4, to += 4 * to_step, from += 4 * from_step) {
        memcpy(to, from, len);
        memcpy(to + to_step, from + from_step, len);
        memcpy(to + 2 * to_step, from + 2 * from_step, len);
        memcpy(to + 3 * to_step, from + 3 * from_step, len);
    }
    for (; count; count--, to += to_step, from += from_step)
        memcpy(to, from, len);
}

/* Blocks of a length that is no register's: the two ends of each, as copy_block() does, but the length is looked at once. */
static inline __attribute__((always_inline)) void
copy_all_ends(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, size_t len, size_t end, size_t count)
{
    for (; count; count--, to += to_step, from += from_step) {
        copy_ends(to, from, len, end);
        cost(COST_COPY, len);
    }
}

/* `count` blocks of `len` bytes, from places `from_step` apart to places `to_step` apart. */
static inline void copy_strip(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, size_t len,
                              size_t count)
{
    if (len == 8)
        copy_blocks(to, to_step, from, from_step, 8, count);
    else if (len == 4)
        copy_blocks(to, to_step, from, from_step, 4, count);
    else if (!SMALL && len == 16)
        copy_blocks(to, to_step, from, from_step, 16, count);
    else if (!SMALL && len == 2)
        copy_blocks(to, to_step, from, from_step, 2, count);
    else if (!SMALL && len == 1)
        copy_blocks(to, to_step, from, from_step, 1, count);
    else if (!SMALL && len > 16 && len <= 32)
        copy_all_ends(to, to_step, from, from_step, len, 16, count);
    else if (!SMALL && len > 8 && len < 16)
        copy_all_ends(to, to_step, from, from_step, len, 8, count);
    else if (!SMALL && len > 4 && len < 8)
        copy_all_ends(to, to_step, from, from_step, len, 4, count);
    else
        for (; count; count--, to += to_step, from += from_step)
            copy_block(to, from, len);
}

#endif
