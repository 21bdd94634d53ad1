/* machine.c: one Linux process as a rank: where it comes from, how it waits, how it ends.
 *
 * Waiting: spin for about as long as a wake-up costs, then sleep on the slot's doorbell. With more ranks
 * than CPUs spinning only keeps the peer from running: yield a few times, then sleep.
 * A sender looks at `sleeping` after writing its packet, without a fence; the sleeper therefore makes all
 * running CPUs fence (membarrier) between raising the flag and its last look at the rings.
 */
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../arch.h"
#include "../host/reserve.h"
#include "../host/settings.h"
#include "../trace/sink.h"
#include "mpi.h"
#include "process.h"

enum {
    SPINS_BARE = 4,      /* turns without a pause; later ones leave the line to its writer for a moment */
    SPINS_UNTIMED = 256, /* turns before the first look at the clock, which costs as much as a message */
    SPIN_NS = 50000,     /* at least: about what a futex wake-up and a context switch cost together */
    SPIN_MOST_NS = 2000000,
    YIELDS = 40,     /* turns of sched_yield() when crowded */
    SPIN_LOOKS = 64, /* turns between two looks at the clock */
    NAP_NS = 2000000 /* one sleep where membarrier() is forbidden */
};
/* Reserved addresses: as many as are to be had. A page costs memory when first touched. */
#define ARENA_MOST_BYTES ((size_t)4 << 30)
#define ARENA_LEAST_BYTES ((size_t)16 << 20)

static struct rank process_rank;
static struct process process;
_Thread_local struct rank *mpico_rank_here __attribute__((tls_model("initial-exec")));

struct rank *mpico_rank_find(void) { return mpico_rank_here = &process_rank; }

static uint64_t process_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void process_say(struct rank *r, const char *line)
{
    fprintf(stderr, "mpico: rank %d: %s\n", r->world_rank, line);
}

static __attribute__((noreturn)) void process_halt(struct rank *r, int code, const char *why)
{
    if (why)
        fprintf(stderr, "mpico: rank %d: %s\n", r->world_rank, why);
    fflush(NULL);
    if (process.slot) {
        atomic_store(&process.slot->exit_code, code);
        atomic_store(&process.slot->aborted, 1);
    }
    _exit(code & 0xff ? code & 0xff : 1);
}

/* ---- Start ---- */

static int refuse(const char *why)
{
    fprintf(stderr, "mpico: MPI_Init: %s\n", why);
    return -1;
}

static struct job *job_of_one(void)
{
    struct job plan = {0};
    uint64_t bytes = job_layout(&plan, 1, 1, (uint64_t)sysconf(_SC_PAGESIZE));
    struct job *job = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (job == MAP_FAILED)
        return NULL;
    *job = plan;
    return job;
}

static struct job *job_map(int fd)
{
    struct job *head = mmap(NULL, sizeof *head, PROT_READ, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED)
        return NULL;
    uint64_t bytes = head->magic == JOB_MAGIC && head->version == JOB_VERSION ? head->bytes : 0;
    munmap(head, sizeof *head);
    if (bytes == 0)
        return NULL;
    void *job = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return job == MAP_FAILED ? NULL : job;
}

/* The rank of this process in its job; the job in process.job. Negative: said why. */
static int join(void)
{
    const char *name = getenv(JOB_VARIABLE);
    if (!name) {
        if (mpico_process_foreign())
            return -1;
        process.job = job_of_one();
        process.job_fd = -1;
        return process.job ? 0 : refuse("no memory for a job of one");
    }
    int fd, rank;
    char more;
    if (sscanf(name, "%d:%d%c", &fd, &rank, &more) != 2 || !(process.job = job_map(fd)))
        return refuse(JOB_VARIABLE
                      " is set, but the job's memory is not there, or of another version: was the variable inherited "
                      "from another program? unset it, or start with mpiexec");
    process.job_fd = fd;
    if (rank < 0 || (uint32_t)rank >= process.job->size)
        return refuse(JOB_VARIABLE " names a rank outside the job");
    return rank;
}

static int claim(int rank)
{
    process.slot = job_slot(process.job, (uint32_t)rank);
    int32_t nobody = 0;
    if (!atomic_compare_exchange_strong(&process.slot->pid, &nobody, (int32_t)getpid())) {
        fprintf(stderr, "mpico: MPI_Init: rank %d is already process %d: one mpiexec process cannot be two ranks\n",
                rank, nobody);
        return -1;
    }
    atomic_fetch_add(&process.job->started, 1);
    return 0;
}

/* A limit (ulimit -v) or a kernel that does not overcommit may leave less than we want; the program needs its part of that. */
static void *arena_of(size_t *bytes)
{
    void *arena = mpico_reserve(*bytes = ARENA_MOST_BYTES, 0);
    while (!arena && *bytes > ARENA_LEAST_BYTES) {
        *bytes /= 2;
        arena = mpico_reserve(*bytes, *bytes);
    }
    return arena;
}

