/* keeper.c: see keeper.h. One loop over the signals and the pipes. Invariant: once k->ending is set the exit
 * status is decided, and k->end_ns says when patience ends.
 */
#include "keeper.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board.h"
#include "launch.h"
#include "machine.h"
#include "verdict.h"
#include "watch.h"

#define MS_NS 1000000u
enum {
    GRACE_MS = 200,       /* between SIGTERM and SIGKILL after a failure */
    BOARD_GRACE_MS = 500, /* for the other boards' last words: they notice by themselves */
    USER_GRACE_MS = 2000, /* after Ctrl-C: programs may save their work */
    AGAIN_MS = 300,       /* a second signal sooner is the same one: `timeout` sends to us and to our group */
    LOOK_MS = 100,        /* between two looks at the notes, at first */
    LOOK_MOST_MS = 250,
    STATUS_PIPE = 128 + SIGPIPE,
    STATUS_TIMEOUT = 124
};

struct keeper {
    const struct options *options;
    struct job *job;
    struct tracer *trace;
    struct child *child;
    struct watch watch;
    struct sink out, err;
    struct pollfd *poll;
    int signals; /* signalfd */
    int ranks, running;
    int ending, status;
    int late_status; /* of a rank that failed after MPI_Finalize: counts, but ends nobody */
    uint64_t end_ns, signal_ns, timeout_ns, look_ns;
    unsigned look_ms;
};

__attribute__((format(printf, 2, 3))) static void say(struct keeper *k, const char *format, ...)
{
    char text[1024];
    va_list list;
    if (k->options->quiet)
        return;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    sink_add(&k->err, text, len < (int)sizeof text ? (size_t)len : sizeof text - 1);
}

static void drain(struct child *c)
{
    while (stream_read(&c->out))
        continue;
    while (stream_read(&c->err))
        continue;
}

static void signal_ranks(struct keeper *k, int sig)
{
    for (int i = 0; i < k->ranks; i++)
        if (k->child[i].pid > 0 && !k->child[i].ended)
            kill(k->child[i].pid, sig);
}

/* The first reason wins. `sig` is sent unless 0. */
static void end(struct keeper *k, int status, int sig, unsigned grace_ms)
{
    if (k->ending)
        return;
    k->ending = 1;
    k->status = status;
    if (k->options->board) {
        sig = 0; /* an emulator has nothing to save, and would say that it was told to end */
        grace_ms = grace_ms == USER_GRACE_MS ? 0 : BOARD_GRACE_MS;
    }
    k->end_ns = machine_now_ns() + grace_ms * (uint64_t)MS_NS;
    if (sig)
        signal_ranks(k, sig);
    signal_ranks(k, SIGCONT); /* a stopped rank would not hear of it */
}

/* ---- Ranks that end ---- */

static void judge(struct keeper *k, int rank, int status)
{
    char why[256];
    struct child *c = &k->child[rank];
    struct verdict v = verdict_of(job_slot(k->job, (uint32_t)rank), status, why, sizeof why);
    if (v.status == 0 || k->ending || board_killed(k->options, rank, status))
        return;
    drain(c); /* what it said before it died comes first */
    if (v.late && k->late_status)
        return;
    if (!k->options->one_child)
        say(k, "mpiexec: rank %d (pid %d, %s) %s\n", rank, (int)c->pid, c->program, why);
    else if (WIFSIGNALED(status))
        say(k, "mpiexec: the process of all ranks (pid %d) %s\n", (int)c->pid, why);
    if (v.late) {
        k->late_status = v.status;
        return;
    }
    uint32_t nobody = 0;
    atomic_compare_exchange_strong(&k->job->dead, &nobody, (uint32_t)rank + 1);
    end(k, v.status, SIGTERM, GRACE_MS);
}

