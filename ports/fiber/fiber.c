/* fiber.c: stacks, and who runs on which. All stacks lie in one reserved mapping: below each is a guard that nobody
 * may touch, wider than any array that a process could have had on its stack, so that an overflow is a fault
 * and never another rank's data. A fiber stays on one thread.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/rank.h"
#include "image.h"
#include "own.h"
#include "switch.h"

#define USUAL_BYTES ((size_t)8 << 20) /* of the stack of a process, where nobody has said otherwise */
#define LEAST_BYTES ((size_t)256 << 10)
#define GUARD_BYTES USUAL_BYTES

struct fiber_job *fiber_job;
_Thread_local struct rank *mpico_rank_here __attribute__((tls_model("initial-exec")));
_Thread_local struct fiber_thread *mpico_fiber_thread __attribute__((tls_model("initial-exec")));
static _Atomic(struct fiber_thread *) threads;

/* ---- Threads ---- */

void fiber_thread_start(void)
{
    if (mpico_fiber_thread)
        return;
    struct fiber_thread *t = calloc(1, sizeof *t);
    if (!t)
        fiber_end_job(NULL, 1, "no memory for a thread");
    t->id = (unsigned long long)pthread_self();
    t->next = atomic_load(&threads);
    while (!atomic_compare_exchange_weak(&threads, &t->next, t))
        continue;
    mpico_fiber_thread = t;
    fault_start_thread();
}

struct fiber_thread *fiber_threads(void) { return atomic_load(&threads); }

struct fiber *fiber_self(void) { return mpico_fiber_thread ? mpico_fiber_thread->fiber : NULL; }

/* ---- The rank that runs ---- */

struct rank *mpico_rank_find(void)
{
    static struct rank nobody; /* of calls that come from no rank */
    struct fiber *f = fiber_self();
    if (!f)
        return &nobody;
    if (!f->state && !(f->state = calloc(1, sizeof *f->state)))
        fiber_end_job(f, 1, "no memory for the rank");
    return mpico_rank_here = f->state;
}

/* What err() and its like begin their lines with. */
static void name_process(const struct fiber_own *own)
{
    program_invocation_name = (char *)(uintptr_t)own->program;
    program_invocation_short_name = basename(own->program);
}

/* Thread-local variables of programs: in the window lie those of t->last. */
static void exchange(struct fiber_thread *t, struct fiber *f)
{
    struct fiber_own *in = f->own, *out = t->last ? t->last->own : NULL;
    if (!out || out->program != in->program)
        name_process(in);
    if (out && t->last->ended)
        out = NULL;
    if (out && out->tls && out->images != in->images) {
        images_tls_swap(out->images, out->tls, NULL);
        out = NULL;
    }
    char *save = out ? out->tls : NULL;
    if (save || in->tls)
        images_tls_swap(in->images, save, in->tls);
    t->last = f;
}

void fiber_resume(struct fiber *f)
{
    struct fiber_thread *t = mpico_fiber_thread;
    if (!t) {
        fiber_thread_start();
        t = mpico_fiber_thread;
    }
    struct fiber_own *own = f->own;
    if (t->last != f)
        exchange(t, f);
    if (__builtin_expect(t->directory != own->directory, 0))
        directory_enter(f);
    atomic_store_explicit(&t->switches, atomic_load_explicit(&t->switches, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    __atomic_store_n(&t->fiber, f, __ATOMIC_RELAXED);
    mpico_rank_here = f->state;
    int scheduler_errno = errno;
    errno = own->saved_errno;
    mpico_fiber_switch(&t->stack_pointer, own->stack_pointer);
    own->saved_errno = errno;
    errno = scheduler_errno;
    mpico_rank_here = NULL;
    __atomic_store_n(&t->fiber, NULL, __ATOMIC_RELAXED);
    if (f->ended)
        madvise(own->stack_low, (size_t)(own->stack_high - own->stack_low), MADV_DONTNEED);
}

void fiber_yield(void)
{
    struct fiber_thread *t = mpico_fiber_thread;
    struct fiber *f = t->fiber;
    mpico_fiber_switch(&f->own->stack_pointer, t->stack_pointer);
    if (__builtin_expect(atomic_load_explicit(&f->own->pending, memory_order_relaxed) != 0, 0))
        signal_catch_up(f);
}

void fiber_leave(int code)
{
    struct fiber *f = fiber_self();
    f->exit_code = code & 0xff;
    output_flush(f, 1);
    output_flush(f, 2);
    f->ended = 1;
    if (fiber_job->runs_on->ended)
        fiber_job->runs_on->ended(fiber_job, f);
    end_judge(f);
    fiber_yield();
    abort(); /* nobody resumes what has ended */
}

/* ---- Making them ---- */

static void first_code(void) { fiber_enter(fiber_self()); }

static size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

static int make_stack(struct fiber *f, char *guard, size_t bytes)
{
    struct fiber_own *own = f->own;
    own->stack_low = guard + GUARD_BYTES;
    own->stack_high = own->stack_low + bytes;
    if (mprotect(own->stack_low, bytes, PROT_READ | PROT_WRITE))
        return -1;
    own->stack_pointer = mpico_fiber_stack(own->stack_high - fiber_enter_bytes(f), first_code);
    return 0;
}

int fiber_overflowed(const struct fiber *f, uintptr_t address)
{
    return (uintptr_t)f->own->stack_low - address <= GUARD_BYTES;
}

static int make_thread_local(struct fiber *f)
{
    struct fiber_own *own = f->own;
    size_t bytes = images_tls_bytes(own->images);
    if (bytes == 0)
        return 0;
    own->tls = malloc(bytes);
    if (own->tls)
        images_tls_init(own->images, own->copy, own->tls);
    return own->tls ? 0 : -1;
}

size_t fiber_stack_usual(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return USUAL_BYTES;
    return limit.rlim_cur > LEAST_BYTES ? (size_t)limit.rlim_cur : LEAST_BYTES;
}

/* Addresses for all stacks. They cost memory page by page, as they are used: never 2 MB at once. */
static char *reserve_stacks(size_t bytes)
{
    char *all = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    madvise(all, bytes, MADV_NOHUGEPAGE);
    return all;
}

int fiber_make_all(struct fiber_job *job)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), most = 0;
    for (int i = 0; i < job->ranks; i++) {
        size_t extra = fiber_enter_bytes(&job->fiber[i]);
        most = extra > most ? extra : most;
    }
    size_t bytes = round_up(job->options.stack_bytes + most, page), each = bytes + GUARD_BYTES;
    char *all = each < SIZE_MAX / (size_t)job->ranks ? reserve_stacks(each * (size_t)job->ranks) : NULL;
    if (!all) {
        fprintf(stderr, "mpico: no address space for %d stacks of %zu KB: --stack 256K needs less\n", job->ranks,
                bytes / 1024);
        return -1;
    }
    for (int i = 0; i < job->ranks; i++) {
        struct fiber *f = &job->fiber[i];
        if (make_stack(f, all + each * (size_t)i, bytes) || images_make(f->own->images, f->own->copy) ||
            make_thread_local(f)) {
            fprintf(stderr, "mpico: no memory for rank %d of %d: %s%s\n", i, job->ranks, strerror(errno),
                    errno == ENOMEM ? " (or of too many pieces: sysctl vm.max_map_count; a smaller --stack may help)"
                                    : "");
            return -1;
        }
        output_init(f);
    }
    return 0;
}
