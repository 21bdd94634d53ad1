/* pack.c: data of a type to and from a block of bytes.
 *
 * One walk over the layout serves all directions: it finds the place of packed byte `skip` by division and by search in
 * sorted lists, in O(depth) steps, and from there on moves what lies in between as strips of equal blocks.
 */
#include "layout.h"
#include "named.h"
#include "strip.h"

/* Here, because whoever looks a description up may have to walk it: other files use what follows only if it is linked. */
const struct type *mpico_type_of(uintptr_t handle)
{
    if (handle - 0x200 < sizeof mpico_type_place) {
        unsigned at = mpico_type_place[handle - 0x200];
        return at ? &mpico_type_table[at - 1] : NULL;
    }
    if (handle < 0x1000 || handle % _Alignof(struct type))
        return NULL;
    const struct type *t = (const struct type *)handle;
    return t->magic == TYPE_MAGIC ? t : NULL;
}

/* A walk under way: the other side is packed, or (WAY_ACROSS) of the same layout. */
struct walk {
    enum { WAY_OUT, WAY_IN, WAY_ACROSS } way;
    size_t left;      /* bytes that are still to be moved */
    char *packed;     /* where they go to or come from */
    uintptr_t across; /* from a byte to its copy */
};

/* `count` blocks of `len` bytes, `stride` apart; all of them are wanted. Addresses are numbers here: with MPI_BOTTOM the offsets
 * of a type are addresses. */
