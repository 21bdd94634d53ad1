/* win_make.c: the making of windows (MPI 5.0, sections 12.2.1 to 12.2.4): four kinds that differ in where their memory comes from. */
#include <string.h>

#include "../core/held.h"
#include "comm.h"
#include "info.h"
#include "state.h"
#include "win.h"

/* Linked with whatever makes an info object, or asks for a window's. */
#pragma weak check_info
#pragma weak api_info_value
#pragma weak api_win_hints

/* What a program asks for. */
struct plan {
    int flavor;
    void *base;
    MPI_Aint size, unit;
    MPI_Info info;
    void *baseptr; /* where the address of memory goes that is allocated */
};

static int allocates(const struct plan *p)
{
    return p->flavor == MPI_WIN_FLAVOR_ALLOCATE || p->flavor == MPI_WIN_FLAVOR_SHARED;
}

static int check_plan(struct rank *r, const struct plan *p, const MPI_Win *win)
{
    int e;
    if (p->size < 0)
        return mpico_fault(r, MPI_ERR_SIZE, "size: %l is negative", (long long)p->size);
    if (p->unit <= 0)
        return mpico_fault(r, MPI_ERR_DISP, "disp_unit: %l is not positive", (long long)p->unit);
    if (p->flavor == MPI_WIN_FLAVOR_CREATE && !p->base && p->size)
        return mpico_fault(r, MPI_ERR_ARG, "base: a null pointer for %l bytes", (long long)p->size);
    if ((e = check_hints(r, p->info)) || (allocates(p) && (e = check_pointer(r, p->baseptr, "baseptr"))))
        return e;
    return check_pointer(r, win, "win");
}

static int noncontiguous(struct rank *r, const struct plan *p)
{
    struct info *info;
    if (p->flavor == MPI_WIN_FLAVOR_ALLOCATE)
        return 1;
    if (p->info == MPI_INFO_NULL || !check_info || !api_info_value || check_info(r, p->info, &info))
        return 0;
    const char *value = api_info_value(info, "alloc_shared_noncontig");
    return value && strcmp(value, "true") == 0;
}

static int from_heap(struct rank *r, struct win *w, size_t size)
{
    w->own = w->base = mpico_heap_alloc(&r->heap, size ? size : 1);
    return w->own ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_NO_MEM, "size: no memory for %z bytes", size);
}

/* Memory in common where there is some. All members come to the same result, but for a lack of memory of their own. */
static int find_memory(struct rank *r, struct win *w, const struct plan *p, int *all)
{
    *all = 0;
    w->base = p->base;
    w->size = (size_t)p->size;
    w->dynamic = p->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    if (!allocates(p))
        return MPI_SUCCESS;
    if (w->comm->size > 1) {
        int e = mpico_win_share(w, (size_t)p->size, (uint64_t)p->unit, !noncontiguous(r, p));
        *all = p->flavor == MPI_WIN_FLAVOR_SHARED;
        if (!e || *all)
            return e;
    }
    return from_heap(r, w, (size_t)p->size);
}

/* A communicator that the program does not see. */
static int private_comm(struct rank *r, struct comm *c, struct comm **own)
{
    uint32_t id;
    int e;
    if ((e = comm_agree(r, c, &id)) || (e = comm_make(r, c, mpico_comm_group(r, c), NULL, id, own)))
        return e;
    list_remove(&(*own)->all);
    held_drop(r, *own);
    return MPI_SUCCESS;
}

static void publish(struct rank *r, struct win *w, const struct plan *p, MPI_Win *win)
{
    struct api *api = api_state(r);
    w->flavor = p->flavor;
    w->model = MPI_WIN_UNIFIED;
    w->size_aint = p->size;
    w->unit_int = (int)p->unit;
    w->errhandler = (uintptr_t)MPI_ERRORS_ARE_FATAL;
    w->next = api->windows;
    api->windows = w;
    if (p->info != MPI_INFO_NULL && api_win_hints)
        api_win_hints(r, w, p->info, 1);
    if (allocates(p))
        *(void **)p->baseptr = w->base;
    held_add(r, HELD_WIN, w);
    *win = api_win_handle(w);
}

static int make(struct rank *r, const struct plan *p, MPI_Comm comm, MPI_Win *win)
{
    struct comm *c = NULL, *own = NULL;
    int e, all;
    if ((e = check_intra(r, comm, &c)) || (e = check_plan(r, p, win)) || (e = private_comm(r, c, &own)))
        return api_error(r, c, e);
    struct win *w = mpico_win_alloc(r, own);
    e = find_memory(r, w, p, &all);
    if (!all || !e)
        e = mpico_win_open(w, (uint64_t)p->unit, e);
    if (e) {
        mpico_win_free(w);
        return api_error(r, c, e);
    }
    publish(r, w, p, win);
    return MPI_SUCCESS;
}

#pragma weak MPI_Win_create = PMPI_Win_create
int PMPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_create");
    const struct plan p = {MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info, NULL};
    return make(r, &p, comm, win);
}

#pragma weak MPI_Win_create_c = PMPI_Win_create_c
int PMPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_create_c");
    const struct plan p = {MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info, NULL};
    return make(r, &p, comm, win);
}

#pragma weak MPI_Win_allocate = PMPI_Win_allocate
int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_allocate");
    const struct plan p = {MPI_WIN_FLAVOR_ALLOCATE, NULL, size, disp_unit, info, baseptr};
    return make(r, &p, comm, win);
}

#pragma weak MPI_Win_allocate_c = PMPI_Win_allocate_c
int PMPI_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_allocate_c");
    const struct plan p = {MPI_WIN_FLAVOR_ALLOCATE, NULL, size, disp_unit, info, baseptr};
    return make(r, &p, comm, win);
}

#pragma weak MPI_Win_allocate_shared = PMPI_Win_allocate_shared
int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_allocate_shared");
    const struct plan p = {MPI_WIN_FLAVOR_SHARED, NULL, size, disp_unit, info, baseptr};
    return make(r, &p, comm, win);
}

#pragma weak MPI_Win_allocate_shared_c = PMPI_Win_allocate_shared_c
int PMPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                               MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_allocate_shared_c");
    const struct plan p = {MPI_WIN_FLAVOR_SHARED, NULL, size, disp_unit, info, baseptr};
    return make(r, &p, comm, win);
}

#pragma weak MPI_Win_create_dynamic = PMPI_Win_create_dynamic
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_create_dynamic");
    const struct plan p = {MPI_WIN_FLAVOR_DYNAMIC, MPI_BOTTOM, 0, 1, info, NULL};
    return make(r, &p, comm, win);
}
