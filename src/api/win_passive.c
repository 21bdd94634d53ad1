/* win_passive.c: epochs in which the target takes no part (MPI 5.0, sections 12.5.3 to 12.5.5), but for its progress in any call. */
#include "win.h"

static int check_member(struct rank *r, const struct win *w, int rank)
{
    if (rank >= 0 && rank < w->comm->size)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_RANK, "rank: %d is not in the window's group of %d", rank, w->comm->size);
}

/* May a lock begin? Others may be held if `several`. */
static int check_unlocked(struct rank *r, const struct win *w, int several)
{
    if (w->epoch == EPOCH_NONE || (w->epoch == EPOCH_FENCE && w->fresh) || (several && w->epoch == EPOCH_LOCK))
        return MPI_SUCCESS;
    return api_win_misused(r, "another epoch is open");
}

#pragma weak MPI_Win_lock = PMPI_Win_lock
int PMPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_lock");
    struct win *w = NULL;
    int e = check_win(r, win, &w);
    if (!e && lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
        e = mpico_fault(r, MPI_ERR_LOCKTYPE, "lock_type: %d is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED",
                        lock_type);
    if (e || (rank == MPI_PROC_NULL))
        return api_win_end(r, w, e);
    if ((e = check_member(r, w, rank)) || (e = check_assert(r, assert, MPI_MODE_NOCHECK)) ||
        (e = check_unlocked(r, w, 1)))
        return api_win_end(r, w, e);
    if (w->peer[rank].locked)
        return api_win_end(r, w, api_win_misused(r, "this rank is locked already"));
    w->epoch = EPOCH_LOCK;
    w->locks++;
    w->peer[rank].locked = assert &MPI_MODE_NOCHECK ? RMA_NOCHECK : RMA_LOCKED;
    return api_win_result(r, w,
                          assert &MPI_MODE_NOCHECK ? 0 : mpico_rma_lock(w, rank, lock_type == MPI_LOCK_EXCLUSIVE));
}

#pragma weak MPI_Win_unlock = PMPI_Win_unlock
int PMPI_Win_unlock(int rank, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_unlock");
    struct win *w = NULL;
    int e = check_win(r, win, &w);
    if (e || rank == MPI_PROC_NULL)
        return api_win_end(r, w, e);
    if (!(e = check_member(r, w, rank)) && (w->epoch != EPOCH_LOCK || !w->peer[rank].locked))
        e = api_win_misused(r, "this rank is not locked");
    if (e)
        return api_win_end(r, w, e);
    e = w->peer[rank].locked == RMA_NOCHECK ? mpico_rma_flush(w, rank, 0) : mpico_rma_unlock(w, rank);
    w->peer[rank].locked = RMA_UNLOCKED;
    if (--w->locks == 0)
        w->epoch = EPOCH_NONE;
    return api_win_result(r, w, e);
}

#pragma weak MPI_Win_lock_all = PMPI_Win_lock_all
int PMPI_Win_lock_all(int assert, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_lock_all");
    struct win *w = NULL;
    int e;
    if ((e = check_win(r, win, &w)) || (e = check_assert(r, assert, MPI_MODE_NOCHECK)) || (e = check_unlocked(r, w, 0)))
        return api_win_end(r, w, e);
    w->epoch = EPOCH_LOCK_ALL;
    w->locks = !(assert &MPI_MODE_NOCHECK);
    return api_win_result(r, w, w->locks ? mpico_rma_lock(w, -1, 0) : 0);
}

#pragma weak MPI_Win_unlock_all = PMPI_Win_unlock_all
int PMPI_Win_unlock_all(MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_unlock_all");
    struct win *w = NULL;
    int e = check_win(r, win, &w);
    if (!e && w->epoch != EPOCH_LOCK_ALL)
        e = api_win_misused(r, "MPI_Win_lock_all is missing");
    if (e)
        return api_win_end(r, w, e);
    e = w->locks ? mpico_rma_unlock(w, -1) : mpico_rma_flush(w, -1, 0);
    w->locks = 0;
    w->epoch = EPOCH_NONE;
    return api_win_result(r, w, e);
}

/* ---- Flush: of one rank, or all (-1) ---- */

static int flush(struct rank *r, MPI_Win win, int rank, int all, int local)
{
    struct win *w = NULL;
    int e = check_win(r, win, &w);
    if (e || (!all && rank == MPI_PROC_NULL))
        return api_win_end(r, w, e);
    if (!all)
        e = check_member(r, w, rank);
    if (!e && w->epoch != EPOCH_LOCK_ALL && (w->epoch != EPOCH_LOCK || (!all && !w->peer[rank].locked)))
        e = api_win_misused(r, "no lock is held");
    return e ? api_win_end(r, w, e) : api_win_result(r, w, mpico_rma_flush(w, all ? -1 : rank, local));
}

#pragma weak MPI_Win_flush = PMPI_Win_flush
int PMPI_Win_flush(int rank, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_flush");
    return flush(r, win, rank, 0, 0);
}

#pragma weak MPI_Win_flush_all = PMPI_Win_flush_all
int PMPI_Win_flush_all(MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_flush_all");
    return flush(r, win, 0, 1, 0);
}

#pragma weak MPI_Win_flush_local = PMPI_Win_flush_local
int PMPI_Win_flush_local(int rank, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_flush_local");
    return flush(r, win, rank, 0, 1);
}

#pragma weak MPI_Win_flush_local_all = PMPI_Win_flush_local_all
int PMPI_Win_flush_local_all(MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_flush_local_all");
    return flush(r, win, 0, 1, 1);
}

/* Also a chance for what others ask: a program may wait for a change of its window in a loop of these. */
#pragma weak MPI_Win_sync = PMPI_Win_sync
int PMPI_Win_sync(MPI_Win win)
{
    struct rank *r = api_enter("MPI_Win_sync");
    struct win *w = NULL;
    int e = check_win(r, win, &w);
    if (e)
        return api_win_end(r, w, e);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    mpico_progress(r);
    return MPI_SUCCESS;
}
