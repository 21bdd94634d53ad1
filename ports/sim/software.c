/* software.c: what the software of a node takes for a packet that it puts into the network or takes out of it, and what the
 * operating system takes from the processor now and then (table [pauses]).
 *
 * With a second processor for messages, packets are handled beside the rank, those that go and those that come beside each
 * other; without one, each is an interrupt of the only processor. Pauses are of the whole node: while its operating system does
 * something else, packets wait too.
 */
#include "parcel.h"

#define US_PS ((uint64_t)1000 * SIM_NS)

/* The first pause of that kind on that node: a fraction of the period, spread by the golden ratio. */
static sim_time phase(int node, int kind)
{
    uint64_t fraction = (uint64_t)(node + 1) * 0x9E3779B97F4A7C15u + (uint64_t)kind * 0x6A09E667F3BCC909u;
    uint64_t period = (uint64_t)sim.machine.pauses.period_us[kind] * US_PS;
    return (sim_time)((unsigned __int128)period * fraction >> 64);
}

/* How many of them have begun at `t`. */
static uint64_t begun(int node, int kind, sim_time t)
{
    sim_time first = phase(node, kind);
    return t < first ? 0 : (t - first) / ((uint64_t)sim.machine.pauses.period_us[kind] * US_PS) + 1;
}

static sim_time between(int node, sim_time after, sim_time until)
{
    sim_time sum = 0;
    for (int k = 0; k < sim.machine.pauses.kinds && after < until; k++)
        sum += (begun(node, k, until) - begun(node, k, after)) * (uint64_t)sim.machine.pauses.length_us[k] * US_PS;
    return sum;
}

sim_time sim_pauses_end(const struct node *n, sim_time t)
{
    const struct pauses_description *p = &sim.machine.pauses;
    for (int k = 0; k < p->kinds; k++) {
        uint64_t count = begun(n->id, k, t);
        if (!count)
            continue;
        sim_time end =
            phase(n->id, k) + (count - 1) * (uint64_t)p->period_us[k] * US_PS + (uint64_t)p->length_us[k] * US_PS;
        if (end > t) {
            t = end;
            k = -1; /* another kind may have begun meanwhile */
        }
    }
    return t;
}

/* The first pause after `t`. */
static sim_time next_after(int node, sim_time t)
{
    sim_time next = SIM_NEVER;
    for (int k = 0; k < sim.machine.pauses.kinds; k++) {
        uint64_t period = (uint64_t)sim.machine.pauses.period_us[k] * US_PS;
        sim_time at = phase(node, k) + begun(node, k, t) * period;
        next = at < next ? at : next;
    }
    return next;
}

static void paid_until(struct node *n, sim_time t)
{
    n->paused_until = t;
    n->pause_next = next_after(n->id, t);
}

sim_time sim_pauses_take(struct node *n)
{
    if (!sim.machine.pauses.kinds || n->clock < n->pause_next || n->clock <= n->paused_until)
        return 0;
    sim_time taken = between(n->id, n->paused_until, n->clock);
    paid_until(n, n->clock);
    return taken;
}

void sim_pauses_pay(struct node *n)
{
    for (sim_time taken; (taken = sim_pauses_take(n));)
        n->clock += taken;
}

void sim_pauses_wait(struct node *n)
{
    if (!sim.machine.pauses.kinds)
        return;
    n->clock = sim_pauses_end(n, n->clock);
    paid_until(n, n->clock);
}

/* The rank, which works or waits, has its processor back at `until`. */
static void take_from_rank(struct node *n, sim_time taken, sim_time until)
{
    if (n->state == NODE_BUSY || n->state == NODE_COMPUTES)
        n->stolen += taken;
    if (n->state != NODE_BUSY && n->resume.place && n->resume.at < until)
        engine_schedule(&sim.engine, &n->resume, until);
}

static sim_time packet_takes(const struct parcel *p, size_t bytes, int out)
{
    sim_time takes = sim_ps(sim.cost_fp[COST_PACKET], 1) + sim_ps(sim.cost_fp[COST_PACKET_BYTE], bytes);
    return out && p->unaligned ? takes + sim_ps(sim.cost_fp[COST_PACKET_UNALIGNED], 1) : takes;
}

static sim_time handled(void *context, const struct transfer *t, size_t bytes, int out)
{
    struct node *n = &sim.node[out ? t->from : t->to];
    sim_time now = sim.engine.now, takes = packet_takes(t->owner, bytes, out);
    (void)context;
    if (sim.machine.progress == PROGRESS_PROCESSOR) {
        sim_time start = sim_pauses_end(n, now), end = start + takes;
        return end + between(n->id, start, end);
    }
    takes += sim_ps(sim.cost_fp[COST_INTERRUPT], 1);
    n->irq_free = sim_pauses_end(n, n->irq_free > now ? n->irq_free : now) + takes;
    take_from_rank(n, takes, n->irq_free);
    return n->irq_free;
}

void sim_software_init(void)
{
    const struct network_software s = {.handled = handled};
    const double *cost = sim.machine.cost;
    if (cost[COST_PACKET] > 0 || cost[COST_PACKET_BYTE] > 0 || cost[COST_PACKET_UNALIGNED] > 0)
        network_handle(sim.network, &s);
}
