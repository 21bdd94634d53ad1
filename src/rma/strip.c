/* strip.c: see strip.h. The way down a layout is that of src/type/pack.c, by division and by search in sorted lists; it ends at
 * the first loop whose children are blocks.
 */
#include "strip.h"

#include "../base/copy.h"
#include "../type/layout.h"

/* ---- Finding ---- */

/* What repeats, from byte `skip` on: blocks if there is no child, or where to go on in one of the children. */
static const struct layout *repeat(struct strip *s, const struct layout *child, ptrdiff_t stride, size_t len,
                                   size_t size, size_t *skip)
{
    size_t inside = *skip % len;
    s->offset += (int64_t)(*skip / len) * stride;
    *skip = inside;
    if (child)
        return child;
    s->offset += (int64_t)inside;
    s->stride = stride;
    s->len = len - inside;
    s->count = inside ? 1 : size / len;
    return NULL;
}

/* The last of `count` entries that starts at or before `skip`; `start` is the first one's, `entry` the bytes of one. */
static size_t find(const size_t *start, size_t entry, size_t count, size_t skip)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (*(const size_t *)(const void *)((const char *)start + middle * entry) <= skip)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const struct layout *block(struct strip *s, const struct layout *l, size_t *skip)
{
    const struct block *b = l->block + find(&l->block->start, sizeof *b, l->count, *skip);
    size_t size = b[1].start - b->start;
    *skip -= b->start;
    s->offset += b->offset;
    if (!l->len)
        return repeat(s, NULL, 0, size, size, skip);
    return repeat(s, l->child, l->stride, l->len, size - *skip / l->len * l->len, skip);
}

static const struct layout *field(struct strip *s, const struct layout *l, size_t *skip)
{
    const struct field *f = l->field + find(&l->field->start, sizeof *f, l->count, *skip);
    size_t size = f[1].start - f->start;
    *skip -= f->start;
    s->offset += f->offset;
    return f->layout ? f->layout : repeat(s, NULL, 0, size, size, skip);
}

static const struct layout *down(struct strip *s, const struct layout *l, size_t *skip)
{
    if (l->kind == LAYOUT_BLOCKS)
        return block(s, l, skip);
    if (l->kind == LAYOUT_FIELDS)
        return field(s, l, skip);
    s->offset += l->offset;
    return repeat(s, l->child, l->stride, l->len, l->size - *skip / l->len * l->len, skip);
}

void mpico_strip_find(const struct type *t, size_t skip, size_t left, struct strip *s)
{
    *s = (struct strip){.count = 1};
    if (t->contiguous) {
        s->offset = (int64_t)skip;
        s->len = left;
        return;
    }
    s->offset = t->layout ? 0 : (int64_t)(ptrdiff_t)t->true_lower;
    const struct layout *l = repeat(s, t->layout, (ptrdiff_t)t->extent, t->size, left, &skip);
    while (l)
        l = down(s, l, &skip);
    if (s->count == 0) /* less than a block is left */
        s->count = 1;
}

size_t mpico_strip_cut(struct strip *s, size_t room, size_t unit)
{
    size_t whole = room / (size_t)s->len;
    if (whole == 0) {
        s->count = 1;
        s->len = room - room % unit;
    } else if (whole < s->count) {
        s->count = whole;
    }
    return (size_t)(s->len * s->count);
}

/* ---- Using ---- */

int mpico_strip_bounds(const struct strip *s, int64_t *first, int64_t *end)
{
    int64_t last, span;
    *first = *end = s->offset;
    if (s->count == 0 || s->len > PTRDIFF_MAX || s->count > PTRDIFF_MAX ||
        __builtin_mul_overflow((int64_t)s->count - 1, s->stride, &span) ||
        __builtin_add_overflow(s->offset, span, &last))
        return -1;
    if (last < *first)
        *first = last;
    else
        *end = last;
    return __builtin_add_overflow(*end, (int64_t)s->len, end) ? -1 : 0;
}

char *mpico_strip_gather(const struct strip *s, const char *at, char *out)
{
    for (size_t i = 0; i < s->count; i++, at += s->stride, out += s->len)
        mpico_copy(out, at, (size_t)s->len);
    return out;
}

const char *mpico_strip_scatter(const struct strip *s, char *at, const char *in)
{
    for (size_t i = 0; i < s->count; i++, at += s->stride, in += s->len)
        mpico_copy(at, in, (size_t)s->len);
    return in;
}
