/* machine.c: the simulated machine as a port of the library, and as what the runner of fibers runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../arch.h"
#include "mpi.h"
#include "ports/host/reserve.h"
#include "ports/host/settings.h"
#include "sim.h"

enum { WHY_ROOM = 512 };
#define ARENA_ALL ((size_t)1 << 37) /* addresses for the arenas of all ranks; used as touched */
#define ARENA_MIN ((size_t)4 << 20)
#define ARENA_MAX ((size_t)1 << 30)

static int refuse(const char *what, const char *why)
{
    fprintf(stderr, "mpico: %s%s\n", what, why);
    return -1;
}

/* ---- The machine as the library sees it ---- */

static struct node *here(const struct rank *r) { return r->port; }

/* A look at the clock takes a nanosecond at least: a program that waits for a time comes to it, whatever its
 * machine's costs. */
static uint64_t sim_clock(struct fiber *f)
{
    struct node *n = f->port;
    n->clock += SIM_NS;
    sim_pauses_pay(n);
    return n->clock / SIM_NS;
}

static uint64_t sim_now(void)
{
    struct fiber *f = fiber_self();
    return f ? sim_clock(f) : sim.engine.now / SIM_NS;
}

static int sim_start(struct rank *r, int *argc, char ***argv)
{
    struct node *n = fiber_self()->port;
    const char *why;
    (void)argc;
    (void)argv;
    r->port = n;
    if (mpico_rank_place(r, n->id, sim.nodes, sim.arena + (size_t)n->id * sim.arena_bytes, sim.arena_bytes))
        return refuse("MPI_Init: ", "the rank's memory is too small for its tables");
    if (sim.network) {
        sim_parcels_init(n, r);
    } else {
        if (mpico_ring_start(&n->ring, r, n->id, sim.nodes, &n->ports.wire, sim.discipline, &why))
            return refuse("MPI_Init: ", why);
        mpico_rank_attach(r, &n->ring.link, 0, sim.nodes - 1);
    }
    n->fiber->initialized = 1;
    sim_trace_rank(n, r);
    return 0;
}

static void sim_away(struct rank *r, int away)
{
    here(r)->fiber->finalized = (uint8_t)away;
    if (away)
        sim_interrupts_run(here(r));
}

static void sim_stop(struct rank *r)
{
    here(r)->fiber->finalized = 1;
    sim_interrupts_run(here(r));
}

static void sim_wait(struct rank *r, uint32_t idle)
{
    struct node *n = here(r);
    (void)idle;
    if (n->state == NODE_EXPLAINS)
        mpico_note_fill(r);
    sim_sleep(n);
}

static __attribute__((noreturn)) void sim_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    fiber_end_job(fiber_self(), code, why);
}

static void sim_say(struct rank *r, const char *line) { fprintf(stderr, "mpico: rank %d: %s\n", r->world_rank, line); }

static const char *sim_processor(struct rank *r)
{
    static char name[80]; /* one for all: a machine has one name */
    (void)r;
    snprintf(name, sizeof name, "%s", sim.machine.name);
    return name;
}

/* Along each axis of a mesh, from coordinate to coordinate; where a torus closes it, the shorter way round. */
static int mesh_hops(const struct mesh_description *d, int from, int to)
{
    int hops = 0;
    for (int axis = 0; axis < d->axes; axis++) {
        int extent = d->extent[axis], way = abs(from % extent - to % extent);
        hops += d->torus && extent - way < way ? extent - way : way;
        from /= extent;
        to /= extent;
    }
    return hops;
}

static int sim_hops(struct rank *r, int from, int to)
{
    (void)r;
    if (sim.machine.network == NETWORK_RING) /* its wires lead to the right */
        return (to - from + sim.nodes) % sim.nodes;
    return sim.machine.network == NETWORK_MESH ? mesh_hops(&sim.machine.mesh, from, to) : from != to;
}

const struct machine mpico_machine = {
    .name = "sim",
    .arch = MPICO_ARCH,
    .start = sim_start,
    .settings = mpico_settings_read,
    .model = mpico_settings_model,
    .away = sim_away,
    .stop = sim_stop,
    .now = sim_now,
    .wait = sim_wait,
    .halt = sim_halt,
    .say = sim_say,
    .processor = sim_processor,
    .where = fiber_where,
    .compute = sim_compute,
    .hops = sim_hops,
};

/* ---- The machine as the runner sees it ---- */

/* Blocks, a control byte each, and the alignment between: one piece of a power of two, which touches little. */
static size_t arena_bytes(size_t blocks) { return (blocks * (HEAP_BLOCK + 1) + HEAP_BLOCK + 4095) / 4096 * 4096; }

