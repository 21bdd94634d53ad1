/* threads.c: how the threads of one process wait for each other and for packets. */
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

static void threads_yield(void) { sched_yield(); }

/* The bell lies in memory of several processes, the words of threads do not: one kind of futex serves both. In a place without
 * membarrier() a ring may be missed, so that a sleep is a nap. */
enum { NAP_NS = 2000000 };

static void threads_sleep(uint32_t *word, uint32_t seen, int bell)
{
    struct timespec nap = {.tv_nsec = NAP_NS};
    const struct process *p = bell ? rank_self()->port : NULL;
    syscall(SYS_futex, word, FUTEX_WAIT, seen, p && p->no_barrier ? &nap : NULL, NULL, 0);
}

static void threads_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static uint32_t *threads_bell(struct rank *r, uint32_t *seen)
{
    struct process *p = r->port;
    *seen = mpico_process_lie_down(p);
    if (!mpico_process_ready(p))
        return (uint32_t *)(void *)&p->slot->doorbell;
    atomic_store(&p->slot->sleeping, 0);
    return NULL;
}

static void threads_awake(struct rank *r)
{
    struct process *p = r->port;
    atomic_store(&p->slot->sleeping, 0);
}

static void threads_ring(struct rank *r)
{
    struct process *p = r->port;
    mpico_process_ring_bell(p->slot);
}

const struct thread_ops mpico_process_threads = {
    .yield = threads_yield,
    .sleep = threads_sleep,
    .wake = threads_wake,
    .bell = threads_bell,
    .awake = threads_awake,
    .ring = threads_ring,
};