static void reap(struct keeper *k)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < k->ranks; i++)
            if (k->child[i].pid == pid && !k->child[i].ended) {
                k->child[i].ended = k->watch.view[i].ended = 1;
                k->running--;
                judge(k, i, status);
                break;
            }
}

/* ---- Hangs ---- */

static void report(struct keeper *k, const char *headline)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    if (!f)
        return;
    fprintf(f, "mpiexec: %s\n", headline);
    report_write(f, k->watch.view, k->ranks);
    fclose(f);
    sink_add(&k->err, text, len);
    free(text);
}

/* What the ranks wait for. A runner tells that itself; the job's slots are empty then. */
static void report_now(struct keeper *k, const char *headline)
{
    watch_read(&k->watch, k->job);
    if (k->options->board) {
        say(k, "mpiexec: %s\n", headline);
        board_ask();
    } else if (k->options->one_child)
        signal_ranks(k, SIGQUIT);
    else
        report(k, headline);
}

/* A rank may ask a question without ending the line. */
static void show_prompt(struct stream *t)
{
    if (t->len && t->stale && isatty(t->sink->fd))
        stream_flush(t);
    t->stale = t->len > 0;
}

static void look(struct keeper *k, uint64_t now)
{
    show_prompt(&k->child[0].out);
    k->look_ms = k->look_ms < LOOK_MOST_MS ? k->look_ms + LOOK_MS / 2 : LOOK_MOST_MS;
    k->look_ns = now + k->look_ms * (uint64_t)MS_NS;
    watch_read(&k->watch, k->job);
    enum watch_result result = watch_judge(&k->watch, now);
    if (result == WATCH_DEADLOCK) {
        report(k, "deadlock: every rank waits for another");
        end(k, 1, SIGTERM, GRACE_MS);
    } else if (result == WATCH_HANG) {
        report(k, "no message has moved for as long as --hang-timeout says");
        end(k, 1, SIGTERM, GRACE_MS);
    }
    /* Two looks decide: the second one soon. */
    if (k->watch.all_stuck && k->look_ms > LOOK_MS)
        k->look_ns = now + LOOK_MS * (uint64_t)MS_NS;
}

static void clock_tick(struct keeper *k)
{
    uint64_t now = machine_now_ns();
    if (k->ending) {
        if (now >= k->end_ns)
            machine_kill_tree();
        if (now >= k->end_ns)
            k->running = 0;
        return;
    }
    if (k->timeout_ns && now >= k->timeout_ns) {
        if (k->options->one_child && !k->options->board)
            say(k, "mpiexec: the job has run longer than --timeout allows\n");
        report_now(k, "the job has run longer than --timeout allows");
        end(k, STATUS_TIMEOUT, k->options->one_child ? 0 : SIGTERM, GRACE_MS);
    } else if (now >= k->look_ns) {
        look(k, now);
    }
}

static int until_next(const struct keeper *k)
{
    uint64_t now = machine_now_ns(), next = k->ending ? k->end_ns : k->look_ns;
    if (!k->ending && k->timeout_ns && k->timeout_ns < next)
        next = k->timeout_ns;
    return next <= now ? 0 : (int)((next - now + MS_NS - 1) / MS_NS);
}

/* ---- Signals ---- */

static void asked_to_end(struct keeper *k, int sig, int from_terminal)
{
    uint64_t now = machine_now_ns();
    if (k->ending && now - k->signal_ns > AGAIN_MS * (uint64_t)MS_NS)
        k->end_ns = now;
    k->signal_ns = now;
    end(k, 128 + sig, from_terminal ? 0 : sig, USER_GRACE_MS);
}

static void stop(struct keeper *k, int from_terminal)
{
    if (!from_terminal)
        signal_ranks(k, SIGSTOP); /* SIGTSTP stops nobody in a group without a shell */
    kill(getpid(), SIGSTOP);
}

static _Noreturn void give_up(void)
{
    machine_kill_tree();
    _exit(1);
}

