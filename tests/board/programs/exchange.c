/* exchange.c: every node sends numbered blocks to every other, so many rounds and at least so many seconds, and checks what comes: nothing is
 * lost, doubled or out of order. Ends well, or with the error that the library gives when a node cannot be reached.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 40 };

static int rank, size;

static void fill(int *block, int from, int to, int round)
{
    for (int i = 0; i < WORDS; i++)
        block[i] = from * 1000000 + to * 10000 + round * 100 + i;
}

static void round_of(int round)
{
    int out[WORDS], in[WORDS], expected[WORDS];
    for (int shift = 1; shift < size; shift++) {
        int to = (rank + shift) % size, from = (rank + size - shift) % size;
        fill(out, rank, to, round);
        fill(expected, from, rank, round);
        MPI_Sendrecv(out, WORDS, MPI_INT, to, 3, in, WORDS, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < WORDS; i++)
            if (in[i] != expected[i]) {
                printf("rank %d, round %d, from %d: word %d is %d, not %d\n", rank, round, from, i, in[i], expected[i]);
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
    }
}

/* Rank 0 decides for all whether there is another round: their clocks may differ. */
static int another(int done, int rounds, double end_s)
{
    int more = done < rounds || MPI_Wtime() < end_s;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return more;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 5, done = 0;
    double end_s = argc > 2 ? MPI_Wtime() + atoi(argv[2]) : 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("it begins\n");
    while (another(done, rounds, end_s))
        round_of(done++);
    if (rank == 0)
        printf("%d rounds are right\n", done);
    MPI_Finalize();
    return 0;
}
