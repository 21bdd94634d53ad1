/* own.h: what the makers of a program's types share: memory, and layouts that grow. */
#ifndef MPICO_TYPE_OWN_H
#define MPICO_TYPE_OWN_H

#include "bounds.h"
#include "make.h"

/* Data while its layout grows: one block at `at`, or a layout. */
struct shape {
    const struct layout *layout;
    ptrdiff_t at;
    size_t size;
};
static inline struct shape shape_of(const struct type *t)
{
    return (struct shape){t->layout, (ptrdiff_t)t->true_lower, t->size};
}
/* The shape `count` times, `stride` apart; `room` is for one more loop, if it takes one. */
void mpico_shape_repeat(struct shape *, struct layout *room, size_t count, ptrdiff_t stride);

/* Elements so far: size, count and basic type. Negative: too many bytes. */
struct content {
    size_t size, elements;
    const struct type *basic;
    int mixed;
};
int mpico_content_add(struct content *, const struct type *, size_t count);

/* A type with room for so many parts, and `more` bytes of lists behind them. */
int mpico_own_alloc(struct heap *, size_t parts, size_t more, struct own_type **);
/* Set one of its parts, which from now on is kept. */
void mpico_own_part(struct own_type *, size_t at, const struct type *, size_t count);
/* The rest, once parts and layout stand. On overflow, or when it is nested too deeply, the type is gone. */
int mpico_own_done(struct heap *, struct own_type *, const struct content *, const struct bounds *);

#endif
