/* win_active.c: epochs in which the target takes part (MPI 5.0, sections 12.5.1 and 12.5.2). */
#include "comm.h"
#include "win.h"

static int check_idle(struct rank *r, const struct win *w)
{
    if (w->epoch == EPOCH_NONE || (w->epoch == EPOCH_FENCE && w->fresh))
        return MPI_SUCCESS;
    return api_win_misused(r, w->epoch == EPOCH_FENCE   ? "operations since the last fence were not ended by another"
                              : w->epoch == EPOCH_START ? "MPI_Win_complete is missing"
                                                        : "a lock is held, MPI_Win_unlock is missing");
}

#pragma weak MPI_Win_fence = PMPI_Win_fence
int PMPI_Win_fence(int assert, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_fence");
    struct win *w = NULL;
    int e;
    if ((e = check_win(r, win, &w)) ||
        (e = check_assert(r, assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED)))
        return api_win_end(r, w, e);
    if (w->epoch != EPOCH_FENCE && (e = check_idle(r, w)))
        return api_win_end(r, w, e);
    if (w->exposed)
        return api_win_end(r, w, api_win_misused(r, "is posted, MPI_Win_wait is missing"));
    e = mpico_rma_fence(w);
    w->epoch = assert &MPI_MODE_NOSUCCEED ? EPOCH_NONE : EPOCH_FENCE;
    w->fresh = 1;
    return api_win_result(r, w, e);
}

/* The group is kept while it is in use. */
static int check_members(struct rank *r, const struct win *w, MPI_Group group, struct group **g)
{
    int e = check_group(r, group, g);
    return e ? e : check_subgroup(r, w->comm, *g);
}

#pragma weak MPI_Win_post = PMPI_Win_post
int PMPI_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_post");
    struct win *w = NULL;
    struct group *g = NULL;
    int e;
    if ((e = check_win(r, win, &w)) || (e = check_members(r, w, group, &g)) ||
        (e = check_assert(r, assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT)))
        return api_win_end(r, w, e);
    if (w->exposed)
        return api_win_end(r, w, api_win_misused(r, "is posted already, MPI_Win_wait is missing"));
    mpico_group_keep(g);
    w->exposed_to = g;
    w->exposed = 1;
    return api_win_result(r, w, assert &MPI_MODE_NOCHECK ? 0 : mpico_rma_post(w, g));
}

static void mark(struct win *w, const struct group *g, int started)
{
    for (int i = 0; i < g->size; i++)
        w->peer[mpico_group_find(w->comm->group, group_world(g, i))].started = (uint8_t)started;
}

#pragma weak MPI_Win_start = PMPI_Win_start
int PMPI_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_start");
    struct win *w = NULL;
    struct group *g = NULL;
    int e;
    if ((e = check_win(r, win, &w)) || (e = check_members(r, w, group, &g)) ||
        (e = check_assert(r, assert, MPI_MODE_NOCHECK)) || (e = check_idle(r, w)))
        return api_win_end(r, w, e);
    mpico_group_keep(g);
    w->started_to = g;
    w->epoch = EPOCH_START;
    mark(w, g, 1);
    return api_win_result(r, w, assert &MPI_MODE_NOCHECK ? 0 : mpico_rma_await_post(w, g));
}

#pragma weak MPI_Win_complete = PMPI_Win_complete
int PMPI_Win_complete(MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_complete");
    struct win *w = NULL;
    int e = check_win(r, win, &w);
    if (!e && w->epoch != EPOCH_START)
        e = api_win_misused(r, "MPI_Win_start is missing");
    if (e)
        return api_win_end(r, w, e);
    struct group *g = w->started_to;
    e = mpico_rma_complete(w, g);
    mark(w, g, 0);
    w->epoch = EPOCH_NONE;
    w->started_to = NULL;
    mpico_group_release(r, g);
    return api_win_result(r, w, e);
}

static int check_exposed(struct rank *r, MPI_Win win, struct win **w)
{
    int e = check_win(r, win, w);
    return !e && !(*w)->exposed ? api_win_misused(r, "MPI_Win_post is missing") : e;
}

static void hide(struct rank *r, struct win *w)
{
    w->exposed = 0;
    mpico_group_release(r, w->exposed_to);
    w->exposed_to = NULL;
}

#pragma weak MPI_Win_wait = PMPI_Win_wait
int PMPI_Win_wait(MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_wait");
    struct win *w = NULL;
    int e = check_exposed(r, win, &w);
    if (e)
        return api_win_end(r, w, e);
    e = mpico_rma_wait(w);
    hide(r, w);
    return api_win_result(r, w, e);
}

#pragma weak MPI_Win_test = PMPI_Win_test
int PMPI_Win_test(MPI_Win win, int *flag)
{
    struct rank *r = api_enter("MPI_Win_test");
    struct win *w = NULL;
    int e;
    if ((e = check_exposed(r, win, &w)) || (e = check_pointer(r, flag, "flag")))
        return api_win_end(r, w, e);
    *flag = mpico_rma_test(w);
    if (*flag)
        hide(r, w);
    return MPI_SUCCESS;
}
