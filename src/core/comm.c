/* comm.c: communicators and their identifiers. Invariant: an identifier's bit in r->comm_ids is clear
 * exactly while a communicator of this rank carries it, or is being made with it, so that late packets never meet a new one.
 */
#include "comm.h"

#include <string.h>

#include "mpi.h"
#include "held.h"
#include "rank.h"

/* Every rank finds the same, for it looks at the members, not at how they are kept. */
static int in_order(const struct rank *r, const struct group *g)
{
    int i = 0;
    while (i < g->size && group_world(g, i) == i)
        i = g->list ? i + 1 : g->size;
    return i == r->world_size;
}

/* Listed nowhere. */
static struct comm *make(struct rank *r, struct group *group, uint32_t id)
{
    struct comm *c = mpico_heap_alloc(&r->heap, sizeof *c);
    if (!c)
        return NULL;
    *c = (struct comm){.magic = COMM_MAGIC,
                       .id = id,
                       .refs = 1,
                       .rank = group->self,
                       .size = group->size,
                       .first = group->first,
                       .list = group->list,
                       .group = group,
                       .whole = group->size == r->world_size,
                       .in_order = (uint8_t)in_order(r, group),
                       .errhandler = (uintptr_t)MPI_ERRORS_ARE_FATAL,
                       .handle = (uintptr_t)c};
    mpico_group_keep(group);
    list_init(&c->all);
    return c;
}

struct comm *mpico_comm_alloc(struct rank *r, struct group *group, uint32_t id)
{
    struct comm *c = make(r, group, id);
    if (c)
        list_append(&r->comms, &c->all);
    return c;
}

struct comm *mpico_comm_alloc_inter(struct rank *r, struct group *local, struct group *remote, uint32_t id)
{
    struct comm *own = make(r, local, COMM_IDS + id);
    struct comm *c = own ? mpico_comm_alloc(r, remote, id) : NULL;
    if (c) {
        c->local = own;
        c->rank = own->rank;
        own->errhandler = (uintptr_t)MPI_ERRORS_RETURN; /* what fails is reported to the one that holds it */
    } else if (own) {
        mpico_comm_end(r, own);
    }
    return c;
}

struct group *mpico_comm_group(struct rank *r, struct comm *c)
{
    if (!c->group)
        c->group = mpico_group_range(r, c->first, c->size);
    return c->group;
}

void mpico_comm_end(struct rank *r, struct comm *c)
{
    held_drop(r, c);
    mpico_comm_id_give(r, c->id);
    if (c->local)
        mpico_comm_end(r, c->local);
    list_remove(&c->all);
    if (c->group)
        mpico_group_release(r, c->group);
    c->magic = 0; /* a stale handle is refused, not followed */
    mpico_heap_free(&r->heap, c->bsends);
    mpico_heap_free(&r->heap, c);
}

void mpico_comm_ids_free(const struct rank *r, uint64_t words[COMM_IDS / 64])
{
    memcpy(words, r->comm_ids, sizeof r->comm_ids);
}

/* It is free, so that ^ clears it: of & ~ Clang 14 makes a rotation, which it gets wrong for Hexagon where id > 63. */
void mpico_comm_id_take(struct rank *r, uint32_t id) { r->comm_ids[id / 64] ^= (uint64_t)1 << id % 64; }
/* Those from COMM_IDS on are of own groups of intercommunicators, or of communicators that never got one. */
void mpico_comm_id_give(struct rank *r, uint32_t id)
{
    if (id < COMM_IDS)
        r->comm_ids[id / 64] |= (uint64_t)1 << id % 64;
}
