/* threads.h: several threads of one rank in the library at a time (MPI_THREAD_MULTIPLE).
 *
 * One lock a rank. A function of src/api holds it from api_enter() to its return, so that all below is written as for
 * one thread. It is given up in one place, a fruitless turn of a wait (mpico_wait_turn()): whoever waits must expect that
 * other calls have run meanwhile, as it must of progress. The lock is recursive: callbacks of the program call MPI.
 *
 * Of the threads that wait, one sleeps where the port wakes it when a packet comes; the others sleep on words of their own,
 * until what they wait for is done, or the first one has left and one of them must take its place. Whoever gives the lock
 * up looks whom to wake.
 */
#ifndef MPICO_THREADS_H
#define MPICO_THREADS_H

#include "rank.h"
#include "request.h"

/* A thread that waits, on its own stack. */
struct waiter {
    struct list node;
    const struct request *request; /* that it waits for; NULL: it must look for itself */
    uint32_t turns;                /* of the rank when it began */
    uint32_t woken;
    struct wait wait; /* for the note */
};

/* It is to be woken. What it has listed may be gone, unless it waits for one request alone, which its thread holds. */
static inline int waiter_is_over(const struct rank *r, const struct waiter *w)
{
    return w->request ? w->request->flags & REQUEST_DONE : w->turns != r->threads.turns;
}

/* r->open follows from the rank's state and its threads. */
static inline void rank_enter(struct rank *r, enum rank_state state)
{
    r->state = (uint8_t)state;
    r->open = state == RANK_RUNNING && (!RANK_THREADS || !r->threads.on);
}

/* From now on several threads may call, if the port can make them wait: 0, or negative. The caller's own call need not hold
 * the lock. */
int mpico_threads_start(struct rank *);

void mpico_lock(struct rank *);
/* Nothing when this thread does not hold it. */
void mpico_unlock(struct rank *);

/* A turn of a wait has found nothing: let the other threads have theirs. As machine.wait; `q` (or NULL) as the one request
 * that ends the wait. */
void mpico_threads_wait(struct rank *, uint32_t idle, const struct request *q);

#endif
