/* fault.c: signals that end a program. The rank that ran is named, all ranks' lines are written, and the exit
 * status is what a shell would make of the signal. The handler has a stack of its own, as the rank's may be full.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "own.h"

enum { LAST_WORDS_S = 3, HANDLER_BYTES = 64 * 1024, WHY_ROOM = 512, PLACE_ROOM = 256 };

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void registers(const void *context, uintptr_t *pc, uintptr_t *sp)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    *pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    *sp = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#else
    *pc = c->uc_mcontext.pc;
    *sp = c->uc_mcontext.sp;
#endif
}

static void say_overflow(const struct fiber *f, uintptr_t address, char *why, size_t room)
{
    size_t now = fiber_job->options.stack_bytes / 1024, more = 2 * now;
    while (more < 2 * ((uintptr_t)f->own->stack_high - address) / 1024)
        more *= 2;
    snprintf(why, room, "mpico: stack overflow: rank %d's stack of %zu %s is full; --stack %zu%s gives more\n", f->rank,
             now % 1024 ? now : now / 1024, now % 1024 ? "KB" : "MB", more < 1024 ? more : more / 1024,
             more < 1024 ? "K" : "M");
    output_say(why, strlen(why));
}

static void say_killed(const struct fiber *f, int sig, uintptr_t at)
{
    char why[WHY_ROOM], place[PLACE_ROOM];
    int placed = where_of(at, place, sizeof place) == 0;
    snprintf(why, sizeof why, "mpiexec: rank %d (pid %d, %s) killed by signal %d (%s)%s%s\n", f->rank, (int)getpid(),
             f->own->program, sig, strsignal(sig), placed ? " in " : "", placed ? place : "");
    output_say(why, strlen(why));
}

/* The fault struck where the handler needs to go again, as in malloc() with its lock held: say the least and end. */
static _Atomic int dying_rank, dying_of;

static void on_stuck(int sig)
{
    char why[WHY_ROOM];
    (void)sig;
    int len = snprintf(why, sizeof why,
                       "mpiexec: rank %d killed by signal %d (its memory is in disorder: no more can be said)\n",
                       dying_rank, dying_of);
    if (write(2, why, (size_t)len) < 0)
        _exit(1);
    _exit(128 + dying_of);
}

static void give_it_seconds(const struct fiber *f, int sig)
{
    sigset_t alarms;
    dying_rank = f->rank;
    dying_of = sig;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, on_stuck);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(LAST_WORDS_S);
}

void fault_end(int sig, siginfo_t *info, void *context)
{
    uintptr_t pc, sp;
    char more[WHY_ROOM] = "";
    struct fiber *f = fiber_step_out();
    if (!f) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    give_it_seconds(f, sig);
    registers(context, &pc, &sp);
    fiber_flush();
    int full = (sig == SIGSEGV || sig == SIGBUS) && fiber_overflowed(f, (uintptr_t)info->si_addr);
    if (full)
        say_overflow(f, (uintptr_t)info->si_addr, more, sizeof more);
    say_killed(f, sig, where_caller(f, pc, sp));
    more[0] = 0;
    if (fiber_job->runs_on->describe)
        fiber_job->runs_on->describe(fiber_job, f, more, sizeof more);
    output_say(more, strlen(more));
    _exit(128 + sig);
}

void fault_start_thread(void)
{
    char *stack = malloc(HANDLER_BYTES);
    if (stack)
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = HANDLER_BYTES}, NULL);
}

void fault_start(void)
{
    struct sigaction act = {.sa_sigaction = fault_end, .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &act, NULL);
    sample_start();
}

/* ---- Where a running fiber is ---- */

/* Asked by the watchdog, answered by the thread in question. */
static struct {
    _Atomic int answered;
    _Atomic uintptr_t at;
} sample;

static int sample_signal(void) { return SIGRTMAX - 2; }

static void on_sample(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)info;
    uintptr_t pc, sp;
    struct fiber *f = fiber_self();
    registers(context, &pc, &sp);
    atomic_store(&sample.at, f ? where_caller(f, pc, sp) : pc);
    atomic_store(&sample.answered, 1);
}

void sample_start(void)
{
    struct sigaction act = {.sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigaction(sample_signal(), &act, NULL);
}

uintptr_t sample_take(const struct fiber_thread *t)
{
    atomic_store(&sample.answered, 0);
    if (pthread_kill((pthread_t)t->id, sample_signal()))
        return 0;
    for (int i = 0; i < 1000 && !atomic_load(&sample.answered); i++)
        usleep(100);
    return atomic_load(&sample.answered) ? atomic_load(&sample.at) : 0;
}
