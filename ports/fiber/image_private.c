/* image_private.c: variables of the C library that every copy has itself, as a process has. Where the linker has moved
 * such a variable into the program (a copy relocation), each copy has one anyhow. Where program and libraries reach it in
 * the C library, or do not name it at all, it is a word of this table: a row for each copy, and words that hold its
 * address are moved along as if the rows were an image.
 *
 * Invariant: all names of one variable lead to one place, in a program's own memory or in the table.
 */
#include "image_parts.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

enum { VARIABLES = 10, NAMES = 3 };

static const struct {
    const char *name[NAMES];
    size_t bytes;
} variable[VARIABLES] = {
    {{"optarg"}, sizeof(char *)},
    {{"optind"}, sizeof(int)},
    {{"opterr"}, sizeof(int)},
    {{"optopt"}, sizeof(int)},
    {{"environ", "__environ", "_environ"}, sizeof(char **)},
    {{"program_invocation_name", "__progname_full"}, sizeof(char *)},
    {{"program_invocation_short_name", "__progname"}, sizeof(char *)},
    {{"stdin"}, sizeof(void *)},
    {{"stdout"}, sizeof(void *)},
    {{"stderr"}, sizeof(void *)},
};

/* Negative: none of them. */
static int find(const char *name)
{
    for (int v = 0; v < VARIABLES; v++)
        for (int n = 0; n < NAMES && variable[v].name[n]; n++)
            if (!strcmp(variable[v].name[n], name))
                return v;
    return -1;
}

static uint64_t *row(const struct images *s, int i) { return s->private + (size_t)i * VARIABLES; }

/* One row more, the last, is what all begin with. */
static size_t bytes_of(const struct images *s) { return ((size_t)s->copies + 1) * VARIABLES * sizeof *s->private; }

/* Reserved for as many copies as are asked for; what is made takes memory. */
int image_private_plan(struct images *s)
{
    void *rows = mmap(NULL, bytes_of(s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (rows == MAP_FAILED)
        return images_refuse(s, s->image[0].file, "%d copies of it need more addresses than there are", s->copies);
    s->private = rows;
    for (int v = 0; v < VARIABLES; v++) {
        const void *first = dlsym(RTLD_DEFAULT, variable[v].name[0]);
        if (first)
            memcpy(&row(s, s->copies)[v], first, variable[v].bytes);
    }
    image_private_make(s, 0);
    return 0;
}

void image_private_make(struct images *s, int i)
{
    memcpy(row(s, i), row(s, s->copies), VARIABLES * sizeof *s->private);
}

void image_private_release(struct images *s)
{
    if (s->private)
        munmap(s->private, bytes_of(s));
}

int image_private_has(const struct images *s, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)s->private < VARIABLES * sizeof *s->private;
}

uint64_t image_private_stride(void) { return VARIABLES * sizeof(uint64_t); }

void *images_private(const struct images *s, int i, const char *name)
{
    int v = find(name);
    if (v < 0)
        return NULL;
    for (int n = 0; n < NAMES && variable[v].name[n]; n++) {
        void *own = images_symbol(s, i, variable[v].name[n]);
        if (own)
            return own;
    }
    return &row(s, i)[v];
}
