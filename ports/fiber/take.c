/* take.c: what a rank cannot do, being no process of its own: start processes and threads. Each ends the job and
 * says which function and where; silence would be a job that behaves differently from one of processes.
 */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include "own.h"

enum { WHY_ROOM = 512, PLACE_ROOM = 256 };

/* In a fiber: does not return. */
static void refuse(const char *name, const char *what, const void *caller)
{
    struct fiber *f = fiber_self();
    char why[WHY_ROOM], place[PLACE_ROOM];
    if (!f)
        return;
    int placed = fiber_where(f->state, caller, place, sizeof place) == 0;
    snprintf(why, sizeof why, "calls %s()%s%s: %s; run without %s", name, placed ? " in " : "", placed ? place : "",
             what, fiber_job->options.machine ? "--machine" : "--fibers");
    fiber_end_job(f, 1, why);
}

static void no_process(const char *name, const void *caller)
{
    refuse(name, "a rank is no process of its own here", caller);
}

static void no_thread(const char *name, const void *caller) { refuse(name, "a rank has one thread here", caller); }

#define CALLER __builtin_return_address(0)

/* ---- Processes ---- */

pid_t fork(void)
{
    no_process("fork", CALLER);
    pid_t (*real)(void) = fiber_real("fork");
    return real();
}

/* Its child would return through our frame: fork() serves whoever is no fiber. */
pid_t vfork(void)
{
    no_process("vfork", CALLER);
    return fork();
}

int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    (void)function, (void)stack, (void)flags, (void)argument;
    no_process("clone", CALLER);
    errno = ENOSYS;
    return -1;
}

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict files,
                const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const envp[restrict])
{
    no_process("posix_spawn", CALLER);
    int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
                char *const *) = fiber_real("posix_spawn");
    return real(pid, path, files, attributes, argv, envp);
}

int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *restrict files,
                 const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const envp[restrict])
{
    no_process("posix_spawnp", CALLER);
    int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
                char *const *) = fiber_real("posix_spawnp");
    return real(pid, file, files, attributes, argv, envp);
}

int system(const char *command)
{
    if (command)
        no_process("system", CALLER);
    int (*real)(const char *) = fiber_real("system");
    return real(command);
}

FILE *popen(const char *command, const char *mode)
{
    no_process("popen", CALLER);
    FILE *(*real)(const char *, const char *) = fiber_real("popen");
    return real(command, mode);
}

int execve(const char *path, char *const argv[], char *const envp[])
{
    no_process("execve", CALLER);
    int (*real)(const char *, char *const *, char *const *) = fiber_real("execve");
    return real(path, argv, envp);
}

int execv(const char *path, char *const argv[])
{
    no_process("execv", CALLER);
    return execve(path, argv, environ);
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
    no_process("execvpe", CALLER);
    int (*real)(const char *, char *const *, char *const *) = fiber_real("execvpe");
    return real(file, argv, envp);
}

int execvp(const char *file, char *const argv[])
{
    no_process("execvp", CALLER);
    return execvpe(file, argv, environ);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
    no_process("fexecve", CALLER);
    int (*real)(int, char *const *, char *const *) = fiber_real("fexecve");
    return real(fd, argv, envp);
}

/* Those with a list of arguments only refuse: nothing but a program calls them. */
static int no_list(const char *name, const void *caller)
{
    no_process(name, caller);
    errno = ENOSYS;
    return -1;
}

int execl(const char *path, const char *argument, ...)
{
    (void)path, (void)argument;
    return no_list("execl", CALLER);
}

int execlp(const char *file, const char *argument, ...)
{
    (void)file, (void)argument;
    return no_list("execlp", CALLER);
}

int execle(const char *path, const char *argument, ...)
{
    (void)path, (void)argument;
    return no_list("execle", CALLER);
}

/* ---- Threads ---- */

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*function)(void *),
                   void *restrict argument)
{
    no_thread("pthread_create", CALLER);
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = fiber_real("pthread_create");
    return real(thread, attributes, function, argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    no_thread("thrd_create", CALLER);
    int (*real)(thrd_t *, thrd_start_t, void *) = fiber_real("thrd_create");
    return real(thread, function, argument);
}
