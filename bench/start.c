/* The least an MPI program does: Init, Barrier, Finalize. Timed from outside, so it prints nothing.
 *
 * With --memory each rank prints one JSON line: its resident memory and the library it really runs on. The kernel keeps
 * VmRSS in per-CPU batches, so the exact sum over the mappings is given beside it.
 */
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* A field "Name:   123 kB" of a file in /proc, or -1. */
static long field_kb(const char *path, const char *name)
{
    char text[256];
    long kb = -1;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (kb < 0 && fgets(text, sizeof text, file))
        if (!strncmp(text, name, strlen(name)))
            sscanf(text + strlen(name), ": %ld", &kb);
    fclose(file);
    return kb;
}

static void print_memory(void)
{
    int me, length;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    /* Before anything below touches more pages. */
    const long rss = field_kb("/proc/self/status", "VmRSS");
    const long most = field_kb("/proc/self/status", "VmHWM");
    const long exact = field_kb("/proc/self/smaps_rollup", "Rss");
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Get_library_version(library, &length);
    for (char *c = library; *c; c++)
        if (*c == '"' || *c == '\\' || *c < ' ')
            *c = ' ';
    printf("{\"bench\": \"memory\", \"rank\": %d, \"rss_kb\": %ld, \"most_kb\": %ld, \"exact_kb\": %ld, "
           "\"library\": \"%.60s\"}\n",
           me, rss, most, exact, library);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (has_flag(argc, argv, "--memory"))
        print_memory();
    MPI_Finalize();
    return 0;
}
