/* sync.c: epochs (MPI 5.0, section 12.5). What a target is asked arrives in order, so that the answer to a flush, or to giving back a
 * lock, says that all before it is done; only the data of long puts comes beside, and has answers of its own.
 */
#include <string.h>

#include "../coll/inner.h"
#include "../core/lost.h"
#include "mpi.h"
#include "task.h"

static int take_error(struct win *w)
{
    int e = w->error;
    w->error = 0;
    return e;
}

/* Members first..last: one, or all (-1). */
struct members {
    int first, end;
};
static struct members members(const struct win *w, int target)
{
    return target < 0 ? (struct members){0, w->comm->size} : (struct members){target, target + 1};
}

/* Sum over the members of what is under way; `behind`: only data that may be overtaken. */
static uint32_t under_way(const struct win *w, struct members m, int behind)
{
    uint32_t sum = 0;
    if (list_empty(&w->tasks))
        return 0;
    for (int i = m.first; i < m.end; i++)
        sum += behind ? w->peer[i].behind : w->peer[i].pending;
    return sum;
}

static void until_over(struct win *w, struct members m, int behind)
{
    uint32_t idle = 0;
    while (under_way(w, m, behind))
        mpico_rma_turn(w, &idle, NULL);
    mpico_wait_over(w->rank);
}

/* Answers may still be read from the window's memory, which the program is about to change. */
void mpico_rma_until_answered(struct win *w)
{
    uint32_t idle = 0;
    while (w->answering)
        mpico_rma_turn(w, &idle, NULL);
    mpico_wait_over(w->rank);
}

/* ---- Completion ---- */

static int flush(struct win *w, struct members m, int local)
{
    int e = 0;
    for (int i = m.first; i < m.end && !local && !e; i++) {
        if (w->peer[i].dirty)
            e = mpico_rma_tell(w, i, RMA_FLUSH, 0, 1);
        w->peer[i].dirty = 0;
    }
    until_over(w, m, 0);
    return e;
}

int mpico_rma_flush(struct win *w, int target, int local)
{
    int e = flush(w, members(w, target), local);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* memory that others store into directly */
    return e ? e : take_error(w);
}

/* ---- Locks ---- */

/* The next crowded member, of which all must be locked; -1: there is none. */
static int next_crowded(struct win *w)
{
    int size = w->comm->size;
    for (int i = 1; i <= size; i++) {
        int at = (w->gate + i) % size;
        if (w->peer[at].crowded)
            return w->gate = at;
    }
    return -1;
}

/* Those who wait for a crowded lock have it before this process holds any. */
static int enter_gate(struct win *w, int *gate)
{
    *gate = w->rank->locks_held ? -1 : next_crowded(w);
    if (*gate < 0)
        return 0;
    w->peer[*gate].crowded = 0;
    int e = mpico_rma_tell(w, *gate, RMA_LOCK, 0, 1);
    until_over(w, members(w, *gate), 0);
    return e;
}

int mpico_rma_lock(struct win *w, int target, int exclusive)
{
    struct members m = members(w, target);
    uint32_t held = w->rank->locks_held ? RMA_LOCK_HOLDER : 0;
    int gate = -1, e = 0;
    if (target < 0 && w->comm->size > 1) {
        held = RMA_LOCK_HOLDER; /* of some while it waits for the others */
        e = enter_gate(w, &gate);
    }
    for (int i = m.first; i < m.end && !e; i++)
        if (i != gate)
            e = mpico_rma_tell(w, i, RMA_LOCK, held | (exclusive ? RMA_LOCK_EXCLUSIVE : 0), 1);
    until_over(w, m, 0);
    w->rank->locks_held++;
    return e ? e : take_error(w);
}

