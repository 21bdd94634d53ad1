/* See common.h. Linux only: benchmarks may ask the kernel for what MPI does not offer. */
#define _GNU_SOURCE
#include "common.h"

#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void give_up(const char *why)
{
    fprintf(stderr, "benchmark: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort();
}

void need_ranks(int least)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < least)
        give_up("too few ranks");
}

void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        give_up("cannot pin to that CPU");
}

void pin_pair(int argc, char **argv, int rank)
{
    int cpu[2] = {0, 1};
    const char *text = option(argc, argv, "--cpus", "0,1");
    if (sscanf(text, "%d,%d", &cpu[0], &cpu[1]) != 2)
        give_up("--cpus wants two numbers, as 0,1");
    if (rank < 2)
        pin(cpu[rank]);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

const char *option(int argc, char **argv, const char *name, const char *fallback)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], name))
            return argv[i + 1];
    return fallback;
}

int option_int(int argc, char **argv, const char *name, int fallback)
{
    const char *text = option(argc, argv, name, NULL);
    return text ? atoi(text) : fallback;
}

bool has_flag(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return true;
    return false;
}

void *shared_page(int rank)
{
    const size_t bytes = 4096;
    int where[2] = {0, 0}, fd; /* process, and the descriptor's number there */
    if (rank == 0) {
        fd = memfd_create("bench", MFD_CLOEXEC);
        if (fd < 0 || ftruncate(fd, (off_t)bytes))
            give_up("cannot make a memfd");
        where[0] = (int)getpid();
        where[1] = fd;
        MPI_Send(where, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        char path[64];
        MPI_Recv(where, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        snprintf(path, sizeof path, "/proc/%d/fd/%d", where[0], where[1]);
        fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0)
            give_up("cannot open the other rank's memfd");
    }
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (page == MAP_FAILED)
        give_up("cannot map the shared page");
    /* Rank 0 keeps its descriptor until the other rank has opened it. */
    int opened = 1;
    if (rank == 0)
        MPI_Recv(&opened, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&opened, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    close(fd);
    return page;
}
