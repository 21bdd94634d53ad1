/* fake_program.c: see fake_program.h. */
#include "fake_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

int program_folder_open(void)
{
    strcpy(folder, "/tmp/mpico-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

void program_folder_close(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command))
        fprintf(stderr, "%s stays\n", folder);
}

const char *program_path(const char *name)
{
    static char path[16][256];
    static unsigned turn;
    char *p = path[turn++ % 16];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

void program_write(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(program_path(name), "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
        abort();
}

unsigned char *program_read(const char *name, size_t *size)
{
    FILE *f = fopen(program_path(name), "rb");
    if (!f || fseek(f, 0, SEEK_END))
        abort();
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, f) != *size)
        abort();
    fclose(f);
    return bytes;
}

static int build(const char *compiler, const char *suffix, const char *name, const char *source, const char *flags)
{
    char file[128], command[2048];
    snprintf(file, sizeof file, "%s.%s", name, suffix);
    program_write(file, source, strlen(source));
    snprintf(command, sizeof command, "cd '%s' && LC_ALL=C '%s' -g -o '%s' '%s' %s >%s.log 2>&1", folder, compiler,
             name, file, flags, name);
    return system(command);
}

int program_build(const char *name, const char *source, const char *flags)
{
    return build(MPICO_TEST_CC, "c", name, source, flags);
}

int program_build_cxx(const char *name, const char *source, const char *flags)
{
    return *MPICO_TEST_CXX ? build(MPICO_TEST_CXX, "cc", name, source, flags) : -1;
}