static void on_signal(struct keeper *k, const struct signalfd_siginfo *s)
{
    int sig = (int)s->ssi_signo;
    /* The terminal sends to the whole group: the ranks have theirs. */
    int from_terminal = s->ssi_code == SI_KERNEL;
    switch (sig) {
    case SIGCHLD:
        reap(k);
        break;
    case SIGPWR:
        give_up();
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
        asked_to_end(k, sig, from_terminal);
        break;
    case SIGQUIT:
        if (!k->options->one_child || !from_terminal) /* else the terminal has told the runner too */
            report_now(k, "what the ranks are doing:");
        break;
    case SIGTSTP:
        stop(k, from_terminal);
        break;
    case SIGCONT:
        k->watch.changed_ns = machine_now_ns(); /* the time asleep does not count */
        signal_ranks(k, SIGCONT);
        break;
    default:
        signal_ranks(k, sig);
    }
}

static void read_signals(struct keeper *k)
{
    struct signalfd_siginfo s[8];
    ssize_t n = read(k->signals, s, sizeof s);
    for (ssize_t i = 0; i < n / (ssize_t)sizeof s[0]; i++)
        on_signal(k, &s[i]);
}

/* ---- The loop ---- */

static void watch_fd(struct keeper *k, nfds_t *n, int fd, short events)
{
    k->poll[(*n)++] = (struct pollfd){.fd = fd, .events = events};
}

/* A slow reader of ours slows the ranks, not our memory: its pipes are left alone while a sink is full. */
static nfds_t gather(struct keeper *k)
{
    nfds_t n = 0;
    watch_fd(k, &n, k->signals, POLLIN);
    watch_fd(k, &n, sink_pending(&k->out) ? k->out.fd : -1, POLLOUT);
    watch_fd(k, &n, sink_pending(&k->err) ? k->err.fd : -1, POLLOUT);
    for (int i = 0; i < k->ranks; i++) {
        watch_fd(k, &n, sink_pending(&k->out) ? -1 : k->child[i].out.fd, POLLIN);
        watch_fd(k, &n, sink_pending(&k->err) ? -1 : k->child[i].err.fd, POLLIN);
    }
    return n;
}

static void step(struct keeper *k)
{
    nfds_t n = gather(k);
    if (poll(k->poll, n, until_next(k)) > 0) {
        sink_flush(&k->out);
        sink_flush(&k->err);
        for (int i = 0; i < k->ranks; i++) {
            if (k->poll[3 + 2 * i].revents && stream_read(&k->child[i].out))
                board_spoke();
            if (k->poll[4 + 2 * i].revents)
                stream_read(&k->child[i].err);
        }
        if (k->poll[0].revents)
            read_signals(k);
    }
    clock_tick(k);
    if (k->out.broken && !k->ending) {
        if (k->out.broken != EPIPE)
            say(k, "mpiexec: cannot write the output: %s\n", strerror(k->out.broken));
        end(k, k->out.broken == EPIPE ? STATUS_PIPE : 1, SIGTERM, GRACE_MS);
    }
}

/* Ranks that ran without the library that can be traced have no part in it. */
static void write_trace(struct keeper *k)
{
    char why[1024];
    int strangers = 0;
    if (!k->trace->file)
        return;
    for (int i = 0; i < k->ranks && !k->options->one_child; i++)
        strangers += atomic_load(&job_slot(k->job, (uint32_t)i)->pid) && !tracer_has(k->trace, i);
    if (strangers)
        say(k, "mpiexec: --trace: %d of %d ranks are not traced: is the program linked statically?\n", strangers,
            k->ranks);
    uint64_t dropped = tracer_dropped(k->trace);
    if (dropped)
        say(k, "mpiexec: --trace: the trace is full, its last %llu records are missing (see --trace-limit)\n",
            (unsigned long long)dropped);
    if (tracer_close(k->trace, machine_now_ns(), why, sizeof why)) {
        say(k, "mpiexec: %s\n", why);
        k->late_status = k->late_status ? k->late_status : 1;
    }
}

