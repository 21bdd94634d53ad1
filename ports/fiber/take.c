/* take.c: what a rank cannot do, being no process of its own: start processes and threads. Each ends the job and
 * says which function and where; silence would be a job that behaves differently from one of processes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "image.h"
#include "own.h"

enum { WHY_ROOM = 512, PLACE_ROOM = 256 };

/* Where in the program this call came from, perhaps by way of a library of the system: " in main at prog.c:7", or "". */
static void say_place(const struct fiber *f, const void *caller, char *text, size_t room)
{
    char place[PLACE_ROOM];
    uintptr_t at = where_caller(f, (uintptr_t)caller - 1, (uintptr_t)__builtin_frame_address(0));
    snprintf(text, room, "%s%s", where_of(at, place, sizeof place) ? "" : " in ", place);
}

/* In a fiber: does not return. */
static void refuse(const char *name, const char *what, const char *instead, const void *caller)
{
    struct fiber *f = fiber_self();
    char why[WHY_ROOM], place[PLACE_ROOM + 8];
    if (!f)
        return;
    say_place(f, caller, place, sizeof place);
    snprintf(why, sizeof why, "calls %s()%s: %s; %srun without %s", name, place, what, instead,
             fiber_job->options.machine ? "--machine" : "--fibers");
    fiber_end_job(f, 1, why);
}

static void no_process(const char *name, const void *caller)
{
    refuse(name, "a rank is no process of its own here", "", caller);
}

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

/* Libraries that start threads by themselves, by the beginnings of their files' names, and what keeps them from it. */
static const struct {
    const char *library, *setting, *if_set;
} threaded[] = {
    {"libopenblas", "OPENBLAS_NUM_THREADS=1", NULL},
    {"libgomp", "OMP_NUM_THREADS=1", "OMP_THREAD_LIMIT=1"},
    {"libomp", "OMP_NUM_THREADS=1", "OMP_THREAD_LIMIT=1"},
    {"libiomp", "OMP_NUM_THREADS=1", "OMP_THREAD_LIMIT=1"},
    {"libmkl", "MKL_NUM_THREADS=1", NULL},
    {"libblis", "BLIS_NUM_THREADS=1", NULL},
    {"libtbb", NULL, NULL}, /* has no such variable */
};

/* The file that this code is from: a library of the program, or of the process. */
static const char *library_of(const struct fiber *f, const void *caller)
{
    const char *file = NULL, *slash;
    uintptr_t offset;
    Dl_info info;
    if (images_find(f->own->images, (uintptr_t)caller, &file, &offset) < 0)
        file = dladdr(caller, &info) ? info.dli_fname : NULL;
    slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

/* Has the rank this setting ("NAME=1") already? */
static int is_set(const char *setting)
{
    size_t len = strcspn(setting, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)len, setting);
    const char *value = getenv(name);
    return value && strcmp(value, setting + len + 1) == 0;
}

static void say_setting(const struct fiber *f, const void *caller, char *text, size_t room)
{
    const char *library = library_of(f, caller);
    *text = 0;
    for (size_t i = 0; library && i < sizeof threaded / sizeof *threaded; i++) {
        if (strncmp(library, threaded[i].library, strlen(threaded[i].library)))
            continue;
        const char *setting = threaded[i].setting, *next = threaded[i].if_set;
        if (!setting)
            snprintf(text, room, "have %s use one thread, or ", library);
        else
            snprintf(text, room, "%s keeps to it with mpiexec -x %s, or ", library,
                     next && is_set(setting) ? next : setting);
        return;
    }
}

static void no_thread(const char *name, const void *caller)
{
    char setting[WHY_ROOM / 2];
    struct fiber *f = fiber_self();
    if (f) {
        say_setting(f, caller, setting, sizeof setting);
        refuse(name, "a rank has one thread here", setting, caller);
    }
}

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
