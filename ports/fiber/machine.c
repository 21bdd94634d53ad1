/* machine.c: ranks as fibers in real time. Each thread runs those of its fibers that can run, in the order in
 * which they became able to. A fiber that waits leaves the queue at once; nothing spins. When no fiber of any
 * thread can run, nothing will ever come: every waiting rank is asked to note what it waits for, and the job ends
 * with the report.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../arch.h"
#include "../host/reserve.h"
#include "../host/settings.h"
#include "../trace/sink.h"
#include "fiber_port.h"

enum {
    SPINS = 1000,     /* pauses, some 20 to 50 us */
    EAGER_MOST = 4096 /* bytes: up to here two copies are cheaper than two more switches */
};
/* Reserved addresses: as many as are to be had. A page costs memory when first touched. */
#define ARENA_MOST_BYTES ((size_t)4 << 30)
#define ARENA_LEAST_BYTES ((size_t)1 << 20)
#define ARENAS_BYTES ((size_t)8 << 40)

struct crews mpico_crews;
static char *arenas;
static size_t arena_bytes;

/* ---- Threads ---- */

static void append(struct crew *c, struct seat *s)
{
    s->state = SEAT_READY;
    s->next = NULL;
    if (c->first)
        c->last->next = s;
    else
        c->first = s;
    c->last = s;
}

static void lock(struct crew *c)
{
    if (several_threads())
        pthread_mutex_lock(&c->lock);
}

static void unlock(struct crew *c)
{
    if (several_threads())
        pthread_mutex_unlock(&c->lock);
}

/* The waker counts the sleeper as awake, so that it is not thought idle until it has run. */
static void stir(struct crew *c)
{
    if (!c->idle)
        return;
    c->idle = 0;
    atomic_fetch_sub(&mpico_crews.idle, 1);
    pthread_cond_signal(&c->work);
}

void mpico_fiber_ring(struct seat *s)
{
    if (!several_threads()) {
        atomic_store_explicit(&s->rung, 1, memory_order_relaxed);
        if (s->state == SEAT_BLOCKED)
            append(s->crew, s);
        return;
    }
    if (atomic_exchange(&s->rung, 1))
        return; /* whoever set it sees to it */
    lock(s->crew);
    if (s->state == SEAT_BLOCKED) {
        append(s->crew, s);
        stir(s->crew);
    }
    unlock(s->crew);
}

void mpico_fiber_pass(struct seat *s)
{
    lock(s->crew);
    append(s->crew, s);
    unlock(s->crew);
    fiber_yield();
}

/* ---- The library's machine ---- */

static struct seat *seat_of(struct rank *r) { return r->port; }

static uint64_t fiber_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int fiber_start(struct rank *r, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct fiber *f = fiber_self();
    if (!f) {
        fprintf(stderr, "mpico: MPI_Init: only a rank may call it, not a thread of its own\n");
        return -1;
    }
    struct seat *s = f->port;
    if (mpico_rank_place(r, f->rank, mpico_crews.seats, arenas + arena_bytes * (size_t)f->rank, arena_bytes)) {
        fprintf(stderr, "mpico: MPI_Init: no memory for the rank\n");
        return -1;
    }
    s->link = (struct link){
        .ops = &mpico_fiber_link_ops, .mtu = INBOX_MTU, .eager_max_bytes = EAGER_MOST, .get_min_bytes = EAGER_MOST};
    mpico_rank_attach(r, &s->link, 0, mpico_crews.seats - 1);
    r->port = s;
    r->crowded = 1;
    f->initialized = 1;
    trace_sink_open(r, f->rank, fiber_now, TRACE_NS);
    return 0;
}

static void fiber_away(struct rank *r, int away) { seat_of(r)->fiber->finalized = (uint8_t)away; }
static void fiber_stop(struct rank *r) { seat_of(r)->fiber->finalized = 1; }

/* The note is filled only when it is wanted: most sleeps are as short as a switch to another fiber and back. */
static void explain_if_asked(struct rank *r, struct seat *s)
{
    uint32_t round = atomic_load_explicit(&mpico_crews.explain, memory_order_relaxed);
    if (__builtin_expect(s->explained == round, 1))
        return;
    s->explained = round;
    mpico_note_fill(r);
}

