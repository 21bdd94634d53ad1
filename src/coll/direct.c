/* direct.c: see direct.h. All ranks come to the same answer: they look at what all know alike (the communicator, the
 * settings, the kind of call), and where the network declines, it declines at all. Data that is not one block goes
 * through a packed copy, which only its own rank needs to know.
 */
#include "direct.h"

#include "../base/copy.h"
#include "../core/progress.h"
#include "mpi.h"

struct link *mpico_direct_link(const struct rank *r, const struct comm *c)
{
    struct link *link = r->route ? NULL : r->links;
    return link && link->ops->direct && c->whole && c->in_order && c->size > 1 && !r->settings.checking ? link : NULL;
}

/* No request of this rank waits for the network. */
static int quiet(const struct rank *r)
{
    if (r->unsent_count || r->match.posted_count || !list_empty(&r->streams) || !list_empty(&r->streams_kept) ||
        r->bsends_left)
        return 0;
    for (const struct list *l = r->requests.next; l != &r->requests; l = l->next)
        if (list_entry(l, const struct request, all)->flags & REQUEST_ACTIVE)
            return 0;
    return 1;
}

static int run(struct rank *r, struct link *link, enum direct what, void *buf, size_t bytes, int root,
               struct request *q)
{
    struct request *const list[1] = {q};
    uint32_t idle = 0;
    int e = link->ops->direct(link, what, buf, bytes, root, quiet(r));
    if (e)
        return -1;
    q->kind = REQUEST_COLL;
    q->flags = REQUEST_ACTIVE;
    while ((e = link->ops->direct_state(link)) == MPICO_AGAIN)
        mpico_wait_turn(r, &idle, list, 1);
    mpico_wait_over(r);
    q->flags = REQUEST_DONE;
    return e;
}

static int no_memory(struct rank *r, size_t bytes)
{
    return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for %z bytes in one block", bytes);
}

static int bcast(struct rank *r, struct link *link, const struct coll_call *call, struct request *q)
{
    const struct side *b = &call->recv;
    size_t bytes = b->count * b->type->size;
    if (bytes == 0)
        return -1;
    if (b->type->contiguous)
        return run(r, link, DIRECT_BCAST, b->buf, bytes, call->root, q);
    char *flat = mpico_heap_alloc(&r->heap, bytes);
    if (!flat)
        return no_memory(r, bytes);
    if (r->world_rank == call->root)
        mpico_type_pack(b->type, b->buf, 0, flat, bytes);
    mpico_cost_settle();
    int e = run(r, link, DIRECT_BCAST, flat, bytes, call->root, q);
    if (e == 0 && r->world_rank != call->root)
        mpico_type_unpack(b->type, b->buf, 0, flat, bytes);
    mpico_cost_settle();
    mpico_heap_free(&r->heap, flat);
    return e;
}

/* This rank's block to its place. One block is moved by the processor: the wires' DMA channels start with it. */
static void own_block(const struct rank *r, const struct coll_call *call, char *flat, size_t each)
{
    const struct side *send = &call->send;
    char *to = flat + (size_t)r->world_rank * each;
    struct part own = coll_part(&call->recv, r->world_rank);
    if (!call->in_place && send->type->contiguous)
        mpico_copy_plain(to, send->buf, each);
    else if (!call->in_place)
        mpico_type_pack(send->type, send->buf, 0, to, each);
    else if (own.buf != to)
        mpico_type_pack(own.type, own.buf, 0, to, each);
    mpico_cost_settle();
}

static int allgather(struct rank *r, struct link *link, const struct coll_call *call, struct request *q)
{
    const struct side *b = &call->recv;
    size_t each = b->count * b->type->size, all = each * (size_t)r->world_size;
    if (each == 0)
        return -1;
    char *flat = b->type->contiguous ? b->buf : mpico_heap_alloc(&r->heap, all);
    if (!flat)
        return no_memory(r, all);
    own_block(r, call, flat, each);
    int e = run(r, link, DIRECT_ALLGATHER, flat, each, 0, q);
    if (flat == b->buf)
        return e;
    if (e == 0)
        mpico_type_unpack(b->type, b->buf, 0, flat, all);
    mpico_cost_settle();
    mpico_heap_free(&r->heap, flat);
    return e;
}

int mpico_direct_run(struct rank *r, struct link *link, const struct coll_call *call, struct request *q)
{
    switch (call->what) {
    case COLL_BARRIER:
        return run(r, link, DIRECT_BARRIER, NULL, 0, 0, q);
    case COLL_BCAST:
        return bcast(r, link, call, q);
    case COLL_ALLGATHER:
        return allgather(r, link, call, q);
    default:
        return -1;
    }
}
