/* engine.h: virtual time. A queue of events, run one after another in one thread; events of the same instant run
 * in the order in which they were scheduled. Nothing here looks at the host's clock or at an address, so that two
 * runs are alike to the byte. Knows no MPI.
 */
#ifndef MPICO_SIM_ENGINE_H
#define MPICO_SIM_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* Picoseconds: 2^64 of them are 213 days. */
typedef uint64_t sim_time;
#define SIM_NEVER UINT64_MAX
enum { SIM_NS = 1000 };

struct engine;

/* Embedded in what it happens to; the memory is the owner's while the event is queued. Zero it before its first use. */
struct event {
    sim_time at;
    uint64_t order;
    void (*run)(struct engine *, struct event *); /* out of the queue by then: may schedule itself again, or be freed */
    size_t place;                                 /* index in the queue + 1; 0: not queued */
};

/* A place of the queue. `at` stands here too: comparing four neighbours then reads one cache line. */
struct engine_place {
    sim_time at;
    struct event *event;
};

struct engine {
    sim_time now; /* never goes back */
    struct engine_place *queue;
    size_t count, room;
    uint64_t order, events; /* scheduled and run so far */
};

void engine_init(struct engine *);
void engine_fini(struct engine *); /* queued events are forgotten */
/* At `at` (not before now), after all events scheduled for that instant so far. An event that is queued already
 * moves. Ends the program when the host has no memory. */
void engine_schedule(struct engine *, struct event *, sim_time at);
void engine_cancel(struct engine *, struct event *); /* not queued: nothing */
/* When the next event is due; SIM_NEVER when there is none. */
static inline sim_time engine_next(const struct engine *e) { return e->count ? e->queue[0].at : SIM_NEVER; }
/* Run the next event; 0 when there is none. */
int engine_step(struct engine *);

#endif