static void fiber_wait(struct rank *r, uint32_t idle)
{
    struct seat *s = seat_of(r);
    (void)idle;
    s->empty_polls = 0;
    explain_if_asked(r, s);
    if (atomic_load_explicit(&s->rung, memory_order_relaxed))
        return;
    lock(s->crew);
    int block = !atomic_load(&s->rung);
    if (block)
        s->state = SEAT_BLOCKED; /* who rings us from now on queues us; our own thread, which is here, runs the queue */
    unlock(s->crew);
    if (block)
        fiber_yield();
}

static __attribute__((noreturn)) void fiber_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    fiber_end_job(fiber_self(), code, why);
}

static void fiber_say(struct rank *r, const char *line)
{
    fprintf(stderr, "mpico: rank %d: %s\n", r->world_rank, line);
}

static const char *fiber_processor(struct rank *r)
{
    static char host[65];
    (void)r;
    if (!host[0] && gethostname(host, sizeof host - 1))
        strcpy(host, "localhost");
    return host;
}

/* All ranks are in one address space: a name is an address. */
static void *fiber_share(struct rank *r, uint64_t *name, size_t bytes)
{
    (void)r;
    if (*name)
        return (void *)(uintptr_t)*name;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    *name = (uint64_t)(uintptr_t)memory;
    return memory;
}

static void fiber_unshare(struct rank *r, void *memory, uint64_t name, size_t bytes, int last)
{
    (void)r, (void)name;
    if (last)
        munmap(memory, bytes);
}

const struct machine mpico_machine = {
    .name = "fiber",
    .arch = MPICO_ARCH,
    .start = fiber_start,
    .settings = mpico_settings_read,
    .model = mpico_settings_model,
    .away = fiber_away,
    .stop = fiber_stop,
    .now = fiber_now,
    .wait = fiber_wait,
    .halt = fiber_halt,
    .say = fiber_say,
    .processor = fiber_processor,
    .one_host = 1,
    .share = fiber_share,
    .unshare = fiber_unshare,
    .where = fiber_where,
};

/* ---- Hangs ---- */

static void explain(void)
{
    atomic_fetch_add(&mpico_crews.explain, 1);
    for (int i = 0; i < mpico_crews.seats; i++)
        mpico_fiber_ring(&mpico_crews.seat[i]);
}

/* From the watchdog. A sole thread takes no locks, so it must do it itself; it comes by, unless one rank keeps it. */
static void explain_soon(struct fiber_job *job)
{
    (void)job;
    if (several_threads())
        explain();
    else
        atomic_store(&mpico_crews.explain_wanted, 1);
}

/* Nobody will ever be rung again. The first time the ranks are asked why; the second time they have answered. */
static void nothing_can_run(void)
{
    static int asked;
    if (!asked) {
        asked = 1;
        explain();
        return;
    }
    fiber_flush();
    fiber_report(fiber_job, "deadlock: every rank waits for another");
    fiber_end_job(NULL, 1, NULL);
}

/* ---- Running ---- */

static inline void pause_cpu(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("isb");
#endif
}

/* The crew's lock is held, and nobody of it can run; a crew whose fibers have all ended stays idle for ever. */
static void rest(struct crew *c)
{
    if (!c->idle) {
        c->idle = 1;
        if (atomic_fetch_add(&mpico_crews.idle, 1) + 1 == mpico_crews.threads) {
            unlock(c);
            if (atomic_load(&mpico_crews.live))
                nothing_can_run();
            lock(c);
        }
    }
    if (!c->first && c->live)
        pthread_cond_wait(&c->work, &c->lock);
}

/* Before it sleeps, a thread with a CPU of its own looks for about as long as waking it would cost. */
static void look_for_work(const struct crew *c)
{
    for (int i = 0; c->cpu >= 0 && i < SPINS && !__atomic_load_n(&c->first, __ATOMIC_RELAXED); i++)
        pause_cpu();
}

/* The next that can run; NULL when all fibers of this thread have ended. */
static struct seat *next_seat(struct crew *c)
{
    if (several_threads() && !c->first && c->live)
        look_for_work(c);
    lock(c);
    while (!c->first && c->live) {
        if (several_threads())
            rest(c);
        else
            nothing_can_run();
    }
    struct seat *s = c->first;
    if (s) {
        c->first = s->next;
        s->state = SEAT_RUNNING;
    } else if (several_threads()) {
        rest(c);
    }
    unlock(c);
    return s;
}

