/* own.h: what the files of the run-time of fibers share and a port does not see.
 *
 * Invariant: here->fiber is the fiber on whose stack this thread runs, and NULL on a scheduler's stack and
 * while the run-time works on its own behalf; only with a fiber there do the functions taken over from the C library
 * (take*.c) behave in a rank's way.
 */
#ifndef MPICO_FIBER_OWN_H
#define MPICO_FIBER_OWN_H

#include <search.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fiber.h"

/* ---- Output (output.c) ---- */

/* One of a rank's two streams: what has been written of a line that is not complete. */
struct line {
    char *buf;
    size_t len, room;
    int mid_line;   /* the last byte sent on was no newline: no prefix now */
    int unbuffered; /* setvbuf(_IONBF) */
    int fd;         /* -1: closed by the program */
};

void output_start(void); /* the C library's stdout and stderr become ours; before any program is loaded */
void output_init(struct fiber *);
void output_put(struct fiber *, int which, const char *bytes, size_t len); /* which: 1 or 2 */
void output_flush(struct fiber *, int which);
int output_which(const FILE *);                       /* 1, 2, or 0: another file */
void output_say(const char *text, size_t len);        /* to standard error, past all ranks' lines */
void output_point(struct fiber *, int which, int fd); /* freopen() of one rank: -1 drops what comes */

/* ---- One fiber ---- */

enum farewell_kind { FAREWELL_EXIT, FAREWELL_EXIT_STATUS, FAREWELL_QUICK };
struct farewell {
    struct farewell *next;
    enum farewell_kind kind;
    void *function, *argument;
};

/* Where a rank is in its words: the variables that the program sees, and those it does not. */
struct getopt_state {
    char **optarg;
    int *optind, *opterr, *optopt; /* NULL before the first call */
    int started;
    char *next; /* within a group of letters, as in "-abc" */
    int first_other, last_other;
};

/* What the C library's generators of random numbers go on from; all zero: nobody has drawn yet. */
struct random_own {
    struct random_data data;
    _Alignas(4) char state[128]; /* of as many bytes as a process begins with: so the numbers are the same */
    struct drand48_data data48;
};

/* What the C library would remember between two calls (take_remember.c). */
struct remembered {
    char *token;
    struct tm time;
    char time_text[64];
    struct hsearch_data table;
    int zone_known; /* where the program has these variables; NULL: it has not */
    char **zone_names;
    long *zone_seconds;
    int *zone_summer;
};

struct fiber_own {
    void *stack_pointer; /* while it does not run */
    char *stack_low, *stack_high;
    int saved_errno;
    struct images *images;
    int copy;
    char *tls; /* NULL: no thread-local variables */
    const char *program;
    int argc;
    char **argv, **envp;
    char ***environ, **entries; /* its environment: the variable, and the list if take_environ.c has made it; or NULL */
    struct line line[2];
    struct farewell *thread_exits, *exits; /* youngest first */
    struct getopt_state getopt;
    struct random_own random;
    struct remembered *remembered; /* NULL: nothing yet */
    char *directory;               /* NULL: the job's */
    struct signal_action *signals; /* take_signal.c; NULL: it has said nothing */
    _Atomic uint64_t pending;      /* signals for which its handlers have yet to be called: bit 0 is signal 1 */
};

/* One a thread. Switches are counted here, so that counting needs no lock. */
struct fiber_thread {
    struct fiber *fiber;   /* the others look at it by __atomic_load_n() */
    struct fiber *last;    /* whose thread-local variables are in the window */
    void *stack_pointer;   /* of the scheduler */
    const char *directory; /* of the rank in whose working directory it is; NULL: the job's */
    _Atomic uint64_t switches;
    struct fiber_thread *next;
    unsigned long long id; /* pthread_t */
};
extern _Thread_local struct fiber_thread *mpico_fiber_thread __attribute__((tls_model("initial-exec")));

/* A stack as large as that of a process started here, in bytes. */
size_t fiber_stack_usual(void);
/* Reserve all stacks, prepare all fibers. 0, or negative with the reason printed. */
int fiber_make_all(struct fiber_job *);
/* Called by each thread before its first fiber_resume(); fiber_resume() does it if nobody has. */
void fiber_thread_start(void);
struct fiber_thread *fiber_threads(void); /* the list */
/* Is the address in the guard below the fiber's stack? */
int fiber_overflowed(const struct fiber *, uintptr_t address);
/* End the running fiber: handlers have run. */
__attribute__((noreturn)) void fiber_leave(int code);

/* The run-time works for itself in a fiber's call: the C library's own functions serve. Returns what step_in()
 * takes. */
static inline struct fiber *fiber_step_out(void)
{
    struct fiber_thread *t = mpico_fiber_thread;
    struct fiber *f = t ? t->fiber : NULL;
    if (f)
        __atomic_store_n(&t->fiber, NULL, __ATOMIC_RELAXED);
    return f;
}
static inline void fiber_step_in(struct fiber *f)
{
    if (f)
        __atomic_store_n(&mpico_fiber_thread->fiber, f, __ATOMIC_RELAXED);
}

/* ---- The process of a rank (enter.c, exit.c) ---- */

/* First code on a fiber's stack. */
__attribute__((noreturn)) void fiber_enter(struct fiber *);
/* Memory that enter needs on the stack for arguments and pointers. */
size_t fiber_enter_bytes(const struct fiber *);
/* The next definition of a function after ours: the C library's. Ends the process when there is none. */
void *fiber_real(const char *name);
void exit_start(void);

/* ---- The end (end.c, fault.c, watchdog.c) ---- */

/* A rank has ended: is that a failure? Ends the job, or remembers a late status. */
void end_judge(struct fiber *);
int end_late_status(void);
void fault_start(void);                              /* the handlers of fatal signals */
void fault_end(int sig, siginfo_t *, void *context); /* as the handler: name the rank and end */
/* This thread goes to the rank's working directory. */
void directory_enter(const struct fiber *);
/* The running rank calls its handlers of what has come while it did not run. */
void signal_catch_up(struct fiber *);
void fault_start_thread(void); /* their stack, for this thread */
void sample_start(void);
uintptr_t sample_take(const struct fiber_thread *); /* where that thread's program is; 0: no answer. For one asker */
void watchdog_start(void);

/* Give the first return address into a program, looking up from a stack pointer: who called the C library. */
uintptr_t where_caller(const struct fiber *, uintptr_t pc, uintptr_t sp);
/* As fiber_where(), for the address of an instruction. 0 or negative. */
int where_of(uintptr_t pc, char *text, size_t room);

#endif
