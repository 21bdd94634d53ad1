/* A megabyte of globals, some with a value at the start, which each rank fills with its own number, and looks at again
 * after all have done so: is it the rank's own? Prints how many ranks found another's values.
 */
#include <mpi.h>
#include <stdio.h>

enum { INTS = 1 << 17 };
static int zeroed[INTS];
static int preset[INTS] = {[0] = 1, [INTS - 1] = 1};

static int holds(int value)
{
    int differ = 0;
    for (int i = 0; i < INTS; i++)
        differ += zeroed[i] != value || preset[i] != value;
    return !differ;
}

int main(int argc, char **argv)
{
    int me, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double start = MPI_Wtime();
    int mine = preset[0] == 1 && preset[INTS - 1] == 1 && zeroed[0] == 0;
    for (int i = 0; i < INTS; i++)
        zeroed[i] = preset[i] = me;
    MPI_Barrier(MPI_COMM_WORLD);
    mine = mine && holds(me);
    const int other = !mine;
    MPI_Reduce(&other, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("{\"wrong_ranks\": %d, \"virtual_us\": %.6f}\n", wrong, (MPI_Wtime() - start) * 1e6);
    MPI_Finalize();
    return 0;
}
