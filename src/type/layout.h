/* layout.h: where the bytes of one element lie, in the order in which they are packed: loops and lists that nest, not a list of
 * runs. A vector of a million blocks is one loop. Every size in a layout is positive: what holds no data has no layout.
 */
#ifndef MPICO_LAYOUT_H
#define MPICO_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum layout_kind {
    LAYOUT_REPEAT, /* `count` children, the first at `offset`, the others `stride` bytes apart */
    LAYOUT_BLOCKS, /* `count` blocks of bytes, or (len > 0) of children that are `stride` bytes apart */
    LAYOUT_FIELDS  /* `count` layouts, each at an offset of its own */
};

/* A place in the packed form and the one in memory. A list has one more, whose `start` is the size of all. */
struct block {
    ptrdiff_t offset;
    size_t start;
};
struct field {
    ptrdiff_t offset;
    size_t start;
    const struct layout *layout; /* NULL: one block of bytes */
};

struct layout {
    uint8_t kind;
    size_t size; /* bytes of data */
    size_t count;
    ptrdiff_t offset, stride;
    size_t len;                 /* bytes of data of one child */
    const struct layout *child; /* NULL: `len` bytes in one block */
    union {
        const struct block *block;
        const struct field *field;
    };
};

#endif
