/* copy.c: long messages in one copy, by process_vm_readv(). One CPU copies at the speed of one CPU; the
 * sender is usually waiting in MPI as well, so the receiver offers it the second half and pulls the first.
 * Whoever changes the offer's state from OPEN first has the part: a sender that computes is not waited for.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/uio.h>

#include "process.h"

enum {
    PATIENCE = 10000 /* looks at the helper before yielding to it */
};

typedef ssize_t vm_call(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);

/* 0; ENODATA: nothing moved; or what the kernel says. */
static int copy_all(vm_call *call, pid_t pid, void *local, uint64_t remote, size_t len)
{
    for (size_t at = 0; at < len;) {
        struct iovec here = {(char *)local + at, len - at}, there = {(char *)(uintptr_t)remote + at, len - at};
        ssize_t n = call(pid, &here, 1, &there, 1, 0);
        if (n <= 0)
            return n < 0 ? errno : ENODATA;
        at += (size_t)n;
    }
    return 0;
}

static pid_t pid_of(const struct process *p, int rank)
{
    return (pid_t)atomic_load_explicit(&job_slot(p->job, (uint32_t)rank)->pid, memory_order_relaxed);
}

void mpico_process_help(struct process *p, int source)
{
    struct offer *o = &p->in[source].ring->offer;
    uint32_t open = OFFER_OPEN;
    if (!atomic_compare_exchange_strong(&o->state, &open, OFFER_TAKEN))
        return;
    void *from = (void *)(uintptr_t)o->from;
    int e = copy_all(process_vm_writev, pid_of(p, source), from, o->to, o->len);
    atomic_store_explicit(&o->state, e ? OFFER_FAILED : OFFER_DONE, memory_order_release);
}

/* 1 when the helper has copied the part. 0: it has not, and will not. */
static int helped(struct offer *o)
{
    uint32_t state = OFFER_OPEN;
    if (atomic_compare_exchange_strong(&o->state, &state, OFFER_NONE))
        return 0;
    for (int looks = 0; (state = atomic_load_explicit(&o->state, memory_order_acquire)) == OFFER_TAKEN;)
        if (looks < PATIENCE)
            looks++;
        else
            sched_yield();
    atomic_store_explicit(&o->state, OFFER_NONE, memory_order_relaxed);
    return state == OFFER_DONE;
}

static int get_shared(struct process *p, int source, char *local, uint64_t remote, size_t len)
{
    struct offer *o = &p->out[source].ring->offer;
    size_t half = (len / 2 + 4095) & ~(size_t)4095;
    o->from = remote + half;
    o->to = (uint64_t)(uintptr_t)local + half;
    o->len = len - half;
    atomic_store_explicit(&o->state, OFFER_OPEN, memory_order_release);
    mpico_process_nudge(p, source); /* no room: nobody comes, and we copy all of it */
    int e = copy_all(process_vm_readv, pid_of(p, source), local, remote, half);
    if (helped(o) || e)
        return e;
    return copy_all(process_vm_readv, pid_of(p, source), local + half, remote + half, len - half);
}

/* Such a failure is every message's; another one is its buffers', which packets reach where the program does. */
static int is_forbidden(int e) { return e == EPERM || e == EACCES || e == ENOSYS; }

int mpico_process_get(struct link *link, int source, void *local, uint64_t remote, size_t len)
{
    struct process *p = (struct process *)link;
    if (p->refused)
        return -1;
    if (source == link->rank->world_rank) {
        memmove(local, (const void *)(uintptr_t)remote, len);
        return 0;
    }
    int e = len >= SHARE_MIN_BYTES && !link->rank->crowded
                ? get_shared(p, source, local, remote, len)
                : copy_all(process_vm_readv, pid_of(p, source), local, remote, len);
    p->refused = is_forbidden(e);
    return e ? -1 : 0;
}
