/* group.c: ordered sets of world ranks. Immutable, so one may be shared by any number of handles and
 * communicators. All empty groups are one constant without a count. */
#include "group.h"

#include "rank.h"

static const struct group empty = {.magic = GROUP_MAGIC, .refs = 1, .size = 0, .self = -1};

static struct group *make(struct rank *r, int size, int listed)
{
    struct group *g = mpico_heap_alloc(&r->heap, sizeof *g + (size_t)listed * sizeof g->world[0]);
    if (g)
        *g =
            (struct group){.magic = GROUP_MAGIC, .refs = 1, .size = size, .self = -1, .list = listed ? g->world : NULL};
    return g;
}

struct group *mpico_group_alloc(struct rank *r, int size)
{
    if (size == 0)
        return (struct group *)(uintptr_t)&empty; /* never written: see keep, release and seal */
    return make(r, size, size);
}

struct group *mpico_group_range(struct rank *r, int first, int size)
{
    struct group *g = size ? make(r, size, 0) : mpico_group_alloc(r, 0);
    if (g && size) {
        g->first = first;
        g->self = mpico_group_find(g, r->world_rank);
    }
    return g;
}

static int consecutive(const struct group *g)
{
    int i = 1;
    while (i < g->size && g->list[i] == g->list[0] + i)
        i++;
    return i == g->size;
}

struct group *mpico_group_seal(struct rank *r, struct group *g)
{
    if (g->size == 0)
        return g;
    struct group *range = consecutive(g) ? mpico_group_range(r, g->list[0], g->size) : NULL;
    if (range) { /* without memory for it the list serves as well */
        mpico_group_release(r, g);
        return range;
    }
    g->self = mpico_group_find(g, r->world_rank);
    return g;
}

void mpico_group_keep(struct group *g)
{
    if (g->size > 0)
        g->refs++;
}

void mpico_group_release(struct rank *r, struct group *g)
{
    if (g->size == 0 || --g->refs > 0)
        return;
    g->magic = 0;
    mpico_heap_free(&r->heap, g);
}

int mpico_group_find(const struct group *g, int world)
{
    if (!g->list)
        return world >= g->first && world < g->first + g->size ? world - g->first : -1;
    for (int i = 0; i < g->size; i++) {
        if (g->list[i] == world)
            return i;
    }
    return -1;
}

int mpico_group_same(const struct group *a, const struct group *b)
{
    int i = 0;
    if (a->size != b->size)
        return 0;
    while (i < a->size && group_world(a, i) == group_world(b, i))
        i++;
    return i == a->size;
}
