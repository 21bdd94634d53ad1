/* What is a hart's own and what can be read by others: globals, errno, heap and stack are private; long messages
 * arrive from wherever they lie. Lines of all ranks come out whole although a rank is interrupted while it prints.
 * Prints "well" on rank 0.
 */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONG = 20000, LINES = 40, NAPS = 400, HEAP_STEP = 1 << 20 };

int nanosleep(const struct timespec *, struct timespec *);

static int me, np, counter = 100;
static char in[LONG], data[LONG];
static const char constant[LONG] = {1, 2, 3};

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("rank %d: wrong: %s\n", me, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* To the right, from the left, through rank 0. */
static void pass(const char *from, const char *what)
{
    MPI_Sendrecv(from, LONG, MPI_BYTE, (me + 1) % np, 0, in, LONG, MPI_BYTE, (me + np - 1) % np, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    int left = (me + np - 1) % np;
    for (int i = 0; i < LONG; i++)
        check(in[i] == (from == constant ? constant[i] : (char)(left + i)), what);
}

static void fill(char *bytes)
{
    for (int i = 0; i < LONG; i++)
        bytes[i] = (char)(me + i);
}

static void messages(void)
{
    char stack[LONG], *heap = malloc(LONG);
    check(heap != NULL, "memory");
    fill(data);
    fill(stack);
    fill(heap);
    pass(data, "from data");
    pass(stack, "from the stack");
    pass(heap, "from the heap");
    pass(constant, "from constants");
    free(heap);
}

static void own(void)
{
    int sum = 0;
    counter += me;
    errno = 50 + me;
    MPI_Barrier(MPI_COMM_WORLD);
    check(counter == 100 + me, "a global");
    check(errno == 50 + me, "errno");
    MPI_Allreduce(&counter, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum == 100 * np + np * (np - 1) / 2, "the sum");
}

static void heap_ends(void)
{
    int n = 0;
    for (char *p; (p = malloc(HEAP_STEP)); n++)
        p[0] = p[HEAP_STEP - 1] = 1;
    check(n > 0, "the heap's end");
}

/* Rank 0 sleeps and wakes again and again, so that the others stop in the middle of their lines. */
static void lines(void)
{
    if (me == 0)
        for (int i = 0; i < NAPS; i++) {
            nanosleep(&(struct timespec){.tv_nsec = 700 + 10 * i}, NULL);
            if (i % (NAPS / LINES) == 0)
                printf("line %d of rank %d %s\n", i / (NAPS / LINES), me, "abcdefghijklmnopqrstuvwxyz");
        }
    for (int i = 0; i < LINES && me; i++)
        printf("line %d of rank %d %s\n", i, me, "abcdefghijklmnopqrstuvwxyz");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    own();
    messages();
    lines();
    heap_ends();
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("well\n");
    MPI_Finalize();
    return 0;
}
