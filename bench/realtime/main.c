/* main.c: `mpiexec -n N realtime SUBCOMMAND [options]`. */
#include "realtime.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} subcommands[] = {
    {"pairs", realtime_pairs, "rates of pairs of ranks, alone and many at a time"},
    {"pauses", realtime_pauses, "moments at which the processor was taken away"},
    {"hartstone", realtime_hartstone, "periodic task pairs and their shortest period"},
    {"pmp", realtime_pmp, "a pattern of messages from a file and its shortest period"},
    {"kernels", realtime_kernels, "short Fourier transforms and the transpose in memory"},
    {"chain", realtime_chain, "a chain of processing nodes between a source and a sink"},
    {"grid", realtime_grid, "the mapping that scales: columns, corner turn, rows"},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static void print_usage(FILE *out)
{
    fprintf(out, "usage: mpiexec -n N realtime SUBCOMMAND [options]; SUBCOMMAND --help lists the options\n");
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (subcommands[i].run)
            fprintf(out, "  %-10s %s\n", subcommands[i].name, subcommands[i].about);
}

static int run(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; argc > 1 && i < SUBCOMMANDS; i++)
        if (subcommands[i].run && strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    int help = argc > 1 && strcmp(argv[1], "--help") == 0;
    if (rank == 0 && argc > 1 && !help)
        fprintf(stderr, "realtime: there is no subcommand '%s'; take one of these\n", argv[1]);
    if (rank == 0)
        print_usage(help ? stdout : stderr);
    return help ? 0 : 2;
}

/* Where no rank has threads, locks are not measured. */
static bool wants_threads(int argc, char **argv)
{
    bool wanted = argc > 1 && strcmp(argv[1], "hartstone") == 0;
    for (int i = 2; i < argc; i++)
        wanted = wanted && strcmp(argv[i], "--no-threads") != 0;
    return wanted;
}

int main(int argc, char **argv)
{
    int level, mine, worst;
    MPI_Init_thread(&argc, &argv, wants_threads(argc, argv) ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    mine = run(argc, argv);
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst;
}
