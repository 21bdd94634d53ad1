/* pipe_eleven.c: the eleven functions of the ring paper and no others: each is checked at each root, with short and long blocks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef LONGEST
#define LONGEST 3000 /* less where memory is short */
#endif
enum { RANKS_MAX = LONGEST < 1000 ? 8 : 32 };

static int rank, size;
static int block[LONGEST], all[LONGEST * RANKS_MAX];

static int cell(int from, int i) { return from * 100003 + i; }

/* Not MPI_Abort(), which is the twelfth: the others learn of it as of a node that died. */
static void expect(const char *what, int root, int count, int i, int got, int wanted)
{
    if (got == wanted)
        return;
    fprintf(stderr, "%s, rank %d of %d, root %d, %d elements: element %d is %d, not %d\n", what, rank, size, root,
            count, i, got, wanted);
    exit(1);
}

static void fill(int count)
{
    for (int i = 0; i < count; i++)
        block[i] = cell(rank, i);
    for (int i = 0; i < count * size; i++)
        all[i] = -1;
}

static void send_around(int count)
{
    int left = (rank + size - 1) % size;
    fill(count);
    if (size == 1)
        return;
    if (rank == 0)
        MPI_Send(block, count, MPI_INT, 1, count, MPI_COMM_WORLD);
    MPI_Recv(all, count, MPI_INT, left, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0)
        MPI_Send(block, count, MPI_INT, (rank + 1) % size, count, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("send", left, count, i, all[i], cell(left, i));
}

static void from_root(int root, int count)
{
    fill(count);
    MPI_Bcast(block, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("bcast", root, count, i, block[i], cell(root, i));
    for (int i = 0; i < count * size; i++)
        all[i] = cell(root, i);
    MPI_Scatter(all, count, MPI_INT, block, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("scatter", root, count, i, block[i], cell(root, rank * count + i));
}

static void to_root(int root, int count)
{
    fill(count);
    MPI_Gather(block, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < count * size; i++)
        expect("gather", root, count, i, all[i], cell(i / count, i % count));
    fill(count);
    MPI_Allgather(block, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < count * size; i++)
        expect("allgather", root, count, i, all[i], cell(i / count, i % count));
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 100, LONGEST};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int c = 0; c < 4 && size <= RANKS_MAX; c++) {
        send_around(counts[c]);
        for (int root = 0; root < size; root++) {
            from_root(root, counts[c]);
            to_root(root, counts[c]);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return size > RANKS_MAX;
}
