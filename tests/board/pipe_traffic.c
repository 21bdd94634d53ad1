/* pipe_traffic.c: every rank sends numbered blocks to every other, short and long, and sums over all: what comes is checked word by
 * word. The argument is the number of rounds. With ARENA_BYTES the rank has that much memory.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 3000 };

#ifdef ARENA_BYTES
unsigned char mpico_arena[ARENA_BYTES];
const size_t mpico_arena_bytes = sizeof mpico_arena;
#endif

static int rank, size;

static int word(int from, int to, int round, int i) { return from * 1000003 + to * 10007 + round * 101 + i; }

static void wrong(const char *what, int got, int wanted)
{
    fprintf(stderr, "rank %d: %s: %d, not %d\n", rank, what, got, wanted);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void exchange(int round, int words)
{
    static int out[WORDS], in[WORDS];
    for (int shift = 1; shift < size; shift++) {
        int to = (rank + shift) % size, from = (rank + size - shift) % size;
        for (int i = 0; i < words; i++)
            out[i] = word(rank, to, round, i);
        MPI_Sendrecv(out, words, MPI_INT, to, 3, in, words, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < words; i++)
            if (in[i] != word(from, rank, round, i))
                wrong("a word of a message", in[i], word(from, rank, round, i));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    for (int round = 0; round < rounds; round++) {
        int sum = 0;
        exchange(round, round % 3 ? 20 : WORDS);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != size * (size - 1) / 2)
            wrong("the sum of the ranks", sum, size * (size - 1) / 2);
        if (rank == 0 && round == 0) {
            printf("it runs\n");
            fflush(stdout);
        }
    }
    MPI_Finalize();
    if (rank == 0)
        printf("%d rounds are right\n", rounds);
    return 0;
}
