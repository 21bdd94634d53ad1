/* sim.h: the described machine with the library's ranks on it.
 *
 * Each rank is a fiber on a node. A node's processor has a clock of its own, which runs ahead of the engine's while
 * the rank works (every charge moves it); before the rank looks at, or touches, anything that others see, it waits until
 * the engine has come to that time (sim_sync). So the order of events is that of virtual time, whatever the host does.
 * Interrupts take the processor from the rank: what they cost is added to the rank's clock.
 */
#ifndef MPICO_SIM_H
#define MPICO_SIM_H

#include "core/rank.h"
#include "cost.h"
#include "net/ring.h"
#include "ports/fiber/fiber.h"
#include "sim/description.h"
#include "sim/engine.h"
#include "sim/network.h"

struct node;

/* A reason to interrupt a node's processor. */
struct interrupt {
    struct interrupt *next;
    void (*handle)(struct node *, struct interrupt *);
    int pending;
};

struct send {
    const uint8_t *bytes;
    size_t len;
    sim_time at; /* the processor had programmed it */
};

/* Two link ports: out to the right neighbour, in from the left (wire.c). */
struct ports {
    struct wire wire;
    const uint8_t *out;
    size_t out_left; /* bytes of the send under way; 0: none */
    uint8_t *in;
    size_t in_len, in_got, in_chunk, in_told; /* in_len 0: not armed */
    size_t moving;                            /* bytes on the wire to the right */
    struct event start_out, start_in, move, alarm;
    const uint8_t *chained; /* follows it */
    size_t chained_len;
    struct send programmed[WIRE_SENDS]; /* not started yet */
    int programmed_count;
    int sent_count;   /* interrupts for which nobody has been called */
    uint8_t *next_in; /* programmed, starts with the event */
    size_t next_in_len, next_in_chunk;
    struct interrupt sent, received, alarmed;
    size_t received_so_far;
    uint64_t noise; /* state of the generator of damage */
    sim_time moved_from;
};

/* A packet between nodes of a network that delivers by itself (link.c). */
struct parcel;
struct loan;
struct stream_out;
struct stream_in;
struct parcels {
    struct link link;
    struct parcel *first, **last; /* arrived, in order */
    struct parcel *filling;       /* between reserve() and commit() */
    int under_way;                /* sent and not yet injected */
    int starved;
    /* system.c: loans that are over, messages under way to and from here, and the one whose first piece is with the library. */
    struct loan *returned;
    struct stream_out *streams_out;
    struct stream_in *streams_in, *beginning;
};

/* RUNS: its code is being executed now; BUSY: until the engine comes to its clock; COMPUTES: within mpico_compute();
 * EXPLAINS: nothing will come, it only notes what it waits for. */
enum node_state { NODE_RUNS, NODE_BUSY, NODE_COMPUTES, NODE_WAITS, NODE_EXPLAINS, NODE_ENDED };

struct node {
    int id;
    struct fiber *fiber;
    enum node_state state;
    int signal;                   /* something came since the rank last looked */
    sim_time clock;               /* of the rank */
    sim_time irq_clock, irq_free; /* of the handler that runs; when the last one was over */
    sim_time stolen;              /* by handlers from the rank since it last looked */
    sim_time paused_until;        /* up to here, at least, the rank has paid for pauses */
    sim_time pause_next;          /* begins after that */
    sim_time copies_until;        /* when its DMA copies are finished */
    struct event resume, irq;
    struct interrupt *irq_first, **irq_last;
    struct ports ports;
    struct ring ring;
    struct parcels parcels;
};

struct sim {
    struct engine engine;
    struct description machine;
    const char *discipline;
    struct network *network; /* NULL: ring */
    struct node *node;
    int nodes, live;
    struct fiber_job *job;
    struct node *current;    /* whose processor pays */
    sim_time *clock;         /* and its clock: the rank's or the handler's */
    uint64_t cost_fp[COSTS]; /* picoseconds of one operation, times 1024 */
    uint64_t dma_copy_fp;
    double flop_ps, byte_ps; /* of what programs declare */
    uint64_t wire_byte_fp;
    char *arena;
    size_t arena_bytes; /* of one rank */
    int host_time;
    uint64_t host_ns; /* host clock when the rank last left the library */
};
extern struct sim sim;

extern const char *const sim_cost_names[COSTS];

static inline sim_time sim_ps(uint64_t fp, size_t n) { return (sim_time)(((__uint128_t)fp * n) >> 10); }

/* ---- clock.c ---- */
void sim_costs_init(void);
/* The rank waits until the engine has come to its clock, and has paid for the interrupts meanwhile. On its fiber. */
void sim_sync(struct node *);
/* The rank sleeps until sim_wake(). On its fiber. */
void sim_sleep(struct node *);
void sim_wake(struct node *);
/* Interrupt the processor of `node` now. Engine context. */
void sim_interrupt(struct node *, struct interrupt *);
/* Machines without interrupts: what waits is handled by the rank when it looks at its links. On its fiber. */
void sim_interrupts_take(struct node *);
/* What waits is handled without the rank, which has left the library. */
void sim_interrupts_run(struct node *);
void sim_node_init(struct node *, int id);
void sim_compute(double flops, double bytes);
void sim_pass(sim_time duration); /* the running rank does something else for so long */

/* ---- wire.c ---- */
void sim_wire_init(struct node *);
/* ---- link.c ---- */
void sim_parcels_init(struct node *, struct rank *);
/* ---- software.c ---- */
/* The network shows its packets to the software of nodes, where that costs anything. */
void sim_software_init(void);
/* When a processor that is asked for at `t` is there: pauses that have begun are over. */
sim_time sim_pauses_end(const struct node *, sim_time t);
/* Pauses of what the rank has done up to its clock, which it has not paid for: how long; and its clock moves by that. */
sim_time sim_pauses_take(struct node *);
void sim_pauses_pay(struct node *);
/* The rank has waited up to its clock: of pauses, what is left of one takes its time. */
void sim_pauses_wait(struct node *);
/* ---- trace.c: nothing unless the job is traced ---- */
/* After the rank's links are attached. */
void sim_trace_rank(struct node *, struct rank *);
/* Before the first event. */
void sim_trace_links(void);

#endif
