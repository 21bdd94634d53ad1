/* chip.c: what messages and collectives cost on a chip, in instructions of all harts together.
 *
 * In the emulator, run with -icount shift=0, the `instret` register counts every instruction that any hart executes,
 * and harts that sleep execute none. So the difference of two readings on rank 0, with all other ranks in the
 * operation or asleep, is exact, and two runs give the same. One line a result: name, ranks, bytes, instructions of
 * one operation.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hart.h"

enum {
    WARM = 16 /* longer than it takes all ranks to leave a barrier */,
    ROUNDS = 32,
    SHORT = 4,
    LONG = 1024,
    LINE = 64,
    TAG = 1
};

static int me, np;
static unsigned char in[HARTS_MAX * LONG], out[LONG];

static uint64_t instructions(void)
{
    uint64_t n;
    __asm__ volatile("csrr %0, instret" : "=r"(n)::"memory");
    return n;
}

static void print(const char *name, int bytes, uint64_t total, int operations)
{
    if (me == 0)
        printf("%s %d %d %lu\n", name, np, bytes, (unsigned long)(total / (unsigned)operations));
}

/* ---- The yardstick: one line of 64 bytes handed over without a library ---- */

struct line {
    uint64_t turn; /* full: odd */
    uint64_t word[LINE / sizeof(uint64_t)];
};

static struct line *lines(void) { return (struct line *)(void *)mpico_chip_scratch; }

static void hand_over(struct line *to, const uint64_t *from, int hart)
{
    for (unsigned i = 0; i < LINE / sizeof *from; i++)
        to->word[i] = from[i];
    __atomic_store_n(&to->turn, 1, __ATOMIC_RELEASE);
    hart_wake(hart);
}

static void take(struct line *from, uint64_t *to)
{
    while (!__atomic_load_n(&from->turn, __ATOMIC_ACQUIRE))
        hart_sleep();
    for (unsigned i = 0; i < LINE / sizeof *to; i++)
        to[i] = from->word[i];
    __atomic_store_n(&from->turn, 0, __ATOMIC_RELEASE);
}

static void raw(int bytes)
{
    static uint64_t data[LINE / sizeof(uint64_t)];
    (void)bytes;
    if (me == 0) {
        hand_over(&lines()[1], data, 1);
        take(&lines()[0], data);
    } else {
        take(&lines()[1], data);
        hand_over(&lines()[0], data, 0);
    }
}

/* ---- Messages ---- */

static void ping_pong(int bytes)
{
    int peer = 1 - me;
    if (me == 0)
        MPI_Send(out, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == 1)
        MPI_Send(out, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

/* Instructions of ROUNDS rounds after WARM others, from the start of one to the start of another: what the other
 * ranks still do after the last one is not counted. */
static uint64_t measure(void (*round)(int), int bytes)
{
    uint64_t start = 0, end = 0;
    for (int i = 0; i <= WARM + ROUNDS; i++) {
        if (i == WARM)
            start = instructions();
        if (i == WARM + ROUNDS)
            end = instructions();
        round(bytes);
    }
    return end - start;
}

/* Between ranks 0 and 1 while the others sleep. */
static void one_way(const char *name, void (*round)(int), int bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (me < 2)
        print(name, bytes, measure(round, bytes), 2 * ROUNDS);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Collectives: each is followed by a barrier, so that it cannot overlap with the next ---- */

static void barrier(int bytes)
{
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int bytes)
{
    MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void allgather(int bytes)
{
    MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    memset(out, me, sizeof out);
    one_way("raw", raw, LINE);
    one_way("one_way", ping_pong, SHORT);
    one_way("one_way", ping_pong, LONG);
    uint64_t barriers = measure(barrier, 0);
    print("barrier", 0, barriers, ROUNDS);
    for (int bytes = SHORT; bytes <= LONG; bytes *= LONG / SHORT) {
        print("bcast", bytes, measure(bcast, bytes) - barriers, ROUNDS);
        print("allgather", bytes, measure(allgather, bytes) - barriers, ROUNDS);
    }
    MPI_Finalize();
    return 0;
}
