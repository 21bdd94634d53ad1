/* launch.c: rank after rank through vfork(): no page tables are copied, and the child, which shares our memory
 * until it has loaded its program, leaves there why it could not.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../src/core/trace_format.h"
#include "../job.h"
#include "board.h"

extern char **environ;

/* ---- Which file ---- */

static int usable(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    return access(path, X_OK) ? errno : 0;
}

/* In folders with ':' between. 0 or an error number. */
static int search(const char *folders, const char *name, char out[PATH_MAX])
{
    int result = ENOENT;
    for (const char *p = folders;; p++) {
        size_t len = strcspn(p, ":");
        snprintf(out, PATH_MAX, "%.*s/%s", len ? (int)len : 1, len ? p : ".", name);
        int e = usable(out);
        if (e == 0)
            return 0;
        if (e == EACCES)
            result = e;
        p += len;
        if (!*p)
            return result;
    }
}

/* As a shell does: a name without a slash is looked for in PATH. 0 or an error number. */
static int find(const struct part *part, char out[PATH_MAX])
{
    const char *name = part->argv[0], *wdir = part->wdir;
    if (strchr(name, '/')) {
        snprintf(out, PATH_MAX, *name == '/' || !wdir ? "%.0s%s" : "%s/%s", wdir ? wdir : "", name);
        int e = usable(out);
        snprintf(out, PATH_MAX, "%s", name); /* started from wdir */
        return e;
    }
    const char *path = getenv("PATH");
    int e = part->path ? search(part->path, name, out) : ENOENT;
    return e == ENOENT ? search(path ? path : "/usr/bin:/bin", name, out) : e;
}

static int refuse(const char *program, int e, char *why, unsigned room)
{
    snprintf(why, room, "cannot execute '%s': %s", program, strerror(e));
    return e == ENOENT || e == ENOTDIR ? 127 : 126;
}

int launch_check(const struct options *o, char *why, unsigned room)
{
    char path[PATH_MAX];
    for (int i = 0; i < o->parts; i++) {
        const struct part *part = &o->part[i];
        struct stat st;
        if (part->wdir && (stat(part->wdir, &st) || !S_ISDIR(st.st_mode))) {
            snprintf(why, room, "cannot change to directory '%s'", part->wdir);
            return 127;
        }
        int e = find(part, path);
        if (e)
            return refuse(part->argv[0], e, why, room);
    }
    return 0;
}

/* ---- The environment ---- */

static int same_name(const char *one, const char *other)
{
    size_t len = strcspn(one, "=");
    return strncmp(one, other, len) == 0 && other[len] == '=';
}

static int is_own(const struct options *o, int part, const char *variable)
{
    for (int i = 0; i < o->owns; i++)
        if (o->own[i].part == part && same_name(o->own[i].text, variable))
            return 1;
    return 0;
}

static int replaced(const struct options *o, const char *variable)
{
    if (same_name(JOB_VARIABLE "=", variable) || same_name(TRACE_VARIABLE "=", variable)) /* an outer job's */
        return 1;
    for (int i = 0; i < o->envs; i++)
        if (same_name(o->env[i], variable))
            return 1;
    return 0;
}

