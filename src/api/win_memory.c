/* win_memory.c: memory that is attached to dynamic windows, and that of others which can be used directly (MPI 5.0, sections 12.2.4 and
 * 12.2.3).
 */
#include "win.h"

/* ---- Dynamic windows ---- */

static int check_dynamic(struct rank *r, MPI_Win win, struct win **w)
{
    int e = check_win(r, win, w);
    if (e || (*w)->dynamic)
        return e;
    return mpico_fault(r, MPI_ERR_RMA_FLAVOR, "win: memory is attached to windows of MPI_Win_create_dynamic only");
}

static int overlaps(const struct rma_region *g, const char *base, size_t size)
{
    uintptr_t at = (uintptr_t)base, other = (uintptr_t)g->base;
    return at < other + g->size && other < at + size;
}

static int check_free(struct rank *r, const struct win *w, const char *base, MPI_Aint size)
{
    if (size < 0)
        return mpico_fault(r, MPI_ERR_SIZE, "size: %l is negative", (long long)size);
    for (const struct rma_region *g = w->regions; g; g = g->next)
        if (overlaps(g, base, (size_t)size))
            return mpico_fault(r, MPI_ERR_RMA_ATTACH, "base: part of these %l bytes is attached already",
                               (long long)size);
    return MPI_SUCCESS;
}

#pragma weak MPI_Win_attach = PMPI_Win_attach
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    struct rank *r = api_enter("MPI_Win_attach");
    struct win *w = NULL;
    int e;
    if ((e = check_dynamic(r, win, &w)) || (e = check_free(r, w, base, size)))
        return api_win_end(r, w, e);
    struct rma_region *g = mpico_heap_alloc(&r->heap, sizeof *g);
    if (!g)
        return api_win_end(r, w, mpico_fault(r, MPI_ERR_RMA_ATTACH, "no memory to note what is attached"));
    *g = (struct rma_region){w->regions, base, (size_t)size};
    w->regions = g;
    return MPI_SUCCESS;
}

#pragma weak MPI_Win_detach = PMPI_Win_detach
int PMPI_Win_detach(MPI_Win win, const void *base)
{
    struct rank *r = api_enter("MPI_Win_detach");
    struct win *w = NULL;
    int e = check_dynamic(r, win, &w);
    if (e)
        return api_win_end(r, w, e);
    struct rma_region **at = &w->regions;
    while (*at && (*at)->base != base)
        at = &(*at)->next;
    struct rma_region *g = *at;
    if (!g)
        return api_win_end(r, w, mpico_fault(r, MPI_ERR_RMA_ATTACH, "base: nothing was attached there"));
    *at = g->next;
    mpico_heap_free(&r->heap, g);
    return MPI_SUCCESS;
}

/* ---- Shared memory ---- */

/* Which member is meant: for MPI_PROC_NULL the first that has memory. */
static int member(const struct win *w, int rank)
{
    if (rank != MPI_PROC_NULL)
        return rank;
    for (int i = 0; i < w->comm->size; i++)
        if (w->peer[i].size)
            return i;
    return 0;
}

static int query(struct rank *r, MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *unit, void *baseptr)
{
    struct win *w = NULL;
    int e;
    if ((e = check_win(r, win, &w)) || (e = check_dest(r, w->comm, rank)) || (e = check_pointer(r, size, "size")) ||
        (e = check_pointer(r, baseptr, "baseptr")))
        return api_win_end(r, w, e);
    if (w->dynamic)
        return api_win_end(r, w, mpico_fault(r, MPI_ERR_RMA_FLAVOR, "win: a dynamic window has no memory of its own"));
    const struct rma_peer *peer = &w->peer[member(w, rank)];
    *size = peer->local ? (MPI_Aint)peer->size : 0;
    *unit = (MPI_Aint)peer->unit;
    *(char **)baseptr = peer->local && peer->size ? peer->local : NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Win_shared_query = PMPI_Win_shared_query
int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    struct rank *r = api_enter("MPI_Win_shared_query");
    MPI_Aint unit = 0;
    int e = check_pointer(r, disp_unit, "disp_unit");
    if (e)
        return api_win_end(r, NULL, e);
    if (!(e = query(r, win, rank, size, &unit, baseptr)))
        *disp_unit = (int)unit;
    return e;
}

#pragma weak MPI_Win_shared_query_c = PMPI_Win_shared_query_c
int PMPI_Win_shared_query_c(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr)
{
    struct rank *r = api_enter("MPI_Win_shared_query_c");
    int e = check_pointer(r, disp_unit, "disp_unit");
    return e ? api_win_end(r, NULL, e) : query(r, win, rank, size, disp_unit, baseptr);
}
