/* fiber_port.h: what the two files of the port of fibers share: link.c moves packets, machine.c says who runs.
 *
 * Ranks are dealt to threads in blocks, since neighbours in rank talk to each other most. A seat is a rank as the
 * scheduler sees it. Invariant: a seat is in exactly one of these states: running, in its crew's queue, or blocked;
 * `rung` is set after whatever it may wait for has happened, and it blocks only after having seen it clear.
 */
#ifndef MPICO_FIBER_FIBER_PORT_H
#define MPICO_FIBER_FIBER_PORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rank.h"
#include "fiber.h"
#include "port.h"

enum { INBOX_BYTES = 64 * 1024, INBOX_MTU = 8 * 1024, INBOX_STUCK = 16, LINE_BYTES = 64 };

struct record; /* link.c */

/* Packets on their way to one rank: records one behind the other in a ring. */
struct inbox {
    char *ring;         /* INBOX_BYTES; pages cost memory when first touched */
    uint64_t *refused;  /* one bit a rank: it found no room */
    uint32_t head, len; /* the oldest record; bytes from there on */
    int any_refused;
    struct record *reserved; /* between reserve() and commit() */
    pthread_mutex_t lock;    /* taken only when there are several threads */
};

enum seat_state { SEAT_READY, SEAT_RUNNING, SEAT_BLOCKED };

struct seat {
    struct link link; /* first: a struct link * of this port is a struct seat * */
    struct fiber *fiber;
    struct crew *crew;
    struct seat *next; /* in the crew's queue */
    uint8_t state;     /* under the crew's lock */
    _Atomic uint8_t rung;
    uint8_t empty_polls; /* in a row, without a wait between them */
    uint8_t busy_polls;  /* that found something, modulo 256 */
    uint32_t explained;  /* the round of explanations in which it filled its note */
    struct inbox inbox;
};

/* A thread and its ranks. */
struct crew {
    _Alignas(LINE_BYTES) pthread_mutex_t lock;
    pthread_cond_t work;
    struct seat *first, *last; /* those that can run, oldest first */
    int idle;                  /* waits for `work`; counted in mpico_crews.idle */
    int live;                  /* fibers that have not ended */
    int cpu;                   /* to run on; -1: anywhere */
};

struct crews {
    struct seat *seat;
    struct crew *crew;
    int seats, threads;
    _Atomic int idle, live; /* threads without work; fibers that have not ended */
    _Atomic int explain_wanted;
    _Atomic uint32_t explain; /* rounds of explanations so far */
};
extern struct crews mpico_crews;

extern const struct link_ops mpico_fiber_link_ops;
/* Memory of all inboxes. 0 or negative. */
int mpico_fiber_link_open(int ranks);
/* Make a seat run that may wait. Any thread. */
void mpico_fiber_ring(struct seat *);
/* Let the other fibers of this thread run; this one stays ready. */
void mpico_fiber_pass(struct seat *);

static inline int several_threads(void) { return mpico_crews.threads > 1; }

/* Before looking at what one may have been rung for. */
static inline void mpico_fiber_hear(struct seat *s)
{
    if (several_threads())
        atomic_exchange(&s->rung, 0); /* in the order of the ringers' exchanges: what they did before is seen */
    else
        atomic_store_explicit(&s->rung, 0, memory_order_relaxed);
}

#endif
