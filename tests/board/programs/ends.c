/* ends.c: one node ends in the way that the argument names, while the others wait for it. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero;

/* Each call needs more of the stack. */
static int deeper(int n)
{
    volatile char room[200];
    room[n % 200] = 1;
    return deeper(n + 1) + room[n % 200];
}

static int end(const char *how)
{
    int n = 0;
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "mpi_abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
    if (strcmp(how, "leave") == 0)
        exit(0);
    if (strcmp(how, "stack") == 0)
        n = deeper(0);
    if (strcmp(how, "address") == 0)
        n = *(volatile int *)(uintptr_t)0x90000000;
    if (strcmp(how, "division") == 0)
        n = 1000 / zero;
    if (strcmp(how, "heap") == 0)
        while (malloc(1000))
            n = 77; /* the heap has an end, and says so */
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && rank == size - 1)
        code = end(argv[1]);
    if (strcmp(argc > 1 ? argv[1] : "", "hang") == 0)
        MPI_Recv(&code, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