/* Ours, those of the command line for all and for this part, then `job`, which changes from rank to rank. The caller frees it. */
static char **environment(const struct options *o, int part, char *job)
{
    size_t count = 0, n = 0;
    while (environ[count])
        count++;
    char **env = malloc((count + (size_t)o->envs + (size_t)o->owns + 2) * sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (!replaced(o, environ[i]) && !is_own(o, part, environ[i]))
            env[n++] = environ[i];
    for (int i = 0; i < o->envs; i++)
        if (!is_own(o, part, o->env[i]))
            env[n++] = (char *)(uintptr_t)o->env[i];
    for (int i = 0; i < o->owns; i++)
        if (o->own[i].part == part)
            env[n++] = (char *)(uintptr_t)o->own[i].text;
    env[n++] = job;
    env[n] = NULL;
    return env;
}

/* ---- One rank ---- */

struct start {
    const struct launch *launch;
    const struct part *part;
    const char *path;
    char **env;
    int in, out, err; /* descriptors; in < 0: ours */
    int link[2];      /* of a board (board_prepare()) */
    pid_t parent;
    const struct rlimit *files;
};

/* dup2(), which keeps close-on-exec where both are the same. 0 or negative; -1 for `from` is nothing to do. */
static int put(int from, int to)
{
    if (from == to)
        return fcntl(to, F_SETFD, 0);
    return from < 0 ? 0 : dup2(from, to);
}

/* Everything where the program looks for it. 0 or negative with errno. */
static int put_all(const struct start *s)
{
    int e = put(s->in, 0) < 0 || put(s->out, 1) < 0 || put(s->err, 2) < 0 || put(s->link[0], BOARD_LINKS) < 0 ||
            put(s->link[1], BOARD_LINKS + 1) < 0;
    return e ? -1 : 0;
}

/* In the child, which shares the parent's memory: system calls only, nothing is written but `*failure`. */
static _Noreturn void become(const struct start *s, volatile int *failure)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != s->parent)
        _exit(1);
    /* Ctrl-\ asks mpiexec for a report; the terminal sends it to all of us. */
    sigaction(SIGQUIT, &ignore, NULL);
    if (put_all(s) == 0 && setrlimit(RLIMIT_NOFILE, s->files) == 0 &&
        sigprocmask(SIG_SETMASK, &s->launch->mask, NULL) == 0 && (!s->part->wdir || chdir(s->part->wdir) == 0))
        execve(s->path, s->part->argv, s->env);
    *failure = errno;
    _exit(127);
}

static pid_t spawn(const struct start *s, int *failure)
{
    volatile int e = 0;
    pid_t pid = vfork();
    if (pid == 0)
        become(s, &e); /* NOLINT(clang-analyzer-unix.Vfork): system calls alone, see there */
    *failure = pid < 0 ? errno : e;
    return pid;
}

static int open_stream(struct stream *t, int rank, struct sink *sink, int prefix, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *t = (struct stream){.fd = ends[0], .rank = rank, .prefix = prefix, .sink = sink, .buf = malloc(STREAM_ROOM)};
    *write_end = ends[1];
    return t->buf ? 0 : ENOMEM;
}

static int start_rank(struct start *s, struct child *c, int rank)
{
    const struct launch *l = s->launch;
    int e = open_stream(&c->out, rank, l->out, l->options->prefix, &s->out);
    if (e)
        return e;
    e = open_stream(&c->err, rank, l->err, l->options->prefix, &s->err);
    if (e)
        return e;
    c->program = s->part->title ? s->part->title : s->part->argv[0];
    board_prepare(s->part, s->link);
    c->pid = spawn(s, &e);
    close(s->out);
    close(s->err);
    return e;
}

/* Two pipes a rank: the soft limit of 1024 descriptors is too few for 500 ranks. The ranks keep theirs. */
static void more_files(struct rlimit *old)
{
    getrlimit(RLIMIT_NOFILE, old);
    struct rlimit most = {.rlim_cur = old->rlim_max, .rlim_max = old->rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
}

/* `s` is ready but for the part; `job` is its last environment string. */
static int launch_part(struct start *s, struct child *child, int first, char *job, size_t job_room)
{
    char path[PATH_MAX];
    const struct options *o = s->launch->options;
    int e = find(s->part, path);
    int null = s->in;
    s->path = path;
    for (int rank = first; rank < first + s->part->ranks && !e; rank++) {
        snprintf(job, job_room, JOB_VARIABLE "=%d:%d", s->launch->job_fd, rank);
        s->in = s->part->in ? s->part->in : rank == 0 && !o->no_stdin ? -1 : null;
        e = start_rank(s, &child[rank], rank);
    }
    s->in = null;
    s->path = NULL;
    return e;
}

int launch_all(const struct launch *l, struct child *child, char *why, unsigned room)
{
    const struct options *o = l->options;
    char job[48];
    struct rlimit files;
    more_files(&files);
    struct start s = {.launch = l, .parent = getpid(), .files = &files};
    s.in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int status = 0;
    for (int i = 0, rank = 0; i < o->parts && !status; rank += o->part[i++].ranks) {
        s.part = &o->part[i];
        s.env = environment(o, i, job);
        int e = s.env && s.in >= 0 ? launch_part(&s, child, rank, job, sizeof job) : errno;
        if (e)
            status = refuse(s.part->argv[0], e, why, room);
        free(s.env);
    }
    if (s.in >= 0)
        close(s.in);
    return status;
}