/* Under a limit (ulimit -v) the ranks take less each, and leave the program its part. */
static int arena_make(int ranks)
{
    size_t blocks = ARENA_MAX / HEAP_BLOCK, least = ARENA_MIN / HEAP_BLOCK, all;
    while (blocks > least && blocks * HEAP_BLOCK * (size_t)ranks > ARENA_ALL)
        blocks /= 2;
    all = arena_bytes(blocks) * (size_t)ranks;
    sim.arena = mpico_reserve(all, 0);
    while (!sim.arena && blocks > least) {
        blocks /= 2;
        all = arena_bytes(blocks) * (size_t)ranks;
        sim.arena = mpico_reserve(all, all);
    }
    sim.arena_bytes = arena_bytes(blocks);
    return sim.arena ? 0 : refuse("", "no address space for the memory of the ranks");
}

static int network_make(int ranks)
{
    char why[WHY_ROOM];
    if (sim.machine.network == NETWORK_RING) {
        const char *no = mpico_ring_refuse(sim.discipline, ranks, sim.machine.ring.reliable);
        if (no) {
            fprintf(stderr, "mpico: %s: %d ranks, discipline '%s': %s\n", sim.machine.path, ranks, sim.discipline, no);
            return -1;
        }
        return 0;
    }
    sim.network = network_alloc(&sim.engine, &sim.machine, ranks, why, sizeof why);
    if (!sim.network)
        return refuse("", why);
    sim_software_init();
    return 0;
}

static int sim_open(struct fiber_job *job)
{
    char why[WHY_ROOM];
    const struct fiber_options *o = &job->options;
    if (description_read(&sim.machine, o->machine, sim_cost_names, COSTS, why, sizeof why) ||
        description_fits(&sim.machine, job->ranks, why, sizeof why))
        return refuse("", why);
    if (o->discipline && sim.machine.network != NETWORK_RING)
        return refuse(sim.machine.path, ": --discipline is for rings, and its network is none");
    sim.discipline = o->discipline ? o->discipline : sim.machine.ring.discipline;
    sim.nodes = sim.live = job->ranks;
    sim.job = job;
    sim.host_time = o->host_time;
    engine_init(&sim.engine);
    sim_costs_init();
    if (network_make(job->ranks) || arena_make(job->ranks))
        return -1;
    sim.node = mmap(NULL, (size_t)job->ranks * sizeof *sim.node, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return sim.node == MAP_FAILED ? refuse("", "no memory for the nodes") : 0;
}

/* Nothing will ever happen: let each rank that waits note what it waits for. */
static void explain(void)
{
    for (int i = 0; i < sim.nodes; i++) {
        struct node *n = &sim.node[i];
        if (n->state != NODE_WAITS)
            continue;
        n->state = NODE_EXPLAINS;
        fiber_resume(n->fiber);
    }
}

static int sim_run(struct fiber_job *job)
{
    for (int i = 0; i < job->ranks; i++) {
        struct node *n = &sim.node[i];
        sim_node_init(n, i);
        n->fiber = &job->fiber[i];
        job->fiber[i].port = n;
        if (!sim.network)
            sim_wire_init(n);
    }
    sim_trace_links();
    while (sim.live > 0 && engine_step(&sim.engine))
        continue;
    if (sim.live > 0) {
        explain();
        fiber_report(job, "no message is under way and every rank waits: the job can never end");
        return 1;
    }
    int status = 0;
    for (int i = 0; i < job->ranks && !status; i++)
        status = job->fiber[i].exit_code;
    return status;
}

/* --describe FILE: the machine as JSON; --show FILE: for people; --describe-schema: what a file may say. */
static int sim_command(int argc, char **argv)
{
    static struct description d;
    char why[WHY_ROOM];
    if (strcmp(argv[1], "--describe-schema") == 0) {
        description_schema(sim_cost_names, COSTS, stdout);
        fflush(stdout);
        return 0;
    }
    int json = strcmp(argv[1], "--describe") == 0;
    if ((!json && strcmp(argv[1], "--show") != 0) || argc < 3)
        return -1;
    if (description_read(&d, argv[2], sim_cost_names, COSTS, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    (json ? description_json : description_show)(&d, sim_cost_names, COSTS, stdout);
    fflush(stdout);
    return 0;
}

static void sim_nap(struct fiber *f, uint64_t ns)
{
    (void)f;
    sim_pass(ns < SIM_NEVER / SIM_NS ? ns * SIM_NS : SIM_NEVER);
}

const struct fiber_port mpico_fiber_port = {
    .name = "sim", .open = sim_open, .run = sim_run, .clock = sim_clock, .sleep = sim_nap, .command = sim_command};
