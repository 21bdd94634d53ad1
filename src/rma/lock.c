/* lock.c: a member's lock, which others ask for (MPI 5.0, section 12.5.3): shared by any number, or one's alone.
 *
 * First come, first served, but for two that may pass who waits to have it alone, if they ask to share it. Whoever holds other locks
 * always does: others who hold this one may wait for those (MPI_Win_lock_all holds many), and none of them would ever go on. And
 * PASS_MOST others do, one after the other, as their asking may be what the holder of this one waits for; more would starve who waits.
 *
 * So that those who lock all members again and again starve nobody either, who gives the lock back hears that it is crowded: that PASS_MOST
 * have passed. Its next MPI_Win_lock_all asks one crowded member, in turn, before all others, while it holds nothing and has to wait (sync.c).
 * Of each origin no more epochs pass than members are crowded.
 */
#include <string.h>

#include "mpi.h"
#include "task.h"

static int is_free(const struct win *w, int exclusive) { return !w->exclusive && (!exclusive || w->shared_by == 0); }

enum { PASS_MOST = 16 };

static int may_pass(const struct win *w, int exclusive, int holder)
{
    return list_empty(&w->waiting) || (!exclusive && (holder || w->passed < PASS_MOST));
}

static int is_crowded(const struct win *w) { return !list_empty(&w->waiting) && w->passed >= PASS_MOST; }

static void take(struct win *w, int exclusive)
{
    if (exclusive)
        w->exclusive = 1;
    else
        w->shared_by++;
}

/* As many from the front as can have it together. */
static void grant(struct win *w)
{
    for (struct list *n = w->waiting.next, *next; n != &w->waiting; n = next) {
        struct rma_task *t = list_entry(n, struct rma_task, node);
        next = n->next;
        if (!is_free(w, t->exclusive) || (n != w->waiting.next && !t->passes))
            continue;
        w->passed = n == w->waiting.next ? 0 : w->passed;
        list_remove(n);
        take(w, t->exclusive);
        mpico_rma_answer(t, t->more, sizeof(int32_t));
    }
}

int mpico_rma_lock_asked(struct win *w, int source, const struct rma_ask *ask)
{
    int exclusive = (ask->arg & RMA_LOCK_EXCLUSIVE) != 0, holder = (ask->arg & RMA_LOCK_HOLDER) != 0;
    if (is_free(w, exclusive) && may_pass(w, exclusive, holder)) {
        if (mpico_rma_verdict(w, source, ask->answer, 0))
            return MPICO_AGAIN;
        w->passed += !list_empty(&w->waiting);
        take(w, exclusive);
        return 0;
    }
    struct rma_task *t = mpico_rma_task(w, sizeof(int32_t));
    if (!t)
        return MPICO_AGAIN;
    memset(t->more, 0, sizeof(int32_t));
    t->source = source;
    t->tag = ask->answer;
    t->exclusive = (uint8_t)exclusive;
    t->passes = (uint8_t)(holder && !exclusive);
    list_append(&w->waiting, &t->node);
    return 0;
}

int mpico_rma_unlock_asked(struct win *w, int source, const struct rma_ask *ask)
{
    struct rma_peer *peer = &w->peer[source];
    if (mpico_rma_verdict(w, source, ask->answer, peer->error | (is_crowded(w) ? RMA_CROWDED : 0)))
        return MPICO_AGAIN;
    peer->error = 0;
    if (w->exclusive)
        w->exclusive = 0;
    else if (w->shared_by)
        w->shared_by--;
    grant(w);
    return 0;
}
