/* image_private.c: variables of the C library that every copy has itself, as a process has. Where the linker has moved
 * such a variable into the program (a copy relocation), each copy has one anyhow. Where program and libraries reach it in
 * the C library, or do not name it at all, it is a word of this table: a row for each copy, and words that hold its
 * address are moved along as if the rows were an image.
 *
 * Invariant: all names of one variable lead to one place, in a program's own memory or in the table.
 */
#include "image_parts.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

int image_private_plan(struct images *s)
{
    s->private = calloc((size_t)s->copies * VARIABLES, sizeof *s->private);
    if (!s->private)
        return images_refuse(s, s->image[0].file, "no memory");
    for (int v = 0; v < VARIABLES; v++) {
        const void *first = dlsym(RTLD_DEFAULT, variable[v].name[0]);
        for (int i = 0; first && i < s->copies; i++)
            memcpy(&s->private[i * VARIABLES + v], first, variable[v].bytes);
    }
    return 0;
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
    return &s->private[i * VARIABLES + v];
}
