/* place.c: which memory a member may be asked for. */
#include "task.h"

/* Attached pieces may follow each other without a gap. */
static int attached(const struct win *w, uint64_t first, uint64_t end)
{
    const struct rma_region *g = w->regions;
    while (first < end && g) {
        uint64_t base = (uintptr_t)g->base;
        int inside = first >= base && first - base < g->size;
        first = inside ? base + g->size : first;
        g = inside ? w->regions : g->next;
    }
    return first >= end;
}

static int all_attached(const struct win *w, const struct strip *s)
{
    uint64_t at = (uint64_t)s->offset;
    for (uint64_t i = 0; i < s->count; i++, at += (uint64_t)s->stride)
        if (!attached(w, at, at + s->len))
            return 0;
    return 1;
}

char *mpico_rma_place(const struct win *w, const struct strip *s, char *base, uint64_t size)
{
    int64_t first, end;
    if (mpico_strip_bounds(s, &first, &end))
        return NULL;
    if (!w->dynamic)
        return first >= 0 && (uint64_t)end <= size ? (char *)((uintptr_t)base + (uintptr_t)s->offset) : NULL;
    if (attached(w, (uint64_t)first, (uint64_t)end) || all_attached(w, s))
        return (char *)(uintptr_t)s->offset;
    return NULL;
}