SELDOM static int process_start(struct rank *r, int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    int rank = join();
    if (rank < 0 || claim(rank))
        return -1;
    size_t bytes;
    void *arena = arena_of(&bytes);
    if (!arena)
        return refuse("not even 32 MiB of addresses are left for the library's memory: raise the limit (ulimit -v)");
    if (mpico_rank_place(r, rank, (int)process.job->size, arena, bytes) || mpico_process_link_start(&process, r))
        return refuse("no memory for the rank");
    r->note = &process.slot->note;
    r->port = &process;
    r->crowded = (int)process.job->size > process.job->cpus;
    process.spin_ns = SPIN_NS;
    process.no_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) != 0;
    trace_sink_open(r, rank, process_now, TRACE_NS);
    return 0;
}

static void process_away(struct rank *r, int away)
{
    (void)r;
    atomic_store(&process.slot->finalized, away ? 2 : 0);
}

static void process_stop(struct rank *r)
{
    (void)r;
    atomic_store(&process.slot->finalized, 1);
}

/* ---- Waiting ---- */

void mpico_process_ring_bell(struct slot *slot)
{
    atomic_store_explicit(&slot->sleeping, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->rung_on, sched_getcpu(), memory_order_relaxed);
    atomic_fetch_add(&slot->doorbell, 1);
    syscall(SYS_futex, &slot->doorbell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

uint32_t mpico_process_lie_down(struct process *p)
{
    uint32_t heard = atomic_load(&p->slot->doorbell);
    atomic_store(&p->slot->sleeping, 1);
    if (!p->no_barrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
    return heard;
}

static void sleep_until_rung(struct process *p)
{
    struct timespec nap = {.tv_nsec = NAP_NS};
    mpico_note_fill(p->link.rank);
    uint32_t heard = mpico_process_lie_down(p);
    if (!mpico_process_ready(p))
        syscall(SYS_futex, &p->slot->doorbell, FUTEX_WAIT, heard, p->no_barrier ? &nap : NULL, NULL, 0);
    atomic_store(&p->slot->sleeping, 0);
    p->beside_ringer = atomic_load_explicit(&p->slot->rung_on, memory_order_relaxed) == sched_getcpu();
}

static inline void pause_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* A processor that halts in a virtual machine takes long to wake, which a program with short periods would pay in each of them:
 * a rank whose sleeps turn out short spins longer the next time. Each long sleep halves that again.
 */
static void sleep_and_learn(struct process *p)
{
    uint64_t from = process_now();
    sleep_until_rung(p);
    int was_short = process_now() - from < SPIN_MOST_NS;
    p->spin_ns = was_short ? SPIN_MOST_NS : p->spin_ns / 2 > SPIN_NS ? p->spin_ns / 2 : SPIN_NS;
}

/* A kernel likes to wake a sleeper on the processor of the one that woke it. Where others have work for the rest, the two
 * stay there, and whoever of them spins keeps from running the one it waits for.
 */
static int leave_ringer(struct process *p)
{
    p->beside_ringer = 0;
    cpu_set_t all, others;
    if (sched_getaffinity(0, sizeof all, &all))
        return -1;
    others = all;
    CPU_CLR((size_t)sched_getcpu(), &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others))
        return -1;
    return sched_setaffinity(0, sizeof all, &all);
}

static void spin(struct process *p, uint32_t idle)
{
    if (idle < SPINS_BARE)
        return;
    pause_cpu();
    if (__builtin_expect(p->beside_ringer, 0) && leave_ringer(p)) {
        sleep_until_rung(p);
        return;
    }
    if (idle == SPINS_UNTIMED)
        p->spin_until = process_now() + p->spin_ns;
    else if (idle > SPINS_UNTIMED && idle % SPIN_LOOKS == 0 && process_now() > p->spin_until)
        sleep_and_learn(p);
}

static void process_wait(struct rank *r, uint32_t idle)
{
    struct process *p = r->port;
    if (!r->crowded) {
        spin(p, idle);
        return;
    }
    p->empty_polls = 0;
    if (idle < YIELDS)
        sched_yield();
    else
        sleep_until_rung(p);
}

static const char *process_processor(struct rank *r)
{
    struct process *p = r->port;
    if (gethostname(p->host, sizeof p->host - 1))
        strcpy(p->host, "localhost");
    return p->host;
}

const struct machine mpico_machine = {
    .name = "process",
    .arch = MPICO_ARCH,
    .start = process_start,
    .settings = mpico_settings_read,
    .model = mpico_settings_model,
    .away = process_away,
    .stop = process_stop,
    .now = process_now,
    .wait = process_wait,
    .threads = &mpico_process_threads,
    .halt = process_halt,
    .say = process_say,
    .processor = process_processor,
    .one_host = 1,
    .share = mpico_process_share,
    .unshare = mpico_process_unshare,
    .where = mpico_process_where,
};
