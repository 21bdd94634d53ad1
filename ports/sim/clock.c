/* clock.c: who pays for what, and when a processor may go on. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "core/progress.h"
#include "sim.h"

/* Half of what sim_time can say, so that sums of a few times stay below its end. */
#define TIME_ENDS (SIM_NEVER / 2)

struct sim sim;

const char *const sim_cost_names[COSTS] = {[COST_CALL] = "call",
                                           [COST_MATCH] = "match",
                                           [COST_STEP] = "step",
                                           [COST_COPY] = "copy",
                                           [COST_REDUCE] = "reduce",
                                           [COST_HEADER] = "header",
                                           [COST_DECODE] = "decode",
                                           [COST_ROUTE] = "route",
                                           [COST_BUFFER] = "buffer",
                                           [COST_INTERRUPT] = "interrupt",
                                           [COST_DMA] = "dma",
                                           [COST_SEGMENT] = "segment",
                                           [COST_JOIN] = "join",
                                           [COST_TOKEN] = "token",
                                           [COST_BLOCKS] = "blocks",
                                           [COST_WAKE] = "wake",
                                           [COST_CRC] = "crc",
                                           [COST_SEND] = "send",
                                           [COST_RECV] = "recv",
                                           [COST_PACKET] = "packet",
                                           [COST_PACKET_BYTE] = "packet_byte",
                                           [COST_PACKET_UNALIGNED] = "packet_unaligned"};

static uint64_t fp(double picoseconds) { return (uint64_t)(picoseconds * 1024 + 0.5); }

void sim_costs_init(void)
{
    const struct description *m = &sim.machine;
    double cycle = 1e12 / m->clock_hz;
    for (int i = 0; i < COSTS; i++)
        sim.cost_fp[i] = fp(m->cost[i] * cycle);
    /* A call takes a nanosecond at least: a program that asks again and again must let time pass. */
    if (sim.cost_fp[COST_CALL] < fp(SIM_NS))
        sim.cost_fp[COST_CALL] = fp(SIM_NS);
    sim.dma_copy_fp = m->dma_channels > 0 ? fp(m->dma_copy_cycles * cycle) : 0;
    sim.flop_ps = cycle / m->flops_per_cycle;
    sim.byte_ps = cycle / m->compute_bytes_per_cycle;
    if (m->network == NETWORK_RING)
        sim.wire_byte_fp = fp(1e12 / m->ring.bytes_per_second);
}

/* ---- Charges ---- */

/* With --host-time the program pays for what the host's processor did between two calls of the library. */
static void host_charge(enum cost what)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (what == COST_CALL && sim.clock)
        *sim.clock += (now - sim.host_ns) * SIM_NS;
    sim.host_ns = now;
}

void mpico_cost(enum cost what, size_t n)
{
    if (sim.host_time)
        host_charge(what);
    if (sim.clock)
        *sim.clock += sim_ps(sim.cost_fp[what], n);
}

int mpico_cost_dma_copy(size_t bytes)
{
    struct node *n = sim.current;
    if (!sim.clock || sim.machine.dma_channels < 1 || bytes < (size_t)sim.machine.dma_copy_min_bytes)
        return 0;
    mpico_cost(COST_DMA, 1);
    sim_time start = n->copies_until > *sim.clock ? n->copies_until : *sim.clock;
    n->copies_until = start + sim_ps(sim.dma_copy_fp, bytes);
    return 1;
}

void mpico_cost_settle(void)
{
    if (sim.clock && sim.current->copies_until > *sim.clock)
        *sim.clock = sim.current->copies_until;
}

/* ---- The rank ---- */

static void enter(struct node *n)
{
    sim.current = n;
    sim.clock = &n->clock;
}

/* The engine has called the rank, or the rank gives way to it. */
static void rank_runs(struct engine *e, struct event *event)
{
    struct node *n = (struct node *)(void *)((char *)event - offsetof(struct node, resume));
    if (n->clock < e->now)
        n->clock = e->now;
    n->state = NODE_RUNS;
    enter(n);
    fiber_resume(n->fiber);
    sim.current = NULL;
    sim.clock = NULL;
    if (n->fiber->ended && n->state != NODE_ENDED) {
        n->state = NODE_ENDED;
        sim.live--;
    }
}

static void leave(struct node *n, enum node_state state)
{
    n->state = state;
    fiber_yield();
    enter(n);
}

void sim_sync(struct node *n)
{
    for (;;) {
        n->clock += n->stolen;
        n->stolen = 0;
        sim_pauses_pay(n);
        if (engine_next(&sim.engine) > n->clock) {
            assert(n->clock >= sim.engine.now);
            sim.engine.now = n->clock; /* nothing happens before: no need to leave */
            return;
        }
        engine_schedule(&sim.engine, &n->resume, n->clock);
        leave(n, NODE_BUSY);
        if (!n->stolen)
            return;
    }
}

void sim_sleep(struct node *n)
{
    sim_sync(n);
    if (n->signal) {
        n->signal = 0;
        return;
    }
    leave(n, NODE_WAITS);
    sim_pauses_wait(n);
    n->signal = 0; /* what handlers took since they woke it, it pays */
}

void sim_wake(struct node *n)
{
    n->signal = 1;
    int breaks = n->state == NODE_COMPUTES && sim.machine.progress != PROGRESS_CALLS;
    if (n->state != NODE_WAITS && !breaks)
        return;
    sim_time at = sim.current == n && sim.clock ? *sim.clock : sim.engine.now;
    if (sim.machine.progress == PROGRESS_INTERRUPTS && n->irq_free > at)
        at = n->irq_free;
    if (n->state == NODE_WAITS)
        n->state = NODE_BUSY;
    else if (n->resume.place && n->resume.at <= at)
        return;
    engine_schedule(&sim.engine, &n->resume, at);
}