/* No rank is left: what lies in the pipes and the sinks still goes out, however slow the reader. */
static void finish(struct keeper *k)
{
    machine_kill_tree();
    for (int i = 0; i < k->ranks; i++) {
        drain(&k->child[i]);
        stream_close(&k->child[i].out);
        stream_close(&k->child[i].err);
    }
    write_trace(k);
    while (sink_pending(&k->out) || sink_pending(&k->err)) {
        struct pollfd p[3] = {{.fd = k->signals, .events = POLLIN},
                              {.fd = sink_pending(&k->out) ? k->out.fd : -1, .events = POLLOUT},
                              {.fd = sink_pending(&k->err) ? k->err.fd : -1, .events = POLLOUT}};
        poll(p, 3, -1);
        sink_flush(&k->out);
        sink_flush(&k->err);
        struct signalfd_siginfo s;
        if (p[0].revents && read(k->signals, &s, sizeof s) > 0 && s.ssi_signo != SIGCHLD && s.ssi_signo != SIGCONT)
            return; /* told to end: nobody wants the rest */
    }
}

static int prepare(struct keeper *k, const struct options *o, const sigset_t *handled)
{
    size_t ranks = (size_t)o->ranks;
    sink_init(&k->out, 1);
    sink_init(&k->err, 2);
    k->options = o;
    k->ranks = o->ranks;
    k->child = calloc(ranks, sizeof *k->child);
    k->poll = calloc(3 + 2 * ranks, sizeof *k->poll);
    k->watch = (struct watch){.view = calloc(ranks, sizeof *k->watch.view), .ranks = o->ranks};
    k->watch.hang_ns = (uint64_t)(o->hang_timeout_s * 1e9);
    k->signals = signalfd(-1, handled, SFD_CLOEXEC | SFD_NONBLOCK);
    k->look_ms = LOOK_MS;
    for (size_t i = 0; k->child && i < ranks; i++)
        k->child[i].out.fd = k->child[i].err.fd = -1;
    if (k->child && k->poll && k->watch.view && k->signals >= 0)
        return 0;
    say(k, "mpiexec: cannot start: %s\n", strerror(errno));
    return 1;
}

static int start(struct keeper *k, const sigset_t *mask)
{
    char why[512];
    struct launch l = {.options = k->options, .mask = *mask, .out = &k->out, .err = &k->err};
    int status = launch_check(k->options, why, sizeof why);
    if (!status && !(k->job = machine_job(k->ranks, &l.job_fd, why, sizeof why)))
        status = 1;
    if (!status)
        status = launch_all(&l, k->child, why, sizeof why);
    if (!status && board_disturb(k->options, k->child)) {
        snprintf(why, sizeof why, "cannot disturb the wires: %s", strerror(errno));
        status = 1;
    }
    if (status) {
        machine_kill_tree();
        say(k, "mpiexec: %s\n", why);
    }
    return status;
}

int keeper_run(const struct options *o, struct tracer *trace, pid_t outer, const sigset_t *mask,
               const sigset_t *handled)
{
    struct keeper k = {.trace = trace};
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGPWR);
    prctl(PR_SET_NAME, "mpiexec-keeper");
    if (getppid() != outer)
        return 1;
    int status = prepare(&k, o, handled);
    if (!status)
        status = start(&k, mask);
    if (status) {
        tracer_drop(trace);
        return status;
    }
    uint64_t now = machine_now_ns();
    k.timeout_ns = o->timeout_s > 0 ? now + (uint64_t)(o->timeout_s * 1e9) : 0;
    k.look_ns = now + LOOK_MS * (uint64_t)MS_NS;
    k.running = k.ranks;
    while (k.running > 0)
        step(&k);
    finish(&k);
    return k.ending ? k.status : k.late_status;
}
