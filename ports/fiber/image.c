/* image.c: the image loader as a whole, see image.h; image_parts.h says which file does what.
 * Once loaded, a set of images is never unloaded: it lives as long as its process.
 */
#include "image_parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int images_refuse(struct images *s, const char *file, const char *format, ...)
{
    char sentence[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    snprintf(s->why, s->room, "%s cannot run many times in one process: %s", file, sentence);
    return -1;
}

static int is_executable_file(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return 0;
    if (!S_ISREG(st.st_mode) || access(path, X_OK)) {
        errno = EACCES;
        return 0;
    }
    return 1;
}

/* As execvp: a name without a slash is looked for in PATH. NULL with errno; the caller frees. */
static char *find_program(const char *name)
{
    const char *path = strchr(name, '/') ? NULL : getenv("PATH");
    if (!path)
        return is_executable_file(name) ? strdup(name) : NULL;
    int reason = ENOENT;
    for (const char *end; *path; path = *end ? end + 1 : end) {
        char *candidate;
        end = strchrnul(path, ':');
        if (asprintf(&candidate, "%.*s%s%s", (int)(end - path), path, end > path ? "/" : "", name) < 0)
            return NULL;
        if (is_executable_file(candidate))
            return candidate;
        if (errno == EACCES)
            reason = EACCES;
        free(candidate);
    }
    errno = reason;
    return NULL;
}

/* The files in memory have served when the plan is made; the loader has its own mappings. */
static void forget_files(struct images *s)
{
    for (int i = 0; i < s->count; i++) {
        struct elf *e = &s->image[i].elf;
        munmap(e->bytes, e->size);
        e->bytes = NULL;
        e->size = 0;
    }
    for (int i = 0; i < s->runtimes; i++)
        free(s->runtime[i]);
    free(s->runtime);
    s->runtime = NULL;
    s->runtimes = 0;
}

/* After a refusal. What the dynamic loader has of it stays, with its name and number. */
static void release(struct images *s)
{
    for (int k = 0; k < s->count; k++) {
        struct image *m = &s->image[k];
        for (int a = 0; a < m->aliases; a++)
            free(m->alias[a]);
        for (size_t p = 0; p < m->saveds; p++)
            free(m->saved[p].contents);
        free(m->saved);
        free(m->alias);
        free(m->fixup);
        if (!m->map) {
            free(m->file);
            close(m->fd);
        }
    }
    if (s->layout >= 0)
        close(s->layout);
    image_private_release(s);
    free(s);
}

static int load(struct images *s, char *file, size_t window_bytes)
{
    int refused = image_needs_find(s, file) || image_pattern_load(s) || image_private_plan(s) || image_amend(s) ||
                  image_tls_plan(s, window_bytes) || image_copy_plan(s);
    image_frames_plan(s);
    forget_files(s);
    return refused;
}

struct images *images_load(const char *program, int copies, size_t window_bytes, char *why, size_t room)
{
    char *file = find_program(program);
    if (!file) {
        snprintf(why, room, "%s cannot be started: %s", program, strerror(errno));
        return NULL;
    }
    struct images *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(why, room, "%s cannot be started: no memory", program);
        free(file);
        return NULL;
    }
    s->copies = copies;
    s->why = why;
    s->room = room;
    s->layout = -1;
    if (load(s, file, window_bytes)) {
        release(s);
        return NULL;
    }
    s->why = NULL;
    return s;
}

void *images_entry(const struct images *s, int i)
{
    return (void *)(image_bias(s, &s->image[0], i) + s->image[0].elf.entry);
}

int image_of(const struct images *s, uint64_t address)
{
    for (int k = 0; k < s->count; k++) {
        const struct image *m = &s->image[k];
        if (address - (m->bias + m->elf.low) < m->elf.high - m->elf.low)
            return k;
    }
    return image_private_has(s, address) ? IMAGE_PRIVATE : -1;
}

static const struct image *image_at(const struct images *s, uintptr_t address, int *copy)
{
    uintptr_t inside = address - (uintptr_t)s->slab;
    size_t slab_bytes = s->slab ? (size_t)(s->copies - 1) * s->stride : 0;
    *copy = inside < slab_bytes ? (int)(inside / s->stride) + 1 : 0;
    for (int k = 0; k < s->count; k++) {
        const struct image *m = &s->image[k];
        if (address - (image_bias(s, m, *copy) + m->elf.low) < m->elf.high - m->elf.low)
            return m;
    }
    return NULL;
}

int images_find(const struct images *s, uintptr_t address, const char **file, uintptr_t *offset)
{
    int copy;
    const struct image *m = image_at(s, address, &copy);
    if (!m)
        return -1;
    *file = m->file;
    *offset = address - image_bias(s, m, copy);
    return copy;
}