/* ---- Interrupts ---- */

static struct interrupt *next_interrupt(struct node *n)
{
    struct interrupt *i = n->irq_first;
    n->irq_first = i->next;
    if (!n->irq_first)
        n->irq_last = &n->irq_first;
    i->pending = 0;
    return i;
}

/* One handler, on the clock of interrupts. A rank that works meanwhile loses the time; one that it wakes, or whose
 * computation it breaks, goes on when the handler is over. */
static void handle(struct node *n, struct interrupt *i)
{
    enum node_state was = n->state;
    n->irq_clock = sim.engine.now;
    sim.current = n;
    sim.clock = &n->irq_clock;
    i->handle(n, i);
    sim.current = NULL;
    sim.clock = NULL;
    n->irq_free = n->irq_clock;
    if (sim.machine.progress != PROGRESS_INTERRUPTS)
        return;
    if (was == NODE_BUSY || was == NODE_COMPUTES)
        n->stolen += n->irq_clock - sim.engine.now;
    if (was != NODE_BUSY && n->resume.place && n->resume.at < n->irq_free)
        engine_schedule(&sim.engine, &n->resume, n->irq_free);
}

static void irq_runs(struct engine *e, struct event *event)
{
    struct node *n = (struct node *)(void *)((char *)event - offsetof(struct node, irq));
    if (!n->irq_first)
        return;
    handle(n, next_interrupt(n));
    if (n->irq_first)
        engine_schedule(e, event, n->irq_free > e->now ? n->irq_free : e->now);
}

/* Where only calls give progress, a handler is a part of the call. */
static int at_calls(const struct node *n)
{
    return sim.machine.progress == PROGRESS_CALLS && n->state != NODE_ENDED && n->fiber->initialized &&
           !n->fiber->finalized;
}

void sim_interrupt(struct node *n, struct interrupt *i)
{
    if (i->pending)
        return;
    i->pending = 1;
    i->next = NULL;
    *n->irq_last = i;
    n->irq_last = &i->next;
    if (at_calls(n))
        sim_wake(n);
    else
        sim_interrupts_run(n);
}

void sim_interrupts_run(struct node *n)
{
    if (n->irq_first && !n->irq.place)
        engine_schedule(&sim.engine, &n->irq, n->irq_free > sim.engine.now ? n->irq_free : sim.engine.now);
}

void sim_interrupts_take(struct node *n)
{
    while (at_calls(n) && n->irq_first) {
        struct interrupt *i = next_interrupt(n);
        i->handle(n, i); /* the rank's clock pays */
        sim_sync(n);
    }
}

/* ---- Computation ---- */

/* What came breaks in where the machine lets it. Returns how far a second processor lets the computation go on meanwhile. */
static sim_time attend(struct node *n, struct rank *r)
{
    if (!r || r->polling || !n->signal || sim.machine.progress == PROGRESS_CALLS)
        return 0;
    n->signal = 0;
    sim_time before = n->clock;
    mpico_progress(r);
    if (sim.machine.progress != PROGRESS_PROCESSOR)
        return 0;
    n->clock = sim.engine.now > before ? sim.engine.now : before; /* the other one has paid, but time has passed */
    return n->clock - before;
}

/* What arrivals and the handlers of interrupts take comes on top. */
static void work(struct node *n, sim_time left)
{
    struct rank *r = n->fiber->initialized && !n->fiber->finalized ? n->fiber->state : NULL;
    sim_sync(n);
    if (n->clock > TIME_ENDS || left > TIME_ENDS - n->clock)
        fiber_end_job(n->fiber, 1,
                      "the time of a simulated machine ends after 106 days: the rank computes or sleeps beyond that");
    while (left) {
        sim_time done = attend(n, r), start = n->clock;
        left = left > done ? left - done : 0;
        if (!left)
            return;
        engine_schedule(&sim.engine, &n->resume, start + left);
        leave(n, NODE_COMPUTES);
        sim_time passed = n->clock - start;
        n->stolen += sim_pauses_take(n);
        left = left + n->stolen > passed ? left + n->stolen - passed : 0;
        n->stolen = 0;
    }
}

/* SIM_NEVER when there is too much. Not in 1024ths: of thousands of millions of operations their rounding would be seen. */
static sim_time time_of(double ps_each, double amount)
{
    double ps = ps_each * amount;
    return ps < 0x1p62 ? (sim_time)(ps + 0.5) : SIM_NEVER;
}

void sim_compute(double flops, double bytes)
{
    struct fiber *f = fiber_self();
    if (!f)
        return;
    sim_time arithmetic = time_of(sim.flop_ps, flops), memory = time_of(sim.byte_ps, bytes);
    work(f->port, arithmetic > SIM_NEVER - memory ? SIM_NEVER : arithmetic + memory);
}

void sim_pass(sim_time duration) { work(fiber_self()->port, duration); }

void sim_node_init(struct node *n, int id)
{
    memset(n, 0, sizeof *n);
    n->id = id;
    n->resume.run = rank_runs;
    n->irq.run = irq_runs;
    n->irq_last = &n->irq_first;
    n->state = NODE_BUSY;
    engine_schedule(&sim.engine, &n->resume, 0);
}