int mpico_rma_unlock(struct win *w, int target)
{
    struct members m = members(w, target);
    int e = 0;
    w->rank->locks_held--;
    until_over(w, m, 1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (int i = m.first; i < m.end && !e; i++) {
        e = mpico_rma_tell(w, i, RMA_UNLOCK, 0, 1);
        w->peer[i].dirty = 0;
    }
    until_over(w, m, 0);
    return e ? e : take_error(w);
}

/* ---- What a member must be told ---- */

static int member(const struct win *w, const struct group *g, int i)
{
    return mpico_group_find(w->comm->group, group_world(g, i));
}

/* Until this member has told us; then that is used up. The request stands for what we wait for, in reports and when the member
 * dies. */
static int await(struct win *w, int peer, uint32_t *told)
{
    struct request q;
    uint32_t idle = 0;
    memset(&q, 0, sizeof q);
    q.kind = REQUEST_RECV;
    q.flags = REQUEST_ACTIVE | REQUEST_MATCHED;
    q.comm = w->comm;
    q.context = comm_context(w->comm);
    q.peer = peer;
    q.peer_world = comm_world(w->comm, peer);
    while (*told == 0 && !(q.flags & REQUEST_DONE))
        mpico_rma_turn(w, &idle, &q);
    mpico_wait_over(w->rank);
    if (*told)
        --*told;
    return q.error;
}

/* ---- Fence ---- */

/* Tell all others, and hear it from them. */
static int exchange(struct win *w)
{
    int e = 0, self = w->comm->rank, size = w->comm->size;
    for (int i = 0; i < size && !e; i++)
        e = i == self ? 0 : mpico_rma_tell(w, i, RMA_FENCE, 0, 0);
    until_over(w, members(w, -1), 0);
    for (int i = 0; i < size && !e; i++)
        e = i == self ? 0 : await(w, i, &w->peer[i].fenced);
    return e;
}

/* Among few members the word comes behind all that was asked, so that who has heard it from all has done what they asked. Where there is a
 * third one, it must be known of all that they have, before any of them is asked for more. */
static int fence_near(struct win *w)
{
    until_over(w, members(w, -1), 1);
    for (int i = 0; i < w->comm->size; i++)
        w->peer[i].dirty = 0;
    int e = exchange(w);
    if (!e && w->comm->size > 2)
        e = exchange(w);
    mpico_rma_until_answered(w);
    return e ? e : take_error(w);
}

/* Of dynamic windows it must be asked what went wrong at the target. */
int mpico_rma_fence(struct win *w)
{
    int e, other = 0;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* memory that is used directly */
    if (w->comm->size <= RMA_NEAR && !w->dynamic) {
        e = fence_near(w);
    } else {
        e = mpico_rma_flush(w, -1, 0);
        other = mpico_inner_barrier(w->rank, w->comm);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return e ? e : other;
}

/* ---- Post, start, complete, wait ---- */

int mpico_rma_post(struct win *w, const struct group *g)
{
    int e = 0;
    for (int i = 0; i < g->size && !e; i++)
        e = mpico_rma_tell(w, member(w, g, i), RMA_POST, 0, 0);
    return e;
}

int mpico_rma_await_post(struct win *w, const struct group *g)
{
    int e = 0;
    for (int i = 0; i < g->size; i++) {
        int peer = member(w, g, i), other = await(w, peer, &w->peer[peer].posted);
        e = e ? e : other;
    }
    return e;
}

int mpico_rma_wait(struct win *w)
{
    const struct group *g = w->exposed_to;
    int e = 0;
    for (int i = 0; i < g->size; i++) {
        int peer = member(w, g, i), other = await(w, peer, &w->peer[peer].completed);
        e = e ? e : other;
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return e;
}

static int all_completed(const struct win *w)
{
    const struct group *g = w->exposed_to;
    int i = 0;
    while (i < g->size && w->peer[member(w, g, i)].completed)
        i++;
    return i == g->size;
}

int mpico_rma_test(struct win *w)
{
    mpico_poll(w->rank, all_completed(w));
    if (!all_completed(w))
        return 0;
    mpico_rma_wait(w);
    return 1;
}

/* Errors at the target are only known here where it is asked for them: in dynamic windows. */
int mpico_rma_complete(struct win *w, const struct group *g)
{
    struct members all = members(w, -1);
    int e = flush(w, all, !w->dynamic);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (int i = 0; i < g->size; i++) {
        int peer = member(w, g, i), other = mpico_rma_tell(w, peer, RMA_COMPLETE, 0, 0);
        w->peer[peer].dirty = 0;
        e = e ? e : other;
    }
    return e ? e : take_error(w);
}
