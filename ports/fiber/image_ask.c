/* image_ask.c: where a program's libraries are: the dynamic loader is asked, run as ldd does it, so that it looks
 * wherever it would for the program. Nothing of the program runs.
 */
#include "image_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The environment of ldd. The caller frees the array, not the strings. */
static char **tracing_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ && environ[n])
        n++;
    char **list = calloc(n + 2, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        if (strncmp(environ[i], "LD_VERBOSE=", 11) && strncmp(environ[i], "LD_DEBUG", 8) &&
            strncmp(environ[i], "LD_TRACE_", 9) && strncmp(environ[i], "LD_BIND_NOW=", 12))
            list[kept++] = environ[i];
    if (list)
        list[kept] = (char *)"LD_TRACE_LOADED_OBJECTS=1";
    return list;
}

static int spawn_tracing(const char *file, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    char *argv[] = {(char *)file, NULL};
    char **env = tracing_environment();
    if (!env || posix_spawn_file_actions_init(&actions)) {
        free(env);
        return -1;
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(pid, file, &actions, NULL, argv, env);
    posix_spawn_file_actions_destroy(&actions);
    free(env);
    errno = failed;
    return failed ? -1 : 0;
}

static char *read_all(int fd)
{
    off_t bytes = lseek(fd, 0, SEEK_END);
    char *text = bytes >= 0 && bytes < 16 << 20 ? malloc((size_t)bytes + 1) : NULL;
    if (text && pread(fd, text, (size_t)bytes, 0) == bytes) {
        text[bytes] = 0;
        return text;
    }
    free(text);
    return NULL;
}

int image_ask_loader(struct images *s, const char *file, char **text)
{
    pid_t pid;
    int status, fd = memfd_create("libraries", MFD_CLOEXEC);
    if (fd < 0 || spawn_tracing(file, fd, &pid)) {
        if (fd >= 0)
            close(fd);
        return images_refuse(s, file, "its libraries cannot be listed: %s", strerror(errno));
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    *text = read_all(fd);
    close(fd);
    return *text ? 0 : images_refuse(s, file, "its libraries cannot be listed");
}

/* A name with a slash is a path itself. */
char *image_path_listed(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (*line != '\t' || strncmp(line + 1, name, length))
            continue;
        const char *rest = line + 1 + length;
        const char *end = strchrnul(rest, '\n');
        if (!strncmp(rest, " => ", 4)) {
            const char *path = rest + 4, *tail = end;
            while (tail > path && *tail != '(')
                tail--;
            return tail > path + 1 ? strndup(path, (size_t)(tail - 1 - path)) : NULL;
        }
        if (!strncmp(rest, " (0x", 4) && strchr(name, '/'))
            return strdup(name);
    }
    return NULL;
}
