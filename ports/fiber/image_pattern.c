/* image_pattern.c: the pattern of all copies, made by the dynamic loader. It takes the edited files for libraries,
 * places, relocates and binds them, and finds no constructors to run.
 *
 * Program and libraries come in one dlopen(), so that symbols are looked up as in a process of its own: first in the
 * program (a library's variable that was copied into the program is used there by both), then in the libraries
 * breadth first. For that the edited files ask for each other as "./7", a file descriptor seen from /proc/self/fd: a
 * name that only they use, so that a second program with the same library has another pattern of it.
 */
#include "image_parts.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int edit(struct images *s)
{
    for (int k = 0; k < s->count; k++)
        elf_quiet(&s->image[k].elf);
    for (int k = 0; k < s->count; k++) {
        const struct image *m = &s->image[k];
        char name[32];
        snprintf(name, sizeof name, "./%d", m->fd);
        for (int a = 0; a < m->aliases; a++)
            for (int of = 0; of < s->count; of++)
                if (elf_rename_needed(&s->image[of].elf, m->alias[a], name))
                    return images_refuse(s, s->image[of].file, "the name of its library %s is too short", m->alias[a]);
    }
    return 0;
}

static int asks_for(const struct images *s, const struct elf *e, int target)
{
    const char *name;
    char *end;
    for (size_t i = 0; (name = elf_needed(e, i)); i++)
        if (!strncmp(name, "./", 2) && strtol(name + 2, &end, 10) == s->image[target].fd && *end == 0)
            return 1;
    return 0;
}

/* Linkers may store a name as the tail of another; then one edit has spoilt the other. */
static int check_edit(struct images *s)
{
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i < s->image[k].needs_count; i++)
            if (!asks_for(s, &s->image[k].elf, s->image[k].needs[i]))
                return images_refuse(s, s->image[k].file, "the names of two of its libraries end alike");
    return 0;
}

/* The loader speaks of "./7" and the like; say the file's name. */
static int refuse_loading(struct images *s)
{
    const char *text = dlerror();
    const char *colon = text ? strstr(text, ": ") : NULL;
    for (int k = 0; colon && k < s->count; k++) {
        char tail[32];
        int n = snprintf(tail, sizeof tail, "/%d", s->image[k].fd);
        if (colon - text >= n && !memcmp(colon - n, tail, (size_t)n))
            return images_refuse(s, s->image[k].file, "%s", colon + 2);
    }
    return images_refuse(s, s->image[0].file, "%s", text ? text : "the dynamic loader refuses it");
}

/* The compilers' libraries run their constructors before the program copies variables of theirs (R_*_COPY).
 * C++ streams are made by the first object that asks for them, so ask. */
static int load_runtimes(struct images *s)
{
    static char guard[16]; /* an empty object in C++ */
    for (int i = 0; i < s->runtimes; i++) {
        void *h = dlopen(s->runtime[i], RTLD_NOW | RTLD_LOCAL);
        if (!h)
            return images_refuse(s, s->image[0].file, "%s", dlerror());
        void (*streams)(void *) = (void (*)(void *))dlsym(h, "_ZNSt8ios_base4InitC1Ev");
        if (streams)
            streams(guard);
    }
    return 0;
}

static int load_all(struct images *s)
{
    char name[64];
    /* By process number, as a debugger looks for it from outside. */
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), s->image[0].fd);
    s->image[0].map = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!s->image[0].map)
        return refuse_loading(s);
    for (int k = 1; k < s->count; k++) {
        snprintf(name, sizeof name, "./%d", s->image[k].fd);
        s->image[k].map = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (!s->image[k].map)
            return refuse_loading(s);
    }
    return 0;
}

int image_pattern_load(struct images *s)
{
    if (load_runtimes(s) || edit(s) || check_edit(s))
        return -1;
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (here < 0 || chdir("/proc/self/fd")) {
        if (here >= 0)
            close(here);
        return images_refuse(s, s->image[0].file, "/proc is not mounted");
    }
    int refused = load_all(s);
    if (fchdir(here))
        refused = images_refuse(s, s->image[0].file, "the working directory is gone");
    close(here);
    for (int k = 0; !refused && k < s->count; k++) {
        struct image *m = &s->image[k];
        m->bias = m->map->l_addr;
        m->map->l_name = m->file; /* for debuggers and backtraces; never unloaded, so never freed */
    }
    return refused;
}
