/* win.c: the making and the end of windows: a communicator, what the members know of each other, memory. */
#include <string.h>

#include "../coll/inner.h"
#include "../port.h"
#include "mpi.h"
#include "task.h"

/* The other members would wait for ever. */
static __attribute__((noreturn)) void no_memory(struct rank *r)
{
    r->machine->halt(r, MPI_ERR_NO_MEM, "no memory for a window");
}

struct win *mpico_win_alloc(struct rank *r, struct comm *c)
{
    struct group *g = mpico_comm_group(r, c);
    size_t peers = (size_t)c->size * sizeof(struct rma_peer);
    struct win *w = g ? mpico_heap_alloc(&r->heap, sizeof *w) : NULL;
    if (!w)
        no_memory(r);
    memset(w, 0, sizeof *w);
    w->rank = r;
    w->comm = c;
    list_init(&w->tasks);
    list_init(&w->waiting);
    w->peer = mpico_heap_alloc(&r->heap, peers);
    w->inbox = mpico_heap_alloc(&r->heap, RMA_MESSAGE);
    if (!w->peer || !w->inbox)
        no_memory(r);
    memset(w->peer, 0, peers);
    return w;
}

/* ---- What each says of its memory ---- */

struct said {
    uint64_t size, unit;
    int64_t error;
};

/* Into w->peer. The first error of all, at all of them. */
static int exchange(struct win *w, struct said mine)
{
    struct rank *r = w->rank;
    int size = w->comm->size;
    struct said *all = mpico_heap_alloc(&r->heap, (size_t)size * sizeof *all);
    if (!all)
        no_memory(r);
    all[w->comm->rank] = mine;
    int e = mpico_inner_allgather(r, w->comm, all, sizeof *all);
    for (int i = 0; i < size && !e; i++) {
        w->peer[i].size = all[i].size;
        w->peer[i].unit = all[i].unit;
        if (all[i].error && !mine.error)
            e = mpico_fault(r, (int)all[i].error, "rank %d could not make the window", i);
        else
            e = (int)mine.error;
    }
    mpico_heap_free(&r->heap, all);
    return e;
}

int mpico_win_open(struct win *w, uint64_t unit, int e)
{
    mpico_rma_listen(w);
    e = exchange(w, (struct said){w->size, unit, e});
    if (!w->dynamic && !w->shared)
        w->peer[w->comm->rank].local = w->base;
    w->magic = WIN_MAGIC;
    return e;
}

/* ---- Shared memory ---- */

/* Where each member's memory begins in the segment; returns the bytes of all, 0: too many. */
static size_t layout(const struct win *w, int contiguous, int member, size_t *at)
{
    size_t end = (size_t)w->comm->size * RMA_LOCK_BYTES;
    for (int i = 0; i < w->comm->size; i++) {
        if (!contiguous)
            end = (end + RMA_LOCK_BYTES - 1) / RMA_LOCK_BYTES * RMA_LOCK_BYTES;
        if (i == member)
            *at = end;
        if (w->peer[i].size > PTRDIFF_MAX - RMA_LOCK_BYTES - end)
            return 0;
        end += (size_t)w->peer[i].size;
    }
    return end;
}

/* One makes it, the others find it under its name. */
static int map_segment(struct win *w)
{
    struct rank *r = w->rank;
    const struct machine *m = r->machine;
    uint64_t name = 0;
    if (w->comm->rank == 0)
        w->segment = m->share(r, &name, w->segment_bytes);
    int e = mpico_inner_bcast(r, w->comm, &name, sizeof name, 0);
    if (!e && w->comm->rank != 0 && name)
        w->segment = m->share(r, &name, w->segment_bytes);
    w->segment_name = name;
    return e || w->segment ? e : MPI_ERR_RMA_SHARED;
}

static void unmap_segment(struct win *w)
{
    struct rank *r = w->rank;
    if (w->segment)
        r->machine->unshare(r, w->segment, w->segment_name, w->segment_bytes, w->comm->rank == 0);
    w->segment = NULL;
}

int mpico_win_share(struct win *w, size_t size, uint64_t unit, int contiguous)
{
    struct rank *r = w->rank;
    size_t at = 0;
    int e;
    if (SMALL || !r->machine->share)
        return mpico_fault(r, MPI_ERR_RMA_SHARED, "the ranks of this job share no memory");
    if ((e = exchange(w, (struct said){size, unit, 0})))
        return e;
    w->segment_bytes = layout(w, contiguous, 0, &at);
    e = w->segment_bytes ? map_segment(w) : MPI_ERR_RMA_SHARED;
    if (exchange(w, (struct said){size, unit, e})) {
        unmap_segment(w);
        return mpico_fault(r, MPI_ERR_RMA_SHARED, "no shared memory of %z bytes for the window", w->segment_bytes);
    }
    for (int i = 0; i < w->comm->size; i++) {
        layout(w, contiguous, i, &at);
        w->peer[i].local = w->segment + at;
    }
    w->base = w->peer[w->comm->rank].local;
    w->size = size;
    w->shared = 1;
    return 0;
}

/* ---- The end ---- */

/* An answer that its receiver has got may still have to be acknowledged to us. */
int mpico_win_close(struct win *w)
{
    int e = mpico_rma_fence(w);
    mpico_rma_until_answered(w);
    return e;
}

void mpico_win_free(struct win *w)
{
    struct rank *r = w->rank;
    if (w->ask.flags & REQUEST_ACTIVE)
        mpico_recv_cancel(r, &w->ask);
    unmap_segment(w);
    while (w->regions) {
        struct rma_region *g = w->regions;
        w->regions = g->next;
        mpico_heap_free(&r->heap, g);
    }
    w->magic = 0; /* a stale handle is refused, not followed */
    mpico_heap_free(&r->heap, w->own);
    mpico_heap_free(&r->heap, w->inbox);
    mpico_heap_free(&r->heap, w->peer);
    mpico_comm_release(r, w->comm);
    mpico_heap_free(&r->heap, w);
}
