/* take_environ.c: a rank's own environment, in its own `environ`, which the program may also read and replace. The C
 * library looks names up in the process's environment itself, as localtime() does with TZ: so what a rank
 * sets is set there too, and the last one counts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "own.h"

static char ***environ_of(struct fiber *f)
{
    if (!f->own->environ)
        f->own->environ = images_private(f->own->images, f->own->copy, "environ");
    return f->own->environ;
}

/* The entry of this name, or the NULL at the list's end. */
static char **find(char **list, const char *name, size_t len)
{
    while (*list && (strncmp(*list, name, len) || (*list)[len] != '='))
        list++;
    return list;
}

/* Room for one more entry, in a list that is ours to lengthen. */
static int lengthen(struct fiber *f)
{
    char ***list = environ_of(f), **old = *list == f->own->entries ? *list : NULL;
    size_t entries = 0;
    while (*list && (*list)[entries])
        entries++;
    char **more = realloc(old, (entries + 2) * sizeof *more);
    if (!more)
        return -1;
    if (!old && entries)
        memcpy(more, *list, entries * sizeof *more);
    if (!old)
        free(f->own->entries);
    more[entries] = more[entries + 1] = NULL;
    *list = f->own->entries = more;
    return 0;
}

/* Entries that are replaced are not freed: the program may still hold them. */
static int put(struct fiber *f, char *entry, size_t len)
{
    char ***list = environ_of(f), **at = *list ? find(*list, entry, len) : NULL;
    if (!at || !*at) {
        if (lengthen(f))
            return -1;
        at = find(*list, entry, len);
    }
    *at = entry;
    return 0;
}

static int is_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return 1;
    errno = EINVAL;
    return 0;
}

char *getenv(const char *name)
{
    static char *(*real)(const char *);
    struct fiber *f = fiber_self();
    if (!f) {
        if (!real)
            real = fiber_real("getenv");
        return real(name);
    }
    size_t len = strlen(name);
    char **list = *environ_of(f), **at = list && len ? find(list, name, len) : NULL;
    return at && *at ? *at + len + 1 : NULL;
}

char *secure_getenv(const char *name) { return getenv(name); }

int setenv(const char *name, const char *value, int overwrite)
{
    int (*real)(const char *, const char *, int) = fiber_real("setenv");
    struct fiber *f = fiber_self();
    char *entry;
    if (!f)
        return real(name, value, overwrite);
    if (!is_name(name))
        return -1;
    if (!overwrite && getenv(name))
        return 0;
    if (asprintf(&entry, "%s=%s", name, value) < 0 || put(f, entry, strlen(name)))
        return -1;
    return real(name, value, 1);
}

int unsetenv(const char *name)
{
    int (*real)(const char *) = fiber_real("unsetenv");
    struct fiber *f = fiber_self();
    if (!f)
        return real(name);
    if (!is_name(name))
        return -1;
    for (char **at = *environ_of(f); at && *(at = find(at, name, strlen(name)));)
        for (char **next = at; (*next = next[1]); next++)
            ;
    return real(name);
}

int putenv(char *entry)
{
    int (*real)(char *) = fiber_real("putenv");
    struct fiber *f = fiber_self();
    const char *end = strchr(entry, '=');
    if (!f)
        return real(entry);
    if (!end)
        return unsetenv(entry);
    return put(f, entry, (size_t)(end - entry)) ? -1 : real(entry);
}

/* The process keeps what it has: other ranks have not cleared theirs. */
int clearenv(void)
{
    int (*real)(void) = fiber_real("clearenv");
    struct fiber *f = fiber_self();
    if (!f)
        return real();
    *environ_of(f) = NULL;
    return 0;
}
