/* watchdog.c: a thread that sleeps beside the ranks and notices one that keeps a thread for itself. It never ends
 * a job for that: a long computation looks the same. It ends one for which --hang-timeout was given. And it
 * answers SIGQUIT.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/rank.h"
#include "own.h"

#define SECOND_NS 1000000000u
enum { LOOKS = 8 /* in the time that is watched */, WHY_ROOM = 1024, PLACE_ROOM = 256, EXPLAIN_US = 50000 };

/* What was seen of a thread. */
struct watched {
    const struct fiber_thread *thread;
    const struct fiber *fiber;
    uint64_t switches, cpu_ns; /* processor time at the first look since the last switch */
};

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

static uint64_t cpu_ns(const struct fiber_thread *t)
{
    clockid_t clock;
    return pthread_getcpuclockid((pthread_t)t->id, &clock) ? 0 : clock_ns(clock);
}

/* ---- A rank that does not let the others run ---- */

static int others_wait(const struct fiber *busy)
{
    for (int i = 0; i < fiber_job->ranks; i++) {
        const struct fiber *f = &fiber_job->fiber[i];
        if (f != busy && f->thread == busy->thread && !f->ended)
            return 1;
    }
    return 0;
}

static void say_spin(const struct fiber_thread *t, const struct fiber *f, double seconds)
{
    char why[WHY_ROOM], place[PLACE_ROOM];
    uintptr_t at = sample_take(t);
    int placed = at && where_of(at, place, sizeof place) == 0;
    int len =
        snprintf(why, sizeof why,
                 "mpico: rank %d has run %.3g s without waiting in MPI%s%s%s: the other ranks of this process "
                 "wait. A loop that waits for a flag must call MPI_Test or MPI_Iprobe; a long computation is fine: "
                 "--spin-timeout 0\n",
                 f->rank, seconds, placed ? " (" : "", placed ? place : "", placed ? ")" : "");
    output_say(why, (size_t)len);
}

static void look(struct watched *w, double limit_s)
{
    const struct fiber *f = __atomic_load_n(&w->thread->fiber, __ATOMIC_RELAXED);
    uint64_t switches = atomic_load(&w->thread->switches), now = cpu_ns(w->thread);
    if (f != w->fiber || switches != w->switches || !f) {
        w->fiber = f;
        w->switches = switches;
        w->cpu_ns = now;
        return;
    }
    double seconds = (double)(now - w->cpu_ns) / SECOND_NS;
    static const struct fiber *told;
    if (seconds < limit_s || told == f || !others_wait(f))
        return;
    told = f;
    say_spin(w->thread, f, seconds);
}

static void look_at_threads(double limit_s)
{
    static struct watched *watched;
    static size_t count;
    size_t n = 0;
    for (const struct fiber_thread *t = fiber_threads(); t; t = t->next)
        n++;
    if (n > count) {
        free(watched);
        watched = calloc(n, sizeof *watched);
        count = watched ? n : 0;
    }
    size_t i = 0;
    for (const struct fiber_thread *t = fiber_threads(); t && i < count; t = t->next, i++) {
        watched[i].thread = t;
        look(&watched[i], limit_s);
    }
}

/* ---- Reports ---- */

static void report(const char *headline)
{
    if (fiber_job->runs_on->explain) {
        fiber_job->runs_on->explain(fiber_job);
        usleep(EXPLAIN_US);
    }
    fiber_report(fiber_job, headline);
}

static uint64_t packets_moved(void)
{
    uint64_t n = 0;
    for (int i = 0; i < fiber_job->ranks; i++) {
        const struct rank *r = fiber_job->fiber[i].state;
        n += r ? __atomic_load_n(&r->arrivals, __ATOMIC_RELAXED) : 0;
    }
    return n;
}

static void look_for_hang(double limit_s)
{
    static uint64_t moved, since_ns;
    uint64_t now = clock_ns(CLOCK_MONOTONIC), packets = packets_moved();
    if (packets != moved || since_ns == 0) {
        moved = packets;
        since_ns = now;
    }
    if ((double)(now - since_ns) / SECOND_NS < limit_s)
        return;
    fiber_flush();
    report("no message has moved for as long as --hang-timeout says");
    fiber_end_job(NULL, 1, NULL);
}

/* ---- The thread ---- */

static struct timespec pause_between(const struct fiber_options *o)
{
    double s = 1;
    if (o->spin_timeout_s > 0 && o->spin_timeout_s / LOOKS < s)
        s = o->spin_timeout_s / LOOKS;
    if (o->hang_timeout_s > 0 && o->hang_timeout_s / LOOKS < s)
        s = o->hang_timeout_s / LOOKS;
    uint64_t ns = (uint64_t)(s * SECOND_NS);
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
}

static void *watch(void *unused)
{
    (void)unused;
    const struct fiber_options *o = &fiber_job->options;
    struct timespec step = pause_between(o);
    sigset_t quit;
    sigemptyset(&quit);
    sigaddset(&quit, SIGQUIT);
    for (;;) {
        if (sigtimedwait(&quit, NULL, &step) == SIGQUIT)
            report("what the ranks are doing:");
        if (o->spin_timeout_s > 0)
            look_at_threads(o->spin_timeout_s);
        if (o->hang_timeout_s > 0)
            look_for_hang(o->hang_timeout_s);
    }
    return NULL;
}

/* All signals are the ranks', but SIGQUIT, which is blocked for them. */
void watchdog_start(void)
{
    pthread_t thread;
    sigset_t all, quit, old;
    sigfillset(&all);
    sigemptyset(&quit);
    sigaddset(&quit, SIGQUIT);
    signal(SIGQUIT, SIG_DFL);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 * 1024);
    if (pthread_create(&thread, &small, watch, NULL))
        fprintf(stderr, "mpico: no thread to watch the ranks: a rank that spins will not be named\n");
    pthread_attr_destroy(&small);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_sigmask(SIG_BLOCK, &quit, NULL);
}
