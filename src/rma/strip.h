/* strip.h: where the data of a one-sided operation lies at its target, as plain numbers: what a message says instead of a datatype.
 */
#ifndef MPICO_STRIP_H
#define MPICO_STRIP_H

#include <stddef.h>
#include <stdint.h>

#include "../type/type.h"

/* `count` blocks of `len` bytes, the first at `offset` from where the operation begins, the others `stride` bytes apart. Fixed
 * width, the same on every machine of one job. */
struct strip {
    int64_t offset, stride;
    uint64_t len, count;
};

/* The longest strip that begins at packed byte `skip` of an array of elements; of these, `left` bytes count from there on. It may
 * be longer than that. O(depth of the type). */
void mpico_strip_find(const struct type *, size_t skip, size_t left, struct strip *);
/* Not more than `room` bytes of it, in whole units, of which its blocks are made. Its bytes from now on, perhaps none. */
size_t mpico_strip_cut(struct strip *, size_t room, size_t unit);

/* From its first byte to behind its last, relative to `offset` 0. Negative: no such memory. */
int mpico_strip_bounds(const struct strip *, int64_t *first, int64_t *end);

/* Its data from memory (`at`: the first block) to one block, and back. Returns behind the last byte of the block. */
char *mpico_strip_gather(const struct strip *, const char *at, char *out);
const char *mpico_strip_scatter(const struct strip *, char *at, const char *in);

#endif
