/* make.h: the making of a program's own datatypes (MPI 5.0, section 5.1). Four ways are enough for all constructors: a thing that
 * repeats, a list of blocks, another's data with other bounds, and another's copy.
 *
 * None of these blocks. On success `made` is a type that is not committed, with one reference: the handle's. Its memory is
 * one piece of the heap. Types it is made of are kept by it. Counts are not negative; all else is checked here.
 */
#ifndef MPICO_TYPE_MAKE_H
#define MPICO_TYPE_MAKE_H

#include "../base/heap.h"
#include "layout.h"
#include "type.h"

enum { TYPE_OVERFLOWS = -1, TYPE_NO_MEMORY = -2, TYPE_TOO_DEEP = -3 };

/* Elements of another type, as they follow each other in the packed form. */
struct type_part {
    const struct type *type;
    size_t count;
};

/* A program's own type, and what only such a type has. */
struct own_type {
    struct type type;
    uint32_t handles;              /* how often the program has it; none is left: its handle is no type */
    uint32_t refs;                 /* handles, types made of it, requests under way */
    struct own_type *next, **link; /* in the rank's list */
    const struct type *basic;      /* the one predefined type of all its data; NULL: there are several, or none */
    void *contents;                /* of src/api: how it was made; NULL: not kept */
    struct layout layout[2];
    size_t parts;
    struct type_part part[];
};
enum { TYPE_HIDDEN = 0x74797066 }; /* the magic of a type without a handle */

static inline struct own_type *own_type(const struct type *t) { return (struct own_type *)(uintptr_t)t; }

/* An array of the program's, of any of the types that count, or (`at` NULL) the same number everywhere. */
struct numbers {
    const void *at;
    size_t width;
    ptrdiff_t same;
};
static inline ptrdiff_t number(struct numbers n, size_t i)
{
    if (!n.at)
        return n.same;
    if (n.width == sizeof(int))
        return ((const int *)n.at)[i];
    return n.width == sizeof(ptrdiff_t) ? ((const ptrdiff_t *)n.at)[i] : (ptrdiff_t)((const int64_t *)n.at)[i];
}

/* `count` blocks of `len` elements, each `stride` bytes from the one before. */
int mpico_type_make_repeat(struct heap *, const struct type *, size_t count, size_t len, ptrdiff_t stride,
                           struct own_type **made);

/* Blocks of lens[i] elements at places[i] * unit bytes, of types[i], or all of types[0]. */
struct blocks {
    size_t count;
    struct numbers lens, places;
    ptrdiff_t unit;
    const struct type *const *types;
    int one_type;
};
int mpico_type_make_blocks(struct heap *, const struct blocks *, struct own_type **made);

/* The same data with these bounds. */
int mpico_type_make_resized(struct heap *, const struct type *, ptrdiff_t lower, ptrdiff_t extent,
                            struct own_type **made);
/* The same in everything; committed, if the other is. */
int mpico_type_make_copy(struct heap *, const struct type *, struct own_type **made);

/* MPI_LB and MPI_UB of MPI 1: bounds without data, for lists of blocks. */
extern const struct type mpico_type_lower_marker, mpico_type_upper_marker;

/* The predefined type of which all its data is (MPI 5.0, 12.3.4: what may be accumulated); NULL: there is none. */
const struct type *mpico_type_basic(const struct type *);

/* Basic elements in the first `bytes` of the packed form of an array; negative: the last of them would be cut. */
ptrdiff_t mpico_type_elements(const struct type *, size_t bytes);
/* And the bytes of so many. Negative: they overflow. */
int mpico_type_elements_bytes(const struct type *, size_t count, size_t *bytes);

/* The i-th datatype that own_type.contents keeps; NULL: there are no more. Of src/api, and linked with what keeps them. */
OPTIONAL const struct type *mpico_type_content(const void *contents, size_t i);

#endif
