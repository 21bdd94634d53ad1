/* win.c: windows as objects: handle, attributes, end (MPI 5.0, section 12.2). */
#include "win.h"

#include "../core/held.h"
#include "finish.h"
#include "slots.h"
#include "state.h"

int check_win(struct rank *r, MPI_Win handle, struct win **win)
{
    uintptr_t v = (uintptr_t)handle;
    if (api_is_object(r, v) && ((struct win *)v)->magic == WIN_MAGIC) {
        *win = (struct win *)v;
        return MPI_SUCCESS;
    }
    return mpico_fault(r, MPI_ERR_WIN, "win: %s",
                       handle == MPI_WIN_NULL ? "MPI_WIN_NULL is no window"
                                              : "the handle is no window (freed, or never set)");
}

int check_assert(struct rank *r, int assert, int allowed)
{
    if (!(assert & ~allowed))
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ASSERT, "assert: %d has bits that mean nothing here", assert);
}

static struct slots slots_of(struct win *w)
{
    return (struct slots){.handle = (uintptr_t)w,
                          .attributes = &w->attributes,
                          .name = &w->name,
                          .info = &w->info,
                          .errhandler = &w->errhandler,
                          .kind = ERRHANDLER_WIN};
}

int check_win_slots(struct rank *r, MPI_Win handle, struct slots *s)
{
    struct win *w = NULL;
    int e = check_win(r, handle, &w);
    if (!e)
        *s = slots_of(w);
    return e;
}

int api_win_end(struct rank *r, struct win *w, int e)
{
    if (!e)
        return MPI_SUCCESS;
    if (!w)
        return api_error(r, NULL, e);
    struct slots s = slots_of(w);
    return api_error_slots(r, &s, e);
}

int api_win_result(struct rank *r, struct win *w, int e)
{
    if (!e)
        mpico_poll(r, 1); /* most have nothing to wait for on a rank's own window */
    if (e == MPI_ERR_PROC_ABORTED)
        mpico_fault(r, e, "%s", r->lost_why);
    else if (e == MPI_ERR_RMA_RANGE)
        mpico_fault(r, e, "an operation was for memory that is not attached to the window at its target");
    else if (e && e != MPI_ERR_NO_MEM)
        mpico_fault(r, e, "an operation on the window failed");
    return api_win_end(r, w, e);
}

int api_win_misused(struct rank *r, const char *what) { return mpico_fault(r, MPI_ERR_RMA_SYNC, "win: %s", what); }

/* The standard's own attributes are the window's, as it was made (MPI 5.0, section 12.2.7). */
void *api_win_predefined(struct rank *r, MPI_Win handle, int keyval, int *found)
{
    struct win *w = NULL;
    *found = !check_win(r, handle, &w);
    switch (*found ? keyval : MPI_KEYVAL_INVALID) {
    case MPI_WIN_BASE:
        return w->base;
    case MPI_WIN_SIZE:
        return &w->size_aint;
    case MPI_WIN_DISP_UNIT:
        return &w->unit_int;
    case MPI_WIN_CREATE_FLAVOR:
        return &w->flavor;
    case MPI_WIN_MODEL:
        return &w->model;
    default:
        *found = 0;
        return NULL;
    }
}

#pragma weak MPI_Win_get_group = PMPI_Win_get_group
int PMPI_Win_get_group(MPI_Win win, MPI_Group *group)
{
    struct rank *r = api_enter("MPI_Win_get_group");
    struct win *w = NULL;
    int e;
    if ((e = check_win(r, win, &w)) || (e = check_pointer(r, group, "group")))
        return api_win_end(r, w, e);
    mpico_group_keep(w->comm->group);
    *group = api_group_handle(w->comm->group);
    return MPI_SUCCESS;
}

/* ---- The end ---- */

static int in_epoch(const struct win *w)
{
    return w->epoch > EPOCH_FENCE || w->exposed || (w->epoch == EPOCH_FENCE && !w->fresh);
}

static void unlist(struct rank *r, const struct win *w)
{
    struct win **at = &api_state(r)->windows;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
}

#pragma weak MPI_Win_free = PMPI_Win_free
int PMPI_Win_free(MPI_Win *win)
{
    struct rank *r = api_enter("MPI_Win_free");
    struct win *w = NULL;
    int e;
    if ((e = check_pointer(r, win, "win")) || (e = check_win(r, *win, &w)))
        return api_win_end(r, w, e);
    if (in_epoch(w))
        return api_win_end(r, w,
                           api_win_misused(r, "is still in an epoch (a fence, complete, wait or unlock is missing)"));
    if (w->attributes && (e = api_attr_drop(r, ATTR_WIN, (uintptr_t)w, &w->attributes)))
        return api_win_end(r, w, e);
    r->call = "MPI_Win_free"; /* the attributes' functions may have made calls */
    e = api_win_result(r, w, mpico_win_close(w));
    struct slots s = slots_of(w);
    api_slots_release(r, &s);
    unlist(r, w);
    held_drop(r, w);
    mpico_win_free(w);
    *win = MPI_WIN_NULL;
    return e;
}
