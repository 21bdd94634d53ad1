/* environment.c: the first line of every run. */
#define _POSIX_C_SOURCE 200809L

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/report.h"

static void report_library(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    MPI_Get_library_version(version, &len);
    version[strcspn(version, "\r\n")] = '\0';
    report_text("library", version);
}

/* Which of the names stand first of their kind; returns how many. */
static int distinct(char (*names)[MPI_MAX_PROCESSOR_NAME], int n, const char **out)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < found && strcmp(out[j], names[i]) != 0)
            j++;
        if (j == found)
            out[found++] = names[i];
    }
    return found;
}

/* Collective. */
static void report_hosts(void)
{
    int rank, ranks, len;
    char mine[MPI_MAX_PROCESSOR_NAME] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Get_processor_name(mine, &len);
    size_t n = rank == 0 ? (size_t)ranks : 1;
    char(*all)[MPI_MAX_PROCESSOR_NAME] = calloc(n, sizeof *all);
    const char **out = calloc(n, sizeof *out);
    if (!all || !out)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Gather(mine, (int)sizeof mine, MPI_CHAR, all, (int)sizeof mine, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        report_texts("hosts", out, distinct(all, ranks, out));
    free(out);
    free(all);
}

static void report_date(void)
{
    char date[32];
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts))
        report_text("date", date);
}

void report_environment(const struct clock *clock, int argc, char **argv)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    report_begin("environment");
    report_library();
    report_whole("ranks", ranks);
    report_hosts();
    report_flag("virtual", clock->is_virtual);
    report_number("tick_s", clock->tick_s);
    report_text("subcommand", argc > 0 ? argv[0] : "");
    report_texts("arguments", (const char *const *)(argv + 1), argc > 1 ? argc - 1 : 0);
    if (!clock->is_virtual)
        report_date();
    report_end();
}