static void *work(void *crew)
{
    struct crew *c = crew;
    if (c->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)c->cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    for (struct seat *s; (s = next_seat(c));) {
        if (__builtin_expect(atomic_load_explicit(&mpico_crews.explain_wanted, memory_order_relaxed), 0) &&
            atomic_exchange(&mpico_crews.explain_wanted, 0))
            explain();
        fiber_resume(s->fiber);
        if (s->fiber->ended) {
            c->live--;
            atomic_fetch_sub(&mpico_crews.live, 1);
        }
    }
    return NULL;
}

/* One CPU a thread, while there are so many: fibers do not move, so their threads should not either. */
static void choose_cpus(void)
{
    cpu_set_t set;
    int known = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) >= mpico_crews.threads;
    for (int i = 0, cpu = 0; i < mpico_crews.threads; i++) {
        while (known && !CPU_ISSET((size_t)cpu, &set))
            cpu++;
        mpico_crews.crew[i].cpu = known && several_threads() ? cpu++ : -1;
    }
}

static void seat_ranks(struct fiber_job *job)
{
    for (int i = 0; i < mpico_crews.threads; i++) {
        struct crew *c = &mpico_crews.crew[i];
        pthread_mutex_init(&c->lock, NULL);
        pthread_cond_init(&c->work, NULL);
    }
    for (int i = 0; i < job->ranks; i++) {
        struct seat *s = &mpico_crews.seat[i];
        struct fiber *f = &job->fiber[i];
        f->thread = (int)((int64_t)i * mpico_crews.threads / job->ranks);
        f->port = s;
        s->fiber = f;
        s->crew = &mpico_crews.crew[f->thread];
        s->crew->live++;
        append(s->crew, s);
    }
    atomic_store(&mpico_crews.live, job->ranks);
    choose_cpus();
}

static int fiber_run(struct fiber_job *job)
{
    seat_ranks(job);
    int threads = mpico_crews.threads;
    pthread_t *thread = calloc((size_t)threads, sizeof *thread);
    for (int i = 1; i < threads; i++)
        if (!thread || pthread_create(&thread[i], NULL, work, &mpico_crews.crew[i]))
            fiber_end_job(NULL, 1, "no memory for the threads: fewer --threads need less");
    work(&mpico_crews.crew[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return 0;
}

/* Under a limit (ulimit -v) the ranks take less each, and leave the program its part. */
static char *arenas_make(size_t ranks)
{
    size_t each = ARENAS_BYTES / ranks;
    arena_bytes = each < ARENA_MOST_BYTES ? each / LINE_BYTES * LINE_BYTES : ARENA_MOST_BYTES;
    char *all = mpico_reserve(arena_bytes * ranks, 0);
    while (!all && arena_bytes > ARENA_LEAST_BYTES) {
        arena_bytes = arena_bytes / 2 / LINE_BYTES * LINE_BYTES;
        all = mpico_reserve(arena_bytes * ranks, arena_bytes * ranks);
    }
    return all;
}

static int fiber_open(struct fiber_job *job)
{
    int threads = job->options.threads < job->ranks ? job->options.threads : job->ranks;
    size_t ranks = (size_t)job->ranks;
    mpico_crews.seats = job->ranks;
    mpico_crews.threads = threads;
    mpico_crews.seat = calloc(ranks, sizeof *mpico_crews.seat);
    mpico_crews.crew = aligned_alloc(LINE_BYTES, (size_t)threads * sizeof *mpico_crews.crew);
    arenas = arenas_make(ranks);
    if (!mpico_crews.seat || !mpico_crews.crew || !arenas || mpico_fiber_link_open(job->ranks)) {
        fprintf(stderr, "mpico: no address space for %d ranks\n", job->ranks);
        return -1;
    }
    memset(mpico_crews.crew, 0, (size_t)threads * sizeof *mpico_crews.crew);
    return 0;
}

const struct fiber_port mpico_fiber_port = {
    .name = "fiber", .open = fiber_open, .run = fiber_run, .explain = explain_soon};
