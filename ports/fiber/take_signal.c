/* take_signal.c: a rank's own handlers of signals. The process has one handler for each signal that a rank has said something
 * about, and it calls the ranks':
 * - What the running rank has brought about (raise(), kill() of itself, a fault) is for that rank, at once.
 * - What comes from outside or from a timer is for all ranks, for each when it runs: its handler uses its stack and its
 *   thread-local variables.
 * Flags and masks of one signal are those of the rank that spoke last. Which signals are blocked all ranks share.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own.h"
#include "take.h"

enum { SIGNALS = 65 };
_Static_assert(SIGNALS - 1 <= 64, "pending signals are bits of a word");

/* What a rank wants done; `said`: otherwise the process does what it did before. */
struct signal_action {
    struct sigaction action;
    int said;
};

typedef int sigaction_function(int, const struct sigaction *, struct sigaction *);

static sigaction_function *real_sigaction(void)
{
    static sigaction_function *real;
    if (!real)
        real = fiber_real("sigaction");
    return real;
}

static int is_fault(int sig) { return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL; }

/* Did the thread that runs here bring it about? */
static int is_own(int sig, const siginfo_t *info)
{
    if (is_fault(sig) && info->si_code > 0)
        return 1;
    return (info->si_code == SI_TKILL || info->si_code == SI_USER || info->si_code == SI_QUEUE) &&
           info->si_pid == getpid();
}

/* Nobody has a handler: what the system would do. */
static void do_default(int sig, siginfo_t *info, void *context)
{
    struct sigaction before, usual = {.sa_handler = SIG_DFL};
    sigset_t this;
    if (is_fault(sig) || sig == SIGABRT) {
        fault_end(sig, info, context);
        return;
    }
    sigemptyset(&this);
    sigaddset(&this, sig);
    real_sigaction()(sig, &usual, &before);
    raise(sig);
    pthread_sigmask(SIG_UNBLOCK, &this, NULL);
    real_sigaction()(sig, &before, NULL);
}

static void call(struct fiber *f, int sig, siginfo_t *info, void *context)
{
    struct signal_action *s = &f->own->signals[sig];
    struct sigaction a = s->action;
    if (a.sa_handler == SIG_IGN)
        return;
    if (a.sa_flags & (int)SA_RESETHAND)
        s->action.sa_handler = SIG_DFL;
    if (a.sa_flags & SA_SIGINFO)
        a.sa_sigaction(sig, info, context);
    else
        a.sa_handler(sig);
}

/* Has the rank a handler, or does it ignore the signal? */
static int cares(const struct fiber *f, int sig)
{
    const struct signal_action *s = f->own->signals;
    return !f->ended && s && s[sig].said && s[sig].action.sa_handler != SIG_DFL;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    struct fiber *self = fiber_self();
    int saved = errno, anybody = 0;
    if (is_own(sig, info)) {
        if (self && cares(self, sig))
            call(self, sig, info, context);
        else
            do_default(sig, info, context);
        errno = saved;
        return;
    }
    for (int i = 0; i < fiber_job->ranks; i++) {
        struct fiber *f = &fiber_job->fiber[i];
        if (!cares(f, sig))
            continue;
        anybody = 1;
        if (f != self)
            atomic_fetch_or(&f->own->pending, UINT64_C(1) << (sig - 1));
    }
    if (self && cares(self, sig))
        call(self, sig, info, context);
    if (!anybody)
        do_default(sig, info, context);
    errno = saved;
}

void signal_catch_up(struct fiber *f)
{
    uint64_t pending = atomic_exchange(&f->own->pending, 0);
    for (int sig = 1; sig < SIGNALS; sig++)
        if ((pending >> (sig - 1) & 1) && cares(f, sig))
            call(f, sig, &(siginfo_t){.si_signo = sig}, NULL);
}

/* The process's handler, with what the rank asks for. */
static int listen_for(int sig, const struct sigaction *wanted)
{
    struct sigaction a = *wanted;
    a.sa_sigaction = on_signal;
    a.sa_flags = (wanted->sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO;
    if (wanted->sa_handler == SIG_IGN)
        a.sa_flags |= SA_RESTART;
    return real_sigaction()(sig, &a, NULL);
}

int sigaction(int sig, const struct sigaction *restrict wanted, struct sigaction *restrict old)
{
    struct fiber *f = fiber_self();
    if (!f || sig < 1 || sig >= SIGNALS || sig == SIGKILL || sig == SIGSTOP)
        return real_sigaction()(sig, wanted, old);
    struct fiber_own *own = f->own;
    if (!own->signals && !(own->signals = calloc(SIGNALS, sizeof *own->signals)))
        return -1;
    struct signal_action *s = &own->signals[sig], before = *s;
    if (wanted) {
        *s = (struct signal_action){.action = *wanted, .said = 1};
        if (listen_for(sig, wanted)) {
            *s = before;
            return -1;
        }
    }
    if (old)
        *old = before.said ? before.action : (struct sigaction){.sa_handler = SIG_DFL};
    return 0;
}

static sighandler_t handle(int sig, sighandler_t handler, int flags)
{
    struct sigaction old, wanted = {.sa_handler = handler, .sa_flags = flags};
    if (!(flags & SA_NODEFER))
        sigaddset(&wanted.sa_mask, sig);
    return sigaction(sig, &wanted, &old) ? SIG_ERR : old.sa_handler;
}

sighandler_t signal(int sig, sighandler_t handler) { return handle(sig, handler, SA_RESTART); }
sighandler_t bsd_signal(int sig, sighandler_t handler) { return signal(sig, handler); }
sighandler_t __sysv_signal(int sig, sighandler_t handler)
{
    return handle(sig, handler, (int)SA_RESETHAND | SA_NODEFER);
}
sighandler_t sysv_signal(int sig, sighandler_t handler) { return __sysv_signal(sig, handler); }
