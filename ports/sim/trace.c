/* trace.c: what a simulated machine adds to a trace: virtual time to the picosecond, and when its links are busy. Looking
 * at this clock moves no other: a traced run takes the same virtual time as one that is not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ports/trace/sink.h"
#include "sim.h"

static uint64_t clock_ps(void)
{
    const struct fiber *f = fiber_self();
    return f ? ((const struct node *)f->port)->clock : sim.engine.now;
}

void sim_trace_rank(struct node *n, struct rank *r) { trace_sink_open(r, n->id, clock_ps, TRACE_PS); }

static void busy(void *context, int link, sim_time from, sim_time to, const struct transfer *t)
{
    (void)context;
    (void)t;
    trace_sink_link(link, from, to);
}

void sim_trace_links(void)
{
    const struct network_watch watch = {.busy = busy};
    char name[TRACE_NAME_BYTES];
    int links = sim.network ? network_links(sim.network) : sim.nodes;
    if (!getenv(TRACE_VARIABLE))
        return;
    if (sim.network)
        network_watch(sim.network, &watch);
    for (int i = 0; i < links; i++) {
        if (sim.network)
            network_link_name(sim.network, i, name, sizeof name);
        else
            snprintf(name, sizeof name, "%d>%d", i, (i + 1) % sim.nodes);
        trace_sink_link_name(i, name);
    }
}
