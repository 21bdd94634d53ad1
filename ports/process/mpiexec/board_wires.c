/* board_wires.c: see board_wires.h. A loop over the ends of the disturbed links. What a node has sent is read when its neighbour's side
 * has taken what came before, so a slow node slows its neighbour as with a plain wire.
 */
#include "board_wires.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"

_Atomic uint64_t *board_wires_spoke_ns;

enum { CHUNK = 512, TICK_MS = 10, BABBLE_BYTES = 64 /* a tick */ };

/* One direction of one link. */
struct wire {
    int from, to;    /* descriptors */
    int rank, other; /* who sends, who receives */
    int cut, babbles;
    size_t at, len; /* bytes [at, len) are to be passed on */
    unsigned char bytes[CHUNK];
};

struct wires {
    const struct options *options;
    struct wire *wire;
    struct pollfd *poll;
    int count;
    int done[OPTIONS_FAULTS];
    int pidfd[OPTIONS_FAULTS];
    uint64_t start_ns, random;
};

static uint64_t draw(struct wires *w)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return w->random;
}

static void say(const struct wires *w, const char *format, int rank, int other)
{
    char line[128];
    int n = snprintf(line, sizeof line, format, rank, other);
    if (!w->options->quiet && write(2, line, (size_t)n) < 0)
        return; /* nobody listens */
}

/* ---- Faults ---- */

static int concerns(const struct fault *f, const struct wire *w)
{
    if (f->kind == FAULT_BABBLE)
        return f->rank == w->rank;
    return f->kind == FAULT_CUT &&
           ((f->rank == w->rank && f->other == w->other) || (f->rank == w->other && f->other == w->rank));
}

static void inflict(struct wires *w, int i)
{
    const struct fault *f = &w->options->fault[i];
    for (int k = 0; k < w->count; k++) {
        if (!concerns(f, &w->wire[k]))
            continue;
        w->wire[k].cut |= f->kind == FAULT_CUT;
        w->wire[k].babbles |= f->kind == FAULT_BABBLE;
        w->wire[k].at = w->wire[k].len = 0;
    }
    if (f->kind == FAULT_CUT) {
        say(w, "mpiexec: the wire between ranks %d and %d is cut\n", f->rank, f->other);
    } else if (f->kind == FAULT_BABBLE) {
        say(w, "mpiexec: rank %d sends noise from now on\n", f->rank, 0);
    } else if (w->pidfd[i] >= 0) {
        say(w, "mpiexec: rank %d is killed\n", f->rank, 0);
        syscall(SYS_pidfd_send_signal, w->pidfd[i], SIGKILL, NULL, 0);
    }
    w->done[i] = 1;
}

static int is_time(const struct wires *w, const struct fault *f)
{
    uint64_t since = f->of_output ? *board_wires_spoke_ns : w->start_ns;
    return since && (double)(machine_now_ns() - since) / 1e9 >= f->after_s;
}

static void faults(struct wires *w)
{
    for (int i = 0; i < w->options->faults; i++)
        if (!w->done[i] && is_time(w, &w->options->fault[i]))
            inflict(w, i);
}

/* Each byte is replaced with this probability. */
static void damage(struct wires *w, struct wire *one)
{
    uint64_t limit = (uint64_t)(w->options->noise * (double)(1u << 31));
    for (size_t i = 0; i < one->len && limit; i++)
        if ((draw(w) >> 33) < limit)
            one->bytes[i] = (unsigned char)(draw(w) >> 24);
}

static void babble(struct wires *w, struct wire *one)
{
    one->at = 0;
    one->len = BABBLE_BYTES;
    for (size_t i = 0; i < one->len; i++)
        one->bytes[i] = (unsigned char)(draw(w) >> 24);
}

/* ---- Bytes ---- */

static void take(struct wires *w, struct wire *one)
{
    ssize_t n = read(one->from, one->bytes, CHUNK);
    if (n <= 0 || one->cut || one->babbles) /* what is sent into a wire that is cut is gone */
        return;
    one->at = 0;
    one->len = (size_t)n;
    damage(w, one);
}

static void give(struct wire *one)
{
    ssize_t n = write(one->to, one->bytes + one->at, one->len - one->at);
    if (n > 0)
        one->at += (size_t)n;
}

static void step(struct wires *w)
{
    for (int i = 0; i < w->count; i++) {
        struct wire *one = &w->wire[i];
        int full = one->at < one->len;
        w->poll[2 * i] = (struct pollfd){.fd = full && !one->babbles ? -1 : one->from, .events = POLLIN};
        w->poll[2 * i + 1] = (struct pollfd){.fd = full ? one->to : -1, .events = POLLOUT};
    }
    int ready = poll(w->poll, 2 * (nfds_t)w->count, TICK_MS);
    for (int i = 0; i < w->count && ready > 0; i++) {
        if (w->poll[2 * i].revents)
            take(w, &w->wire[i]);
        if (w->poll[2 * i + 1].revents)
            give(&w->wire[i]);
    }
}

static _Noreturn void run(struct wires *w)
{
    uint64_t babbled = 0;
    for (;;) {
        step(w);
        faults(w);
        uint64_t now = machine_now_ns();
        if (now - babbled < TICK_MS * 1000000u)
            continue;
        babbled = now;
        for (int i = 0; i < w->count; i++)
            if (w->wire[i].babbles && w->wire[i].at == w->wire[i].len)
                babble(w, &w->wire[i]);
    }
}

/* ---- Start ---- */

static void add(struct wires *w, int from, int to, int rank, int other)
{
    fcntl(from, F_SETFL, O_NONBLOCK);
    fcntl(to, F_SETFL, O_NONBLOCK);
    w->wire[w->count++] = (struct wire){.from = from, .to = to, .rank = rank, .other = other};
}

static int prepare(struct wires *w, const struct board_link *link, const struct child *child)
{
    const struct options *o = w->options;
    size_t most = 2 * (size_t)o->world;
    w->wire = calloc(most, sizeof *w->wire);
    w->poll = calloc(2 * most, sizeof *w->poll);
    if (!w->wire || !w->poll)
        return -1;
    for (int i = 0; i < o->world; i++) {
        int next = (i + 1) % o->world;
        if (link[i].between[0] < 0)
            continue;
        add(w, link[i].between[0], link[i].between[1], i, next);
        add(w, link[i].between[1], link[i].between[0], next, i);
    }
    for (int i = 0; i < o->faults; i++) {
        const struct fault *f = &o->fault[i];
        w->pidfd[i] = f->kind == FAULT_KILL ? (int)syscall(SYS_pidfd_open, child[f->rank].pid, 0) : -1;
        if (f->kind == FAULT_KILL && w->pidfd[i] < 0)
            return -1;
    }
    return 0;
}

int board_wires_start(const struct options *o, struct board_link *link, const struct child *child)
{
    static struct wires w;
    pid_t parent = getpid();
    w = (struct wires){.options = o, .start_ns = machine_now_ns(), .random = 0x9E3779B97F4A7C15u};
    void *shared = mmap(NULL, sizeof *board_wires_spoke_ns, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || prepare(&w, link, child))
        return -1;
    board_wires_spoke_ns = shared;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "mpiexec-wires");
        if (getppid() == parent)
            run(&w);
        _exit(0);
    }
    return pid < 0 ? -1 : 0;
}
