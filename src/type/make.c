/* make.c: see make.h: types that repeat, the ends of types, and what all makers share (own.h). */
#include "make.h"

#include <string.h>

#include "own.h"

/* ---- What makers share ---- */

void mpico_shape_repeat(struct shape *s, struct layout *room, size_t count, ptrdiff_t stride)
{
    if (count == 1)
        return;
    size_t size = s->size;
    const struct layout *inner = s->layout;
    s->size *= count;
    if (!inner && (ptrdiff_t)size == stride)
        return; /* a longer block */
    /* A loop that goes on where it ended is a longer loop. */
    int longer = inner && inner->kind == LAYOUT_REPEAT && inner->count * (size_t)inner->stride == (size_t)stride;
    *room = longer ? *inner
                   : (struct layout){.kind = LAYOUT_REPEAT,
                                     .count = 1,
                                     .offset = inner ? 0 : s->at,
                                     .stride = stride,
                                     .len = size,
                                     .child = inner};
    room->count *= count;
    room->size = s->size;
    s->layout = room;
}

/* What is predefined and has an address was made for this rank (of Fortran, by precision and range). */
const struct type *mpico_type_basic(const struct type *t)
{
    return t->predefined && t->handle < TYPE_HANDLES + 0x100 ? t : own_type(t)->basic;
}

int mpico_content_add(struct content *c, const struct type *t, size_t count)
{
    ptrdiff_t bytes, sum; /* elements are no more than bytes */
    if (count == 0 || t->size == 0)
        return 0;
    if (__builtin_mul_overflow(count, t->size, &bytes) || __builtin_add_overflow(c->size, bytes, &sum))
        return -1;
    const struct type *basic = mpico_type_basic(t);
    c->mixed |= !basic || (c->size && c->basic != basic);
    c->basic = basic;
    c->size = (size_t)sum;
    c->elements += count * t->elements;
    return 0;
}

int mpico_own_alloc(struct heap *h, size_t parts, size_t more, struct own_type **made)
{
    size_t bytes = sizeof **made;
    struct own_type *o = NULL;
    if (!__builtin_mul_overflow(parts, sizeof(struct type_part), &parts) &&
        !__builtin_add_overflow(bytes, parts, &bytes) && !__builtin_add_overflow(bytes, more, &bytes))
        o = mpico_heap_alloc(h, bytes);
    if (!o)
        return TYPE_NO_MEMORY;
    memset(o, 0, sizeof *o);
    o->handles = o->refs = 1;
    *made = o;
    return 0;
}

void mpico_own_part(struct own_type *o, size_t at, const struct type *t, size_t count)
{
    o->part[at] = (struct type_part){t, count};
    type_keep(t);
    o->parts = at + 1;
}

static void seal(struct own_type *o)
{
    struct type *t = &o->type;
    t->magic = TYPE_MAGIC;
    t->handle = (uintptr_t)t;
    t->contiguous = !t->layout && t->true_lower == 0 && t->size == t->extent;
}

/* An own type has two layouts at most, one over the other. */
static int too_deep(struct own_type *o)
{
    unsigned depth = 0;
    for (size_t i = 0; i < o->parts; i++)
        depth = o->part[i].type->depth > depth ? o->part[i].type->depth : depth;
    depth += o->type.layout ? 2 : 0;
    o->type.depth = (uint8_t)depth;
    return depth > TYPE_DEPTH_MAX;
}

int mpico_own_done(struct heap *h, struct own_type *o, const struct content *c, const struct bounds *b)
{
    int e = too_deep(o) ? TYPE_TOO_DEEP : 0;
    o->type.size = c->size;
    o->type.elements = c->elements;
    o->basic = c->mixed ? NULL : c->basic;
    seal(o);
    if (!e && mpico_bounds_apply(b, &o->type))
        e = TYPE_OVERFLOWS;
    if (e) {
        mpico_type_release_own(h, &o->type);
        return e;
    }
    seal(o);
    return 0;
}

/* ---- Makers ---- */

int mpico_type_make_repeat(struct heap *h, const struct type *t, size_t count, size_t len, ptrdiff_t stride,
                           struct own_type **made)
{
    struct content content = {0};
    struct bounds b = {0};
    size_t all;
    ptrdiff_t last = 0, step = (ptrdiff_t)t->extent;
    if (__builtin_mul_overflow(count, len, &all) || mpico_content_add(&content, t, all))
        return TYPE_OVERFLOWS;
    if (all && (mpico_bounds_add(&b, t, len, 0, step) || __builtin_mul_overflow(count - 1, stride, &last) ||
                mpico_bounds_add(&b, t, len, last, step)))
        return TYPE_OVERFLOWS;
    int e = mpico_own_alloc(h, 1, 0, made);
    if (e)
        return e;
    struct own_type *o = *made;
    if (content.size) {
        struct shape s = shape_of(t);
        mpico_shape_repeat(&s, &o->layout[0], len, step);
        mpico_shape_repeat(&s, &o->layout[1], count, stride);
        o->type.layout = s.layout;
        mpico_own_part(o, 0, t, all);
    }
    return mpico_own_done(h, o, &content, &b);
}

int mpico_type_make_copy(struct heap *h, const struct type *t, struct own_type **made)
{
    int e = mpico_own_alloc(h, 1, 0, made);
    if (e)
        return e;
    struct own_type *o = *made;
    o->type = *t;
    o->type.predefined = 0;
    o->type.class = TYPE_BYTES;
    o->type.name = NULL;
    o->type.attributes = NULL;
    o->basic = mpico_type_basic(t);
    mpico_own_part(o, 0, t, 1);
    seal(o);
    return 0;
}

int mpico_type_make_resized(struct heap *h, const struct type *t, ptrdiff_t lower, ptrdiff_t extent,
                            struct own_type **made)
{
    ptrdiff_t upper;
    if (__builtin_add_overflow(lower, extent, &upper))
        return TYPE_OVERFLOWS;
    int e = mpico_type_make_copy(h, t, made);
    if (e)
        return e;
    struct type *n = &(*made)->type;
    n->committed = 0;
    n->lower = (size_t)lower;
    n->extent = (size_t)extent;
    n->bounds = TYPE_HAS_LOWER | TYPE_HAS_UPPER;
    seal(*made);
    return 0;
}

/* ---- The end ---- */

void mpico_type_keep_own(const struct type *t) { own_type(t)->refs++; }

static void forget(struct heap *h, struct own_type *o)
{
    mpico_heap_free(h, (void *)(uintptr_t)o->type.name);
    if (o->link) {
        *o->link = o->next;
        if (o->next)
            o->next->link = o->link;
    }
    o->type.magic = 0;
}

/* One keeper less; the last one's type joins those to be freed. */
static void drop(struct heap *h, const struct type *t, struct own_type **dead)
{
    struct own_type *o = own_type(t);
    if (t->predefined || --o->refs)
        return;
    forget(h, o);
    o->next = *dead;
    *dead = o;
}

/* With it may end those it is made of, and so on: in a loop, however deep they nest. */
void mpico_type_release_own(struct heap *h, const struct type *t)
{
    struct own_type *dead = NULL;
    drop(h, t, &dead);
    while (dead) {
        struct own_type *o = dead;
        dead = o->next;
        for (size_t i = 0; i < o->parts; i++)
            drop(h, o->part[i].type, &dead);
        const struct type *kept;
        for (size_t i = 0; !SMALL && mpico_type_content && o->contents && (kept = mpico_type_content(o->contents, i));
             i++)
            drop(h, kept, &dead);
        mpico_heap_free(h, o->contents);
        mpico_heap_free(h, o);
    }
}
