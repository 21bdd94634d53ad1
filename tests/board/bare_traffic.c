/* bare_traffic.c: messages of a bare ring (src/bare): each rank sends to each other one, whose receives take them by tag, by source or as they
 * come; lengths around those of a frame; then all collectives at a root that moves on. The argument: how many rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 1200, RANKS_MAX = 16 };

#ifdef ARENA_BYTES /* of the library, where the port lets a program bring it */
_Alignas(8) unsigned char mpico_arena[ARENA_BYTES];
const size_t mpico_arena_bytes = sizeof mpico_arena;
#endif

static int rank, size;
static unsigned char block[LONGEST], all[LONGEST * RANKS_MAX];
static const int lengths[] = {0, 1, 3, 4, 243, 244, 245, 488, 700, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static unsigned char byte(int from, int round, int i)
{
    return (unsigned char)(from * 29 + round * 7 + i * 11 + i / 256);
}

static void expect(int good, const char *what, int a, int b)
{
    if (good)
        return;
    fprintf(stderr, "rank %d of %d: %s: %d, %d\n", rank, size, what, a, b);
    exit(1);
}

static void fill(unsigned char *at, int from, int round, int count)
{
    for (int i = 0; i < count; i++)
        at[i] = byte(from, round, i);
}

static void expect_block(const char *what, const unsigned char *at, int from, int round, int count)
{
    for (int i = 0; i < count; i++)
        expect(at[i] == byte(from, round, i), what, i, at[i]);
}

/* Two messages with different tags to everybody; while one rank sends the others receive. */
static void exchange(int round)
{
    for (int sender = 0; sender < size; sender++) {
        int count = lengths[(round + sender) % LENGTHS], got = -1;
        MPI_Status status = {0};
        if (rank == sender) {
            fill(block, rank, round, count);
            for (int to = 0; to < size; to++) {
                if (to == rank)
                    continue;
                MPI_Send(block, count, MPI_BYTE, to, round, MPI_COMM_WORLD);
                MPI_Send(&count, 1, MPI_INT, to, round + 1, MPI_COMM_WORLD);
            }
            continue;
        }
        MPI_Recv(all, LONGEST, MPI_BYTE, round % 2 ? sender : MPI_ANY_SOURCE, round % 3 ? round : MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
        expect(status.MPI_TAG == round, "tag", status.MPI_TAG, round);
        MPI_Get_count(&status, MPI_BYTE, &got);
        count = lengths[(round + status.MPI_SOURCE) % LENGTHS];
        expect(got == count, "length", got, count);
        expect_block("message", all, status.MPI_SOURCE, round, count);
        MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got == count, "second message", got, count);
    }
}

/* All send to one rank at a time, which takes the highest rank first: the others wait. */
static void converge(int round)
{
    int to = round % size;
    if (rank != to) {
        MPI_Send(&rank, 1, MPI_INT, to, 5, MPI_COMM_WORLD);
        return;
    }
    for (int from = size - 1; from >= 0; from--) {
        int got = -1;
        if (from == rank)
            continue;
        MPI_Recv(&got, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got == from, "converge", got, from);
    }
}

static void collectives(int round)
{
    int root = round % size, count = lengths[round % LENGTHS];
    fill(block, rank, round, count);
    MPI_Bcast(block, count, MPI_BYTE, root, MPI_COMM_WORLD);
    expect_block("bcast", block, root, round, count);
    fill(block, rank, round, count);
    MPI_Gather(block, count, MPI_BYTE, all, count, MPI_BYTE, root, MPI_COMM_WORLD);
    for (int from = 0; rank == root && from < size; from++)
        expect_block("gather", all + from * count, from, round, count);
    MPI_Scatter(all, count, MPI_BYTE, rank == root ? MPI_IN_PLACE : block, count, MPI_BYTE, root, MPI_COMM_WORLD);
    expect_block("scatter", block, rank, round, count);
    fill(all + rank * count, rank, round, count);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD);
    for (int from = 0; from < size; from++)
        expect_block("allgather", all + from * count, from, round, count);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void alone(void)
{
    int one = 1, two = 0, n = 0;
    MPI_Comm_size(MPI_COMM_SELF, &n);
    MPI_Allgather(&one, 1, MPI_INT, &two, 1, MPI_INT, MPI_COMM_SELF);
    expect(n == 1 && two == 1, "self", n, two);
    MPI_Send(&one, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&two, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : LENGTHS;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect(size <= RANKS_MAX, "too many ranks", size, RANKS_MAX);
    alone();
    for (int round = 0; round < rounds; round++) {
        exchange(round);
        MPI_Barrier(MPI_COMM_WORLD); /* or a wildcard would meet the next round */
        converge(round);
        collectives(round);
        if (round == 0 && rank == 0) {
            printf("it runs\n");
            fflush(stdout);
        }
    }
    if (rank == 0)
        printf("%d rounds are right\n", rounds);
    MPI_Finalize();
    return 0;
}
