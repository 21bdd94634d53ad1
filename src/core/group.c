/* group.c: ordered sets of world ranks. Immutable, so one may be shared by any number of handles and
 * communicators. All empty groups are one constant without a count. */
#include "group.h"

#include "rank.h"

static const struct group empty = {.magic = GROUP_MAGIC, .refs = 1, .size = 0, .self = -1};

struct group *mpico_group_alloc(struct rank *r, int size)
{
    if (size == 0)
        return (struct group *)(uintptr_t)&empty; /* never written: see keep, release and seal */
    struct group *g = mpico_heap_alloc(&r->heap, sizeof *g + (size_t)size * sizeof g->world[0]);
    if (g) {
        g->magic = GROUP_MAGIC;
        g->refs = 1;
        g->size = size;
        g->self = -1;
    }
    return g;
}

void mpico_group_seal(struct rank *r, struct group *g)
{
    if (g->size > 0)
        g->self = mpico_group_find(g, r->world_rank);
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
    /* The usual case first: MPI_COMM_WORLD's group and its beginnings are the identity. */
    if (world >= 0 && world < g->size && g->world[world] == world)
        return world;
    for (int i = 0; i < g->size; i++) {
        if (g->world[i] == world)
            return i;
    }
    return -1;
}
