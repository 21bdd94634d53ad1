/* machine.c: see machine.h. */
#include "machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t machine_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The file's text, cut at `room`; empty when it cannot be read. Its length. */
static size_t read_text(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return n > 0 ? (size_t)n : 0;
}

/* ---- CPUs ---- */

static int fewer(int cpus, long long quota, long long period)
{
    if (quota <= 0 || period <= 0)
        return cpus;
    /* Rounded down: two ranks that spin on a CPU and a half are throttled. */
    long long whole = quota / period < 1 ? 1 : quota / period;
    return whole < cpus ? (int)whole : cpus;
}

/* The limits of a group (version 2) and of all groups around it; `path` is cut up on the way. */
static int limit_v2(int cpus, char *path)
{
    char file[PATH_MAX], text[64];
    for (;;) {
        long long quota, period;
        snprintf(file, sizeof file, "/sys/fs/cgroup%s/cpu.max", path);
        if (read_text(file, text, sizeof text) && sscanf(text, "%lld %lld", &quota, &period) == 2)
            cpus = fewer(cpus, quota, period);
        char *slash = strrchr(path, '/');
        if (!slash)
            return cpus;
        *slash = 0;
    }
}

static int limit_v1(int cpus, const char *path)
{
    char file[PATH_MAX], quota[64], period[64];
    snprintf(file, sizeof file, "/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us", path);
    if (!read_text(file, quota, sizeof quota))
        return cpus;
    snprintf(file, sizeof file, "/sys/fs/cgroup/cpu%s/cpu.cfs_period_us", path);
    read_text(file, period, sizeof period);
    return fewer(cpus, atoll(quota), atoll(period));
}

static int cgroup_limit(int cpus)
{
    char text[4096], *save;
    read_text("/proc/self/cgroup", text, sizeof text);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = 0;
        if (strcmp(path, "/") == 0)
            *path = 0;
        if (names[1] == 0)
            cpus = limit_v2(cpus, path);
        else if (strcmp(names + 1, "cpu,cpuacct") == 0 || strcmp(names + 1, "cpu") == 0)
            cpus = limit_v1(limit_v1(cpus, ""), path); /* in a container the path may be the host's */
    }
    return cpus;
}

int machine_cpus(void)
{
    cpu_set_t *set = CPU_ALLOC(8192);
    size_t bytes = CPU_ALLOC_SIZE(8192);
    int cpus = 1;
    if (set && sched_getaffinity(0, bytes, set) == 0)
        cpus = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
    return cgroup_limit(cpus < 1 ? 1 : cpus);
}

/* ---- Memory ---- */

struct job *machine_job(int ranks, int *fd, char *why, unsigned room)
{
    struct job plan = {0};
    uint64_t bytes = job_layout(&plan, (uint32_t)ranks, (int32_t)machine_cpus(), (uint64_t)sysconf(_SC_PAGESIZE));
    /* Not close-on-exec: the ranks inherit it. */
    *fd = memfd_create("mpico-job", 0);
    int e = *fd < 0 ? errno : 0;
    if (!e && (ftruncate(*fd, (off_t)bytes) || fallocate(*fd, 0, 0, (off_t)bytes)))
        e = errno;
    struct job *job = e ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (job == MAP_FAILED) {
        snprintf(why, room, "cannot reserve %.1f MiB of shared memory for %d ranks: %s", (double)bytes / 1048576, ranks,
                 strerror(e ? e : errno));
        return NULL;
    }
    uint32_t magic = plan.magic;
    plan.magic = 0;
    *job = plan;
    atomic_thread_fence(memory_order_release);
    job->magic = magic;
    return job;
}

/* ---- Processes ---- */

static pid_t parent_of(pid_t pid)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    read_text(path, text, sizeof text);
    const char *after = strrchr(text, ')'); /* the name may hold anything */
    int parent;
    return after && sscanf(after + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

/* We are the subreaper: what a rank's parent leaves behind comes to us. */
static int descends_from(pid_t self, pid_t pid)
{
    while (pid > 1 && pid != self)
        pid = parent_of(pid);
    return pid == self;
}

int machine_threads(int pid)
{
    char path[32];
    int threads = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *d = descends_from(getpid(), pid) ? opendir(path) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        threads += *e->d_name != '.';
    if (d)
        closedir(d);
    return threads;
}

/* ---- The end ---- */

struct family {
    struct {
        pid_t pid, parent;
        int ours;
    } * all;
    size_t count, room;
};

static void family_add(struct family *f, pid_t pid)
{
    if (f->count == f->room) {
        size_t room = f->room ? 2 * f->room : 256;
        void *all = realloc(f->all, room * sizeof *f->all);
        if (!all)
            return;
        f->all = all;
        f->room = room;
    }
    f->all[f->count].pid = pid;
    f->all[f->count].parent = parent_of(pid);
    f->all[f->count++].ours = 0;
}

static int is_ours(const struct family *f, pid_t parent, pid_t self)
{
    if (parent == self)
        return 1;
    for (size_t i = 0; i < f->count; i++)
        if (f->all[i].pid == parent)
            return f->all[i].ours;
    return 0;
}

/* Parents may have higher numbers than children: until nothing changes. */
static void mark(struct family *f, pid_t self)
{
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t i = 0; i < f->count; i++)
            if (!f->all[i].ours && is_ours(f, f->all[i].parent, self))
                changed = f->all[i].ours = 1;
    }
}

static void kill_descendants(void)
{
    struct family f = {0};
    DIR *proc = opendir("/proc");
    if (!proc)
        return;
    for (struct dirent *d; (d = readdir(proc));)
        if (*d->d_name >= '1' && *d->d_name <= '9')
            family_add(&f, atoi(d->d_name));
    closedir(proc);
    mark(&f, getpid());
    for (size_t i = 0; i < f.count; i++)
        if (f.all[i].ours)
            kill(f.all[i].pid, SIGKILL);
    free(f.all);
}

void machine_kill_tree(void)
{
    const struct timespec turn = {.tv_nsec = 1000000};
    for (int round = 0;; round++) {
        pid_t pid;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (pid < 0 && errno == ECHILD)
            return;
        /* One that forks while we look is found in a later round. */
        if (round % 8 == 0)
            kill_descendants();
        nanosleep(&turn, NULL);
    }
}
