/* pack.c: data of a type to and from a block of bytes.
 *
 * One walk serves both directions: it yields the contiguous pieces that hold packed bytes
 * [offset, offset + len), in order.
 */
#include "../base/copy.h"
#include "named.h"

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

/* A place in an array of elements: the next piece starts `skip` bytes into run `run` of an element. */
struct walk {
    const struct type *type;
    size_t element; /* its offset in the array, bytes */
    size_t run, skip;
};

static struct walk walk_from(const struct type *t, size_t offset)
{
    struct walk w = {t, offset / t->size * t->extent, 0, offset % t->size};
    while (w.skip >= t->run[w.run].len)
        w.skip -= t->run[w.run++].len;
    return w;
}

/* The next piece, at most `want` bytes: its length, and its offset in the array. */
static size_t walk_next(struct walk *w, size_t want, size_t *at)
{
    const struct run *run = &w->type->run[w->run];
    size_t len = run->len - w->skip;
    *at = w->element + run->offset + w->skip;
    if (len > want) {
        w->skip += want;
        return want;
    }
    w->skip = 0;
    if (++w->run == w->type->runs) {
        w->run = 0;
        w->element += w->type->extent;
    }
    return len;
}

void mpico_type_walk_out(const struct type *t, const void *buf, size_t offset, void *out, size_t len)
{
    struct walk w = walk_from(t, offset);
    for (size_t done = 0, at, n; done < len; done += n) {
        n = walk_next(&w, len - done, &at);
        mpico_copy((char *)out + done, (const char *)buf + at, n);
    }
}

void mpico_type_walk_in(const struct type *t, void *buf, size_t offset, const void *in, size_t len)
{
    struct walk w = walk_from(t, offset);
    for (size_t done = 0, at, n; done < len; done += n) {
        n = walk_next(&w, len - done, &at);
        mpico_copy((char *)buf + at, (const char *)in + done, n);
    }
}

void mpico_type_copy(const struct type *t, const void *from, void *to, size_t count)
{
    size_t len = count * t->size;
    if (len == 0)
        return;
    if (t->contiguous) {
        mpico_copy((char *)to + t->run->offset, (const char *)from + t->run->offset, len);
        return;
    }
    struct walk w = walk_from(t, 0);
    for (size_t done = 0, at, n; done < len; done += n) {
        n = walk_next(&w, len - done, &at);
        mpico_copy((char *)to + at, (const char *)from + at, n);
    }
}

int mpico_type_bytes(const struct type *t, size_t count, size_t *bytes)
{
    ptrdiff_t sum; /* no object is longer */
    if (__builtin_mul_overflow(count, t->size, &sum))
        return -1;
    *bytes = (size_t)sum;
    return 0;
}
