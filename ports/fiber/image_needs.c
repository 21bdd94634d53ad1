/* image_needs.c: which files make up a program. The libraries that a process has once (the C library, the compilers'
 * and libmpi_abi) are told by name; all others belong to the program and are copied with it. Invariant: every image's
 * DT_NEEDED is either shared or one of image[], by one of its aliases.
 */
#include "image_parts.h"

#include <stdlib.h>
#include <string.h>

enum owner { OF_PROCESS, OF_COMPILER, OF_PROGRAM, OF_NOBODY };

/* Names up to ".so". */
static const char *const OF_PROCESS_NAMES[] = {"libc",    "libm",      "libmvec", "libpthread", "libdl",  "librt",
                                               "libutil", "libresolv", "libanl",  "libmpi_abi", "libnsl", NULL};
static const char *const OF_COMPILER_NAMES[] = {"libgcc_s",  "libstdc++", "libgfortran", "libquadmath", "libgomp",
                                                "libatomic", "libc++",    "libc++abi",   "libunwind",   "libomp",
                                                "libubsan",  "libssp",    NULL};
/* Other MPI libraries, and run-times that must be the first in a process. */
static const char *const OF_NOBODY_NAMES[] = {"libmpi", "libmpich", "libasan", "libtsan", "liblsan", "libhwasan", NULL};

static int listed(const char *const *names, const char *name, size_t length)
{
    for (; *names; names++)
        if (strlen(*names) == length && !memcmp(*names, name, length))
            return 1;
    return 0;
}

static enum owner owner_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    const char *so = strstr(name, ".so");
    size_t length = so ? (size_t)(so - name) : strlen(name);
    if (!strncmp(name, "ld-linux", 8) || !strncmp(name, "linux-vdso", 10) || listed(OF_PROCESS_NAMES, name, length))
        return OF_PROCESS;
    if (listed(OF_NOBODY_NAMES, name, length))
        return OF_NOBODY;
    return listed(OF_COMPILER_NAMES, name, length) ? OF_COMPILER : OF_PROGRAM;
}

static int add_need(struct images *s, struct image *m, int target)
{
    if (m->needs_count == (int)(sizeof m->needs / sizeof *m->needs))
        return images_refuse(s, m->file, "it needs more than %d libraries", m->needs_count);
    m->needs[m->needs_count++] = target;
    return 0;
}

static int known(const struct images *s, const char *name)
{
    for (int k = 1; k < s->count; k++)
        for (int a = 0; a < s->image[k].aliases; a++)
            if (!strcmp(s->image[k].alias[a], name))
                return k;
    return -1;
}

static int same_file(const struct images *s, const char *path)
{
    for (int k = 1; k < s->count; k++)
        if (!strcmp(s->image[k].file, path))
            return k;
    return -1;
}

static int add_alias(struct images *s, struct image *m, const char *name)
{
    char **more = realloc(m->alias, ((size_t)m->aliases + 1) * sizeof *more);
    if (more)
        m->alias = more;
    if (!more || !(more[m->aliases] = strdup(name)))
        return images_refuse(s, m->file, "no memory");
    m->aliases++;
    return 0;
}

/* Of the program: its index, a new image the first time. */
static int own_library(struct images *s, const char *list, const char *name)
{
    int k = known(s, name);
    if (k >= 0)
        return k;
    char *path = image_path_listed(list, name);
    if (!path)
        return images_refuse(s, s->image[0].file, "its library %s is not found", name);
    k = same_file(s, path);
    if (k < 0) {
        k = s->count;
        if (!image_file_add(s, path, ELF_LIBRARY))
            return -1;
    } else {
        free(path);
    }
    return add_alias(s, &s->image[k], name) ? -1 : k;
}

static int add_runtime(struct images *s, const char *list, const char *name)
{
    char *path = image_path_listed(list, name);
    if (!path)
        path = strdup(name);
    for (int i = 0; path && i < s->runtimes; i++)
        if (!strcmp(s->runtime[i], path)) {
            free(path);
            return 0;
        }
    char **more = path ? realloc(s->runtime, ((size_t)s->runtimes + 1) * sizeof *more) : NULL;
    if (!more) {
        free(path);
        return images_refuse(s, name, "no memory");
    }
    s->runtime = more;
    more[s->runtimes++] = path;
    return 0;
}

static int add_library(struct images *s, char **list, int of, const char *name)
{
    enum owner owner = owner_of(name);
    if (owner == OF_PROCESS)
        return 0;
    if (owner == OF_NOBODY)
        return images_refuse(
            s, s->image[of].file,
            "it is linked with %s, another MPI or a sanitizer; compile it with mpicc and without those", name);
    if (!*list && image_ask_loader(s, s->image[0].file, list))
        return -1;
    if (owner == OF_COMPILER)
        return add_runtime(s, *list, name);
    int k = own_library(s, *list, name);
    return k < 0 ? -1 : add_need(s, &s->image[of], k);
}

static int has_c_library(const struct elf *e)
{
    const char *name;
    for (size_t k = 0; (name = elf_needed(e, k)); k++)
        if (!strncmp(name, "libc.so.6", 9))
            return 1;
    return 0;
}

/* Depth first; a circle of libraries is entered anywhere. */
static void order_from(struct images *s, int k, uint8_t *seen, int *n)
{
    if (seen[k])
        return;
    seen[k] = 1;
    for (int i = 0; i < s->image[k].needs_count; i++)
        order_from(s, s->image[k].needs[i], seen, n);
    s->order[(*n)++] = k;
}

int image_needs_find(struct images *s, char *program)
{
    char *list = NULL;
    uint8_t seen[IMAGES_MAX] = {0};
    int refused = 0, n = 0;
    if (!image_file_add(s, program, ELF_PROGRAM))
        return -1;
    if (!has_c_library(&s->image[0].elf))
        return images_refuse(s, program, "it does not use the GNU C library as a shared library");
    for (int of = 0; of < s->count && !refused; of++) {
        const char *name;
        for (size_t k = 0; !refused && (name = elf_needed(&s->image[of].elf, k)); k++)
            refused = add_library(s, &list, of, name);
    }
    free(list);
    if (refused)
        return -1;
    order_from(s, 0, seen, &n);
    return 0;
}
