/* How a job on a chip ends: the argument says in which way. ../test_chip.py says what must be printed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 7, DEEP = 1 << 20, FRAME = 1024 };

extern int mpico_hart; /* the rank, also before MPI_Init */
static int me, np;
static const int constant = 5;

/* Not a tail call: each level needs its frame. */
static int deeper(int n)
{
    volatile char frame[FRAME];
    frame[n % FRAME] = (char)n;
    return n ? deeper(n - 1) + frame[n % FRAME] : 0;
}

static int as(const char *wanted, const char *way) { return strcmp(wanted, way) == 0; }

/* What rank 1 does wrong; it may return. */
static void fault(const char *way)
{
    if (as("null", way))
        *(volatile int *)(uintptr_t)(me - 1) = 1;
    if (as("stack", way))
        printf("%d\n", deeper(DEEP));
    if (as("constant", way))
        *(volatile int *)(uintptr_t)&constant = 1;
    if (as("instruction", way))
        __asm__ volatile("unimp");
    if (as("abort", way))
        abort();
    if (as("mpi_abort", way))
        MPI_Abort(MPI_COMM_WORLD, 9);
    if (as("leave", way)) {
        printf("no newline");
        exit(3);
    }
}

static void receive(int from)
{
    char byte;
    MPI_Recv(&byte, 1, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "well";
    if (as("never", way) && mpico_hart == 1)
        return 0; /* without a word: the others will wait for it */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (as("never", way))
        receive(1);
    if (as("deadlock", way))
        receive((me + 1) % np);
    if (me == 1)
        fault(way);
    MPI_Finalize();
    return as("codes", way) && me > 0 ? 10 + me : 0;
}
