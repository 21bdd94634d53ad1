/* network_kind.h: what a kind of network offers to network.c, and the clock that such kinds share. Private to sim/.
 * A kind embeds struct network as its first member; network.c fills that member after alloc and before send.
 */
#ifndef MPICO_SIM_NETWORK_KIND_H
#define MPICO_SIM_NETWORK_KIND_H

#include "network.h"

struct network_ops {
    /* Memory for `nodes` nodes, at least one; NULL with the reason in `why`. May use the engine, not struct network. */
    struct network *(*alloc)(struct engine *, const struct description *, int nodes, char *why, size_t room);
    void (*free)(struct network *); /* its own events leave the queue; those of transfers on their way must not run */
    void (*send)(struct network *, struct transfer *); /* from != to, both are nodes; see network_send() */
    int (*links)(const struct network *);
    void (*link_name)(const struct network *, int link, char *text, size_t room);
};

struct network {
    const struct network_ops *ops;
    struct engine *engine;
    int nodes;
    struct network_watch watch;       /* busy is NULL: nobody looks */
    struct network_software software; /* handled is NULL: interfaces do it alone, in no time */
};

extern const struct network_ops network_mesh_ops, network_crossbar_ops, network_loggp_ops;

static inline void network_busy(const struct network *n, int link, sim_time from, sim_time to, const struct transfer *t)
{
    if (n->watch.busy)
        n->watch.busy(n->watch.context, link, from, to, t);
}

/* A clock of so many hertz: cycle c begins at clock_time(c), rounded down from a period that is exact to 2^-32 ps. */
struct clock {
    uint64_t period; /* picoseconds * 2^32: above 233 Hz */
};

static inline struct clock clock_of(double hz) { return (struct clock){(uint64_t)(1e12 / hz * 4294967296.0 + 0.5)}; }

static inline sim_time clock_time(struct clock c, uint64_t cycle)
{
    return (sim_time)((unsigned __int128)cycle * c.period >> 32);
}

/* The first cycle that begins at `at` or later. */
static inline uint64_t clock_cycle(struct clock c, sim_time at)
{
    uint64_t cycle = (uint64_t)(((unsigned __int128)at << 32) / c.period);
    while (clock_time(c, cycle) < at)
        cycle++;
    return cycle;
}

#endif
