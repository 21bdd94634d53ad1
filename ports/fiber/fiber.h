/* fiber.h: ranks as coroutines in one process. What the port of fibers and the simulator share: programs loaded once a
 * rank, stacks and switches, and what a rank believes to be its process: argv, exit, standard output, errno.
 * The port says when which fiber runs.
 */
#ifndef MPICO_FIBER_H
#define MPICO_FIBER_H

#include <stddef.h>
#include <stdint.h>

struct rank;
struct images;

struct fiber {
    int rank;
    _Atomic int ended; /* by return from main, exit or _exit; then: */
    int exit_code;
    _Atomic uint8_t initialized, finalized; /* between MPI_Init and the end of MPI_Finalize; the port sets them */
    /* The library's; NULL before MPI_Init. The runtime makes it the running rank at each switch. */
    struct rank *_Atomic state;
    void *port;            /* the port's own */
    int thread;            /* which thread runs it, always the same */
    struct fiber_own *own; /* the runtime's: stack, context, output, atexit list */
};

/* What was asked for on the command line of the runner; mpiexec passes it on. */
struct fiber_options {
    int ranks;
    int threads;            /* --threads */
    int prefix;             /* --prefix: begin lines with "[rank] " */
    const char *machine;    /* --machine FILE (sim) */
    const char *discipline; /* --discipline NAME (sim, ring): instead of the file's */
    double spin_timeout_s;  /* --spin-timeout S: a rank that ran so long without calling the library; 0: never */
    double hang_timeout_s;  /* --hang-timeout S: end the job when no packet has moved for so long; 0: never */
    int host_time;          /* --host-time (sim): charge computation by the host's clock */
    size_t stack_bytes;     /* --stack BYTES */
    int quiet;
};

struct fiber_port;

struct fiber_job {
    const struct fiber_port *runs_on;
    struct fiber_options options;
    int ranks;
    struct fiber *fiber; /* ranks entries */
    void *port;          /* the port's own */
};

/* What a port adds. */
struct fiber_port {
    const char *name;
    /* Before anything is loaded: read the machine, refuse too many ranks. 0, or negative with the reason printed. */
    int (*open)(struct fiber_job *);
    /* Run every fiber to its end with fiber_resume(); the job's exit status. Called on the first thread. */
    int (*run)(struct fiber_job *);
    /* A fiber ended (its exit code is set), still on its own stack. May be NULL. */
    void (*ended)(struct fiber_job *, struct fiber *);
    /* One more line or more about a fatal signal: where the rank was. May be NULL. */
    void (*describe)(struct fiber_job *, struct fiber *, char *text, size_t room);
    /* A report is wanted soon: let each waiting fiber fill its note. From another thread, which does not wait for
     * it. May be NULL: then the report has the calls' names alone. */
    void (*explain)(struct fiber_job *);
    /* The machine's own time in nanoseconds since the job began, and sleeping in it. Both NULL: it is the host's. */
    uint64_t (*clock)(struct fiber *);
    void (*sleep)(struct fiber *, uint64_t ns);
    /* Do what a first word on the command line asks for instead of a job ("--describe"): the exit status; negative: that
     * word is none of mine. May be NULL. */
    int (*command)(int argc, char **argv);
};

extern const struct fiber_port mpico_fiber_port; /* the port that this library is built for defines it */

/* The whole life of the runner process. Never returns before the job has ended. */
int fiber_main(const struct fiber_port *, int argc, char **argv, char *tls_window, size_t tls_window_bytes);

extern struct fiber_job *fiber_job; /* the only one of this process */

/* Let it run until it yields or ends. From a scheduler (the original stack of a thread), on the fiber's thread. */
void fiber_resume(struct fiber *);
/* Back to the scheduler of this thread. From a fiber. */
void fiber_yield(void);
/* The running one; NULL on a scheduler's stack. */
struct fiber *fiber_self(void);

/* End the whole process now, output of all ranks written first. `why` is printed as "mpico: rank 3: why" if not
 * NULL. Any context. */
__attribute__((noreturn)) void fiber_end_job(struct fiber *, int code, const char *why);
/* Write the unfinished lines of all ranks. Any context. */
void fiber_flush(void);
/* What every rank waits for, from their notes; one text for all ports. To standard error. */
void fiber_report(struct fiber_job *, const char *headline);
/* Source line of an address in any copy: as machine.where. */
int fiber_where(struct rank *, const void *address, char *text, size_t room);

#endif
