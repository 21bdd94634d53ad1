/* bounds.c: see bounds.h. */
#include "bounds.h"

static void widen(ptrdiff_t *low, ptrdiff_t *high, ptrdiff_t from, ptrdiff_t to, int has_low, int has_high)
{
    if (!has_low || from < *low)
        *low = from;
    if (!has_high || to > *high)
        *high = to;
}

/* first + from, and last + from + len */
static int span(ptrdiff_t first, ptrdiff_t last, size_t from, size_t len, ptrdiff_t *low, ptrdiff_t *high)
{
    return __builtin_add_overflow(first, (ptrdiff_t)from, low) || __builtin_add_overflow(last, (ptrdiff_t)from, high) ||
           __builtin_add_overflow(*high, (ptrdiff_t)len, high);
}

int mpico_bounds_add(struct bounds *b, const struct type *t, size_t count, ptrdiff_t at, ptrdiff_t stride)
{
    ptrdiff_t reach, first = at, last = at, low, high;
    if (t->size == 0 && t->bounds == 0)
        return 0;
    if (__builtin_mul_overflow(count - 1, stride, &reach) ||
        __builtin_add_overflow(at, reach, reach < 0 ? &first : &last) ||
        span(first, last, t->lower, t->extent, &low, &high))
        return -1;
    if (t->bounds & TYPE_HAS_LOWER)
        widen(&b->given_lower, &(ptrdiff_t){0}, low, 0, b->given & TYPE_HAS_LOWER, 1);
    if (t->bounds & TYPE_HAS_UPPER)
        widen(&(ptrdiff_t){0}, &b->given_upper, 0, high, 1, b->given & TYPE_HAS_UPPER);
    b->given |= t->bounds;
    if (t->size == 0)
        return 0;
    widen(&b->lower, &b->upper, low, high, b->any, b->any);
    if (span(first, last, t->true_lower, t->true_extent, &low, &high))
        return -1;
    widen(&b->true_lower, &b->true_upper, low, high, b->any, b->any);
    b->any = 1;
    b->align = t->align > b->align ? t->align : b->align;
    return 0;
}

int mpico_bounds_apply(const struct bounds *b, struct type *t)
{
    ptrdiff_t lower = b->given & TYPE_HAS_LOWER ? b->given_lower : b->any ? b->lower : b->given_upper;
    ptrdiff_t upper = b->given & TYPE_HAS_UPPER ? b->given_upper : b->any ? b->upper : lower, extent;
    if (__builtin_sub_overflow(upper, lower, &extent))
        return -1;
    /* As a compiler pads a struct, so that its elements stay aligned in an array. */
    ptrdiff_t over = b->align && !(b->given & TYPE_HAS_UPPER) ? extent % b->align : 0;
    if (over && __builtin_add_overflow(extent, over < 0 ? -over : b->align - over, &extent))
        return -1;
    t->lower = (size_t)lower;
    t->extent = (size_t)extent;
    t->true_lower = (size_t)b->true_lower;
    t->true_extent = (size_t)b->true_upper - (size_t)b->true_lower;
    t->bounds = b->given;
    t->align = b->align ? b->align : 1;
    return 0;
}
