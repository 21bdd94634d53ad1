/* state.c: spare memory of the collectives, so that a short one allocates nothing. */
#include "state.h"

#include <string.h>

#include "../core/rank.h"

struct coll_state *mpico_coll_state(struct rank *r)
{
    if (!r->coll) {
        r->coll = mpico_heap_alloc(&r->heap, sizeof(struct coll_state));
        if (r->coll)
            memset(r->coll, 0, sizeof(struct coll_state));
        r->upper = &mpico_schedule_upper;
    }
    return r->coll;
}

void *mpico_coll_block_take(struct rank *r)
{
    struct coll_state *c = mpico_coll_state(r);
    if (c && c->spares)
        return c->spare[--c->spares];
    return c ? mpico_heap_alloc(&r->heap, COLL_BLOCK) : NULL;
}

void mpico_coll_block_give(struct rank *r, void *block)
{
    struct coll_state *c = r->coll;
    if (c->spares < COLL_SPARES)
        c->spare[c->spares++] = block;
    else
        mpico_heap_free(&r->heap, block);
}
