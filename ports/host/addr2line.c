/* addr2line.c: see addr2line.h. The program of that name comes with every compiler. */
#include "addr2line.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One line of its answer; the length, 0 when there is none. */
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
    char *detail = strstr(text, " (discriminator");
    if (detail)
        *detail = 0;
    return strchr(text, '?') ? 0 : strlen(text);
}

void mpico_addr2line(const char *object, uintptr_t offset, char *text, size_t room)
{
    if (ask(object, offset, text, room) == 0)
        snprintf(text, room, "%s+%#lx", object, (unsigned long)offset);
}
