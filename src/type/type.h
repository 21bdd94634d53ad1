/* type.h: datatypes as data. A type is a layout of bytes (layout.h) that repeats every `extent` bytes; packing walks it. Pure:
 * knows no rank, no wire, no MPI call.
 */
#ifndef MPICO_TYPE_H
#define MPICO_TYPE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/copy.h"
#include "../base/optional.h"
#include "../sizes.h"

struct attr;

/* The arithmetic a predefined type takes part in; decides which reductions it has. */
enum type_class {
    TYPE_BYTES, /* none: MPI_BYTE allows the bitwise operations, MPI_PACKED and MPI_WCHAR nothing */
    TYPE_BYTE,
    TYPE_INTEGER,
    TYPE_UNSIGNED,
    TYPE_FLOAT,
    TYPE_COMPLEX,
    TYPE_LOGICAL,
    TYPE_PAIR, /* value and index, for MINLOC and MAXLOC */
    /* Of characters the standard has no reductions (MPI 5.0, section 6.9.2), but programs add MPI_CHARs and other libraries let
     * them: what they are in C. */
    TYPE_CHAR = CHAR_MIN < 0 ? TYPE_INTEGER : TYPE_UNSIGNED
};

/* Which bounds of a type were given, not found: MPI_Type_create_resized() gives both (MPI 5.0, 5.1.7). They stick to every type
 * made of it. */
enum type_bounds { TYPE_HAS_LOWER = 1, TYPE_HAS_UPPER = 2 };

struct layout; /* layout.h */

/* Offsets, bounds and the extent are differences of addresses, which may be negative: kept modulo 2^n. */
struct type {
    uint32_t magic; /* TYPE_MAGIC while alive */
    uint8_t predefined;
    uint8_t committed;
    uint8_t contiguous; /* count elements are one block of bytes, from the first byte on */
    uint8_t class;      /* enum type_class, for predefined types */
    uint8_t width;      /* bytes of one scalar (of the value, in a pair) */
    uint8_t align;      /* what the compiler asks of the addresses of its strictest basic element */
    uint8_t bounds;     /* enum type_bounds */
    uint8_t depth;     /* layouts below each other, at most: up to TYPE_DEPTH_MAX, since packing calls itself so deep */
    size_t size;       /* bytes of data in one element */
    size_t extent;     /* bytes from one element to the next */
    size_t lower;      /* lower bound */
    size_t true_lower; /* the first byte of data, */
    size_t true_extent;          /* and from there to behind the last */
    size_t elements;             /* basic elements in one element (2 in a pair) */
    const struct layout *layout; /* where the data is; NULL: one block at true_lower */
    uintptr_t handle;            /* as the program knows it */
    const char *name;            /* NULL: none */
    struct attr *attributes;     /* of src/api, for a program's own type; NULL: none */
};
enum { TYPE_MAGIC = 0x74797065, TYPE_DEPTH_MAX = SMALL ? 16 : 200 };

/* The type of an ABI handle value, or NULL if it is none (null, freed, garbage below 0x1000; an address must be one that can be
 * read). Never blocks. A predefined type is const and lives for ever, another as long as somebody keeps it. */
const struct type *mpico_type_of(uintptr_t handle);

/* The bytes of one element of a predefined type that is one block without gaps; 0 for all other handles. A table of 64 bytes:
 * programs that only move such data link neither the descriptions of types nor the code that walks them. */
size_t mpico_type_width(uintptr_t handle);
/* Its table, from handle 0x200 on: all predefined types, or in small builds those whose sizes a compiler chooses. */
enum { TYPE_HANDLES = 0x200, TYPE_WIDTHS = SMALL ? 0x40 : 0x100 };
extern const uint8_t mpico_type_widths[TYPE_WIDTHS];
/* The same for the way of most messages: without the call for these. */
static inline size_t type_width(uintptr_t handle)
{
    uintptr_t at = handle - TYPE_HANDLES;
    return at < TYPE_WIDTHS ? mpico_type_widths[at] : mpico_type_width(handle);
}

/* A program's own type lives while somebody keeps it: its handle, a type made of it, a request under way. Nothing happens to
 * predefined ones. */
struct heap;
OPTIONAL void mpico_type_keep_own(const struct type *);
OPTIONAL void mpico_type_release_own(struct heap *, const struct type *);
static inline void type_keep(const struct type *t)
{
    if (__builtin_expect(!t->predefined, 0))
        mpico_type_keep_own(t);
}
static inline void type_release(struct heap *h, const struct type *t)
{
    if (__builtin_expect(!t->predefined, 0))
        mpico_type_release_own(h, t);
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
