/* where.c: the source line of an address in the running program, for the report of a fatal error. The debug
 * information is read by addr2line, which comes with every compiler; without it, or without debug
 * information, the object and offset are given, which a debugger understands.
 */
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

extern char **environ;

struct search {
    uintptr_t address, base;
    const char *name;
    int found;
};

static int holds(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    struct search *s = data;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && s->address - start < part->p_memsz) {
            s->base = object->dlpi_addr;
            s->name = object->dlpi_name[0] ? object->dlpi_name : "/proc/self/exe";
            return s->found = 1;
        }
    }
    return 0;
}

static struct search object_of(uintptr_t address)
{
    struct search s = {.address = address};
    dl_iterate_phdr(holds, &s);
    return s;
}

/* One line of addr2line's answer; its length, 0 when there is none. */
static size_t ask(const char *object, uintptr_t offset, char *text, size_t room)
{
    char at[32];
    snprintf(at, sizeof at, "%#lx", (unsigned long)offset);
    char *argv[] = {(char[]){"addr2line"}, (char[]){"-spfe"}, (char *)(uintptr_t)object, at, NULL};
    int ends[2];
    if (pipe(ends))
        return 0;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    posix_spawn_file_actions_addclose(&files, 2);
    pid_t pid;
    int e = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    ssize_t n = e ? 0 : read(ends[0], text, room - 1);
    close(ends[0]);
    if (!e)
        waitpid(pid, NULL, 0);
    size_t len = n > 0 ? (size_t)n : 0;
    text[len] = 0;
    text[strcspn(text, "\n")] = 0;
    return strchr(text, '?') ? 0 : strlen(text);
}

int mpico_process_where(struct rank *r, const void *address, char *text, size_t room)
{
    (void)r;
    struct search s = object_of((uintptr_t)address), own = object_of((uintptr_t)mpico_process_where);
    if (!s.found || (s.base == own.base && strcmp(s.name, "/proc/self/exe") != 0))
        return -1;
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    const char *object = strcmp(s.name, "/proc/self/exe") == 0 ? program : s.name;
    uintptr_t offset = s.address - s.base - 1; /* the call is before the address it returns to */
    if (ask(object, offset, text, room) == 0)
        snprintf(text, room, "%s+%#lx", object, (unsigned long)offset);
    return 0;
}