static void move_strip(struct walk *w, uintptr_t mem, ptrdiff_t stride, size_t len, size_t count)
{
    int across = w->way == WAY_ACROSS;
    char *here = (char *)mem, *other = across ? (char *)(mem + w->across) : w->packed;
    ptrdiff_t step = across ? stride : (ptrdiff_t)len;
    if (w->way == WAY_IN)
        copy_strip(here, stride, other, step, len, count);
    else
        copy_strip(other, step, here, stride, len, count);
    if (!across)
        w->packed += len * count;
    w->left -= len * count;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* An array of short records, all wanted: a block of many records as one strip, then the next block of them. As long as they stay in
 * the first-level cache, the second and later strips find there what the first has brought. */
enum { RECORDS = 32, RECORD_BYTES = 512 /* at most, with what lies between them */ };

static int are_records(const struct layout *l, ptrdiff_t stride)
{
    return l->kind == LAYOUT_BLOCKS && !l->len && l->size <= RECORD_BYTES && stride <= RECORD_BYTES &&
           stride >= -(ptrdiff_t)RECORD_BYTES;
}

static void move_records(struct walk *w, const struct layout *l, uintptr_t mem, ptrdiff_t stride, size_t count)
{
    const size_t size = l->size;
    for (; count; count -= least(count, RECORDS), mem += RECORDS * (uintptr_t)stride) {
        size_t some = least(count, RECORDS);
        for (const struct block *b = l->block; b < l->block + l->count; b++) {
            uintptr_t here = mem + (uintptr_t)b->offset;
            size_t len = b[1].start - b->start;
            if (w->way == WAY_OUT)
                copy_strip(w->packed + b->start, (ptrdiff_t)size, (char *)here, stride, len, some);
            else if (w->way == WAY_IN)
                copy_strip((char *)here, stride, w->packed + b->start, (ptrdiff_t)size, len, some);
            else
                copy_strip((char *)(here + w->across), stride, (char *)here, stride, len, some);
        }
        w->left -= some * size;
        if (w->way != WAY_ACROSS)
            w->packed += some * size;
    }
}

static void move_layout(struct walk *w, const struct layout *l, uintptr_t mem, size_t skip);

/* One child, or one block, from byte `skip` on, as far as it is wanted. */
static void move_one(struct walk *w, const struct layout *child, uintptr_t mem, size_t len, size_t skip)
{
    if (child)
        move_layout(w, child, mem, skip);
    else
        move_strip(w, mem + skip, 0, least(len - skip, w->left), 1);
}

static void move_all(struct walk *w, const struct layout *child, uintptr_t mem, ptrdiff_t stride, size_t len,
                     size_t count)
{
    if (!child)
        move_strip(w, mem, stride, len, count);
    else if (!SMALL && are_records(child, stride))
        move_records(w, child, mem, stride, count);
    else
        for (; count; count--, mem += (uintptr_t)stride)
            move_layout(w, child, mem, 0);
}

/* What repeats: of `size` bytes in all. Only the first and the last may be cut. */
static void move_repeat(struct walk *w, const struct layout *child, uintptr_t mem, ptrdiff_t stride, size_t len,
                        size_t size, size_t skip)
{
    size_t rest = least(size - skip, w->left);
    if (skip) {
        size_t inside = skip % len;
        mem += skip / len * (uintptr_t)stride;
        if (inside) {
            size_t left = w->left;
            move_one(w, child, mem, len, inside);
            rest -= left - w->left;
            mem += (uintptr_t)stride;
        }
    }
    size_t whole = rest / len;
    move_all(w, child, mem, stride, len, whole);
    if (rest -= whole * len)
        move_one(w, child, mem + whole * (uintptr_t)stride, len, 0);
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

/* Whole blocks of bytes as far as they are wanted; the first that is not moved. */
static const struct block *move_bytes(struct walk *w, const struct block *b, const struct block *end, uintptr_t mem)
{
    char *packed = w->packed;
    size_t first = b->start, size;
    for (; b < end && b[1].start - first <= w->left; b++, packed += size) {
        char *here = (char *)(mem + (uintptr_t)b->offset);
        size = b[1].start - b->start;
        if (w->way == WAY_OUT)
            copy_block(packed, here, size);
        else if (w->way == WAY_IN)
            copy_block(here, packed, size);
        else
            copy_block((char *)((uintptr_t)here + w->across), here, size);
    }
    w->left -= b->start - first;
    if (w->way != WAY_ACROSS)
        w->packed = packed;
    return b;
}

static void move_blocks(struct walk *w, const struct layout *l, uintptr_t mem, size_t skip)
{
    const struct block *b = l->block, *end = b + l->count;
    b += skip ? find(&b->start, sizeof *b, l->count, skip) : 0;
    for (skip -= b->start; b < end && w->left; b++, skip = 0) {
        if (!SMALL && !skip && !l->len && (b = move_bytes(w, b, end, mem)) == end)
            return;
        size_t size = b[1].start - b->start;
        if (l->len)
            move_repeat(w, l->child, mem + (uintptr_t)b->offset, l->stride, l->len, size, skip);
        else if (w->left)
            move_one(w, NULL, mem + (uintptr_t)b->offset, size, skip);
    }
}

static void move_fields(struct walk *w, const struct layout *l, uintptr_t mem, size_t skip)
{
    const struct field *f = l->field, *end = f + l->count;
    f += skip ? find(&f->start, sizeof *f, l->count, skip) : 0;
    for (skip -= f->start; f < end && w->left; f++, skip = 0)
        move_one(w, f->layout, mem + (uintptr_t)f->offset, f[1].start - f->start, skip);
}

static void move_layout(struct walk *w, const struct layout *l, uintptr_t mem, size_t skip)
{
    uintptr_t first = mem + (uintptr_t)l->offset;
    if (l->kind == LAYOUT_BLOCKS)
        move_blocks(w, l, mem, skip);
    else if (l->kind == LAYOUT_FIELDS)
        move_fields(w, l, mem, skip);
    else if (skip == 0 && w->left >= l->size) /* nearly always: spares a division */
        move_all(w, l->child, first, l->stride, l->len, l->count);
    else
        move_repeat(w, l->child, first, l->stride, l->len, l->size, skip);
}

/* An array that is as long as need be. */
static void move_array(struct walk *w, const struct type *t, const void *buf, size_t skip)
{
    uintptr_t mem = (uintptr_t)buf + (t->layout ? 0 : t->true_lower);
    move_repeat(w, t->layout, mem, (ptrdiff_t)t->extent, t->size, SIZE_MAX, skip);
}

void mpico_type_walk_out(const struct type *t, const void *buf, size_t offset, void *out, size_t len)
{
    struct walk w = {.way = WAY_OUT, .left = len, .packed = out};
    move_array(&w, t, buf, offset);
}

void mpico_type_walk_in(const struct type *t, void *buf, size_t offset, const void *in, size_t len)
{
    struct walk w = {.way = WAY_IN, .left = len, .packed = (char *)(uintptr_t)in};
    move_array(&w, t, buf, offset);
}

void mpico_type_copy(const struct type *t, const void *from, void *to, size_t count)
{
    size_t len = count * t->size;
    if (len == 0)
        return;
    if (t->contiguous) {
        mpico_copy(to, from, len);
        return;
    }
    struct walk w = {.way = WAY_ACROSS, .left = len, .packed = to, .across = (uintptr_t)to - (uintptr_t)from};
    move_array(&w, t, from, 0);
}

int mpico_type_bytes(const struct type *t, size_t count, size_t *bytes)
{
    ptrdiff_t sum; /* no object is longer */
    if (__builtin_mul_overflow(count, t->size, &sum))
        return -1;
    *bytes = (size_t)sum;
    return 0;
}
