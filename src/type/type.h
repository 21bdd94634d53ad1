/* type.h: datatypes as data. A type is a list of contiguous runs that repeats every `extent` bytes;
 * packing walks the runs. Pure: knows no rank, no wire, no MPI call.
 */
#ifndef MPICO_TYPE_H
#define MPICO_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include "../base/copy.h"
#include "../base/optional.h"

/* The arithmetic a predefined type takes part in; decides which reductions it has. */
enum type_class {
    TYPE_BYTES, /* none: MPI_BYTE allows the bitwise operations, MPI_PACKED and characters nothing */
    TYPE_BYTE,
    TYPE_INTEGER,
    TYPE_UNSIGNED,
    TYPE_FLOAT,
    TYPE_COMPLEX,
    TYPE_LOGICAL,
    TYPE_PAIR /* value and index, for MINLOC and MAXLOC */
};

struct run {
    size_t offset; /* from the start of one element */
    size_t len;    /* bytes */
};

struct type {
    uint32_t magic; /* TYPE_MAGIC while alive */
    uint8_t predefined;
    uint8_t committed;
    uint8_t contiguous; /* size == extent and one run: count elements are one block of bytes */
    uint8_t class;      /* enum type_class, for predefined types */
    uint8_t width;      /* bytes of one scalar (of the value, in a pair) */
    size_t size;        /* bytes of data in one element */
    size_t extent;      /* bytes from one element to the next */
    size_t lower;       /* lower bound */
    size_t elements;    /* basic elements in one element (2 in a pair) */
    size_t runs;
    const struct run *run;
    uintptr_t handle; /* the ABI's constant, for a predefined type */
    const char *name;
};
enum { TYPE_MAGIC = 0x74797065 };

/* The type of an ABI handle value, or NULL if it is none (null, freed, garbage below 0x1000).
 * Never blocks. The result is const and lives for ever (predefined). */
const struct type *mpico_type_of(uintptr_t handle);

/* The bytes of one element of a predefined type that is one block without gaps; 0 for all other handles. A table of 64 bytes:
 * programs that only move such data link neither the descriptions of types nor the code that walks them. */
size_t mpico_type_width(uintptr_t handle);
/* Its table: the types whose sizes a compiler chooses, from 0x200 on. */
enum { TYPE_HANDLES = 0x200, TYPE_WIDTHS = 0x40 };
extern const uint8_t mpico_type_widths[TYPE_WIDTHS];
/* The same for the way of most messages: without the call for these. */
static inline size_t type_width(uintptr_t handle)
{
    uintptr_t at = handle - TYPE_HANDLES;
    return at < TYPE_WIDTHS ? mpico_type_widths[at] : mpico_type_width(handle);
}

/* A byte: any data that is one block is so many of these. */
extern const struct type mpico_type_byte;

/* The same bytes where they are no block: linked with mpico_type_of(). */
OPTIONAL void mpico_type_walk_out(const struct type *, const void *buf, size_t offset, void *out, size_t len);
OPTIONAL void mpico_type_walk_in(const struct type *, void *buf, size_t offset, const void *in, size_t len);

/* Copy bytes [offset, offset+len) of the packed form of an array of elements starting at `buf`
 * into `out`, or back from `in`. The caller has checked that they exist. Never blocks. */
static inline void mpico_type_pack(const struct type *t, const void *buf, size_t offset, void *out, size_t len)
{
    if (len == 0)
        return;
    if (t->contiguous)
        mpico_copy(out, (const char *)buf + offset, len);
    else
        mpico_type_walk_out(t, buf, offset, out, len);
}

static inline void mpico_type_unpack(const struct type *t, void *buf, size_t offset, const void *in, size_t len)
{
    if (len == 0)
        return;
    if (t->contiguous)
        mpico_copy((char *)buf + offset, in, len);
    else
        mpico_type_walk_in(t, buf, offset, in, len);
}

/* Copy an array of `count` elements of one type to another place of the same type. */
void mpico_type_copy(const struct type *, const void *from, void *to, size_t count);

/* count * size, or -1 if that overflows what a message may hold (INT64_MAX). */
int mpico_type_bytes(const struct type *, size_t count, size_t *bytes);

#endif
