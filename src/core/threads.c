/* threads.c: see threads.h. The lock: 0 free, 1 held, 2 held and somebody may sleep on it. */
#include "threads.h"

#include "../port.h"

enum {
    LOCK_LOOKS = 64,  /* before a thread that finds the lock held gives its CPU away: about one short call */
    LOCK_YIELDS = 16, /* before it sleeps */
    WAIT_LOOKS = 64,  /* turns in which a wait only lets others have the lock */
    WAIT_YIELDS = 104 /* and up to which it gives its CPU away as well */
};

/* ---- The lock ---- */

/* Read before the lock is held, while another thread may be starting the library: see api_prepare(). */
static const struct thread_ops *ops_of(const struct rank *r)
{
    return __atomic_load_n(&r->machine, __ATOMIC_RELAXED)->threads;
}

static int take(struct threads *t)
{
    uint32_t lock = 0;
    return __atomic_compare_exchange_n(&t->lock, &lock, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static int take_soon(struct threads *t, const struct thread_ops *ops)
{
    for (int i = 0; i < LOCK_LOOKS; i++)
        if (__atomic_load_n(&t->lock, __ATOMIC_RELAXED) == 0 && take(t))
            return 1;
    for (int i = 0; i < LOCK_YIELDS; i++) {
        ops->yield();
        if (__atomic_load_n(&t->lock, __ATOMIC_RELAXED) == 0 && take(t))
            return 1;
    }
    return 0;
}

static void acquire(struct rank *r)
{
    struct threads *t = &r->threads;
    const struct thread_ops *ops = ops_of(r);
    if (!take(t) && !take_soon(t, ops))
        while (__atomic_exchange_n(&t->lock, 2, __ATOMIC_ACQUIRE))
            ops->sleep(&t->lock, 2, 0);
    __atomic_store_n(&t->owner, rank_thread(), __ATOMIC_RELAXED);
}

static void release(struct rank *r)
{
    struct threads *t = &r->threads;
    __atomic_store_n(&t->owner, NULL, __ATOMIC_RELAXED);
    if (__atomic_exchange_n(&t->lock, 0, __ATOMIC_RELEASE) == 2)
        ops_of(r)->wake(&t->lock);
}

/* Only the thread itself can have put its name there. */
static int is_mine(const struct threads *t) { return __atomic_load_n(&t->owner, __ATOMIC_RELAXED) == rank_thread(); }

/* ---- Waiting ---- */

/* From here on it does not sleep, though its CPU may come late. */
static void wake(struct rank *r, struct waiter *w)
{
    list_remove(&w->node);
    list_init(&w->node);
    mpico_note_fill(r);
    __atomic_store_n(&w->woken, 1, __ATOMIC_RELEASE);
    ops_of(r)->wake(&w->woken);
}

/* Another thread has begun what only progress carries on: a send that waits for room, a step of a collective. */
static int is_needed(const struct rank *r)
{
    return r->unsent_count > r->threads.unsent_seen || !list_empty(&r->schedules);
}

/* All whose wait is over; and the one at the bell, where somebody must make progress. */
static void wake_done(struct rank *r)
{
    struct threads *t = &r->threads;
    struct list *next;
    for (struct list *n = t->waiters.next; n != &t->waiters; n = next) {
        next = n->next;
        if (waiter_is_over(r, list_entry(n, struct waiter, node)))
            wake(r, list_entry(n, struct waiter, node));
    }
    struct waiter *w = t->at_bell;
    if (w && !w->woken && (waiter_is_over(r, w) || is_needed(r))) {
        w->woken = 1;
        ops_of(r)->ring(r);
    }
}

/* Somebody must hear the bell. */
static void wake_for_bell(struct rank *r)
{
    struct threads *t = &r->threads;
    if (!t->at_bell && !list_empty(&t->waiters))
        wake(r, list_entry(t->waiters.next, struct waiter, node));
}

static void sleep_aside(struct rank *r, struct waiter *w)
{
    list_append(&r->threads.waiters, &w->node);
    mpico_note_fill(r);
    release(r);
    ops_of(r)->sleep(&w->woken, 0, 0);
    acquire(r);
    list_remove(&w->node);
    mpico_note_fill(r);
}

static void sleep_at_bell(struct rank *r, struct waiter *w)
{
    const struct thread_ops *ops = ops_of(r);
    uint32_t heard, *bell = ops->bell(r, &heard);
    if (!bell)
        return;
    r->threads.at_bell = w;
    r->threads.unsent_seen = r->unsent_count;
    mpico_note_fill(r);
    release(r);
    ops->sleep(bell, heard, 1);
    acquire(r);
    r->threads.at_bell = NULL;
    ops->awake(r);
    mpico_note_fill(r);
}

static void let_others(struct rank *r, uint32_t idle, struct waiter *w)
{
    struct threads *t = &r->threads;
    if (idle >= WAIT_YIELDS) {
        if (t->at_bell)
            sleep_aside(r, w);
        else
            sleep_at_bell(r, w);
        return;
    }
    int yields = r->crowded || idle >= WAIT_LOOKS || t->in_wait > 1;
    release(r);
    if (yields)
        ops_of(r)->yield();
    acquire(r);
}

/* What a call has noted of itself in the rank is another call's when the lock comes back. */
void mpico_threads_wait(struct rank *r, uint32_t idle, const struct request *q)
{
    struct threads *t = &r->threads;
    struct waiter w = {.request = q, .turns = t->turns, .wait = r->wait};
    const char *call = r->call;
    const void *site = r->call_site;
    uint32_t depth = t->depth;
    int busy_with = r->busy_with;
    list_init(&w.node);
    wake_done(r);
    t->depth = 0;
    t->in_wait++;
    let_others(r, idle, &w);
    t->in_wait--;
    t->depth = depth;
    r->call = call;
    r->call_site = site;
    r->busy_with = busy_with;
}

int mpico_threads_start(struct rank *r)
{
    if (!ops_of(r))
        return -1;
    r->threads.on = 1;
    rank_enter(r, (enum rank_state)r->state);
    return 0;
}

/* ---- A call ---- */

void mpico_lock(struct rank *r)
{
    struct threads *t = &r->threads;
    if (!is_mine(t)) {
        acquire(r);
        if (!t->waiters.next)
            list_init(&t->waiters);
    }
    t->depth++;
}

void mpico_unlock(struct rank *r)
{
    struct threads *t = &r->threads;
    if (!is_mine(t) || --t->depth)
        return;
    if (t->in_wait) {
        wake_done(r);
        wake_for_bell(r);
    }
    release(r);
}
