/* elements.c: how many basic elements a piece of packed data holds, and how long so many are. */
#include "make.h"

/* The part of a program's type in which packed byte `*bytes` or element `*count` lies (whichever is given); what stands before
 * it is taken off. */
static const struct type_part *part_at(const struct own_type *o, size_t *bytes, size_t *count, int by_bytes)
{
    const struct type_part *p = o->part;
    for (;; p++) {
        size_t part_bytes = p->count * p->type->size, part_count = p->count * p->type->elements;
        if (by_bytes ? *bytes < part_bytes : *count < part_count)
            return p;
        *bytes += by_bytes ? (size_t)0 - part_bytes : part_bytes;
        *count += by_bytes ? part_count : (size_t)0 - part_count;
    }
}

ptrdiff_t mpico_type_elements(const struct type *t, size_t bytes)
{
    size_t count = 0;
    for (; bytes; t = part_at(own_type(t), &bytes, &count, 1)->type) {
        if (t->size == 0)
            return -1;
        count += bytes / t->size * t->elements;
        bytes %= t->size;
        if (bytes && t->predefined)
            return t->class == TYPE_PAIR && bytes == t->width ? (ptrdiff_t)count + 1 : -1;
        if (!bytes)
            break;
    }
    return (ptrdiff_t)count;
}

int mpico_type_elements_bytes(const struct type *t, size_t count, size_t *bytes)
{
    ptrdiff_t whole;
    *bytes = 0;
    if (t->elements == 0)
        return 0; /* of nothing, any number is no byte */
    if (__builtin_mul_overflow(count / t->elements, t->size, &whole) || whole > PTRDIFF_MAX - (ptrdiff_t)t->size)
        return -1;
    for (; count; t = part_at(own_type(t), bytes, &count, 0)->type) {
        *bytes += count / t->elements * t->size;
        count %= t->elements;
        if (count && t->predefined) { /* the value of a pair */
            *bytes += t->width;
            break;
        }
        if (!count)
            break;
    }
    return 0;
}
