/* One-way time of a message between two pinned processes, in units of what their machine can do.
 *
 * Short messages: the unit is a raw ping-pong of one cache line between the same two processes: each rank writes a line
 * of its own, which the other reads, as messages do. Passing one and the same line to and fro is told beside it (one_line_ns):
 * it is the quicker by a quarter or more, and no way to pass messages, since the reader overwrites what it has just read.
 * Long messages (--long): the unit is process_vm_readv between the same buffers of the same processes, as a ping-pong too.
 * Raw and MPI are measured in interleaved blocks, and the ratio is the median of the blocks' ratios: when the host moves
 * the two CPUs apart in the middle of a run, both halves of a block still saw the same machine.
 *
 * Prints one JSON line for each size.
 */
#define _GNU_SOURCE
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_BLOCKS = 1001 };

/* Between the two places, about 50 and about 245 ns one way, in which the host puts a pair of CPUs. */
static const double slow_from_ns = 120;

/* Larger than the last-level cache of the machines this is for: the cold buffers walk through this much. */
static const size_t cold_bytes = (size_t)96 << 20;

static int me;
static volatile uint64_t *mine, *theirs; /* the line this rank writes, and the one it reads */
static volatile uint64_t *single;        /* the line both write in turn */
static uint64_t turn;                    /* rounds played: the last value of each line */

/* ---- short messages ---- */

/* One round trip. Values only grow, so a line is never mistaken for the round before. */
static inline void bounce(volatile uint64_t *to, volatile uint64_t *from)
{
    turn += 2;
    if (me == 0) {
        line_put(to, turn - 1);
        line_await(from, turn);
    } else {
        line_await(from, turn - 1);
        line_put(to, turn);
    }
}

static double raw_block(int rounds, volatile uint64_t *to, volatile uint64_t *from)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++)
        bounce(to, from);
    return (double)(now_ns() - start) / rounds / 2;
}

static double mpi_block(int rounds, char *out, char *in, int bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++) {
        if (me == 0) {
            MPI_Send(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
    return (double)(now_ns() - start) / rounds / 2;
}

static void short_messages(int bytes, int blocks, int rounds)
{
    static double raw[MOST_BLOCKS], one[MOST_BLOCKS], mpi[MOST_BLOCKS], ratio[MOST_BLOCKS];
    static _Alignas(64) char out[65536], in[65536];
    if (bytes > (int)sizeof out)
        give_up("--bytes is for short messages, at most 65536");
    raw_block(rounds, mine, theirs);
    mpi_block(rounds, out, in, bytes);
    int slow = 0;
    for (int b = 0; b < blocks; b++) {
        raw[b] = raw_block(rounds, mine, theirs);
        one[b] = raw_block(rounds, single, single);
        mpi[b] = mpi_block(rounds, out, in, bytes);
        ratio[b] = mpi[b] / raw[b];
        slow += raw[b] > slow_from_ns;
    }
    const double raw_ns = median(raw, blocks), mpi_ns = median(mpi, blocks);
    if (me == 0)
        printf("{\"bench\": \"pingpong\", \"bytes\": %d, \"raw_ns\": %.1f, \"one_line_ns\": %.1f, \"mpi_ns\": %.1f, "
               "\"ratio\": %.3f, \"state\": \"%s\", \"slow_share\": %.2f}\n",
               bytes, raw_ns, median(one, blocks), mpi_ns, median(ratio, blocks),
               raw_ns > slow_from_ns ? "slow" : "fast", (double)slow / blocks);
}

/* ---- long messages ---- */

/* Where the buffers of a pair are. A warm run uses one buffer; a cold one walks through many. */
struct pair {
    char *out, *in; /* this rank's */
    char *theirs;   /* the other rank's out, in its address space */
    pid_t other;
    size_t bytes;  /* of one message */
    size_t places; /* buffers to walk through */
    size_t step;   /* from one to the next: whole pages, so that raw and MPI see the same alignment */
};

/* Goes on where the last block, raw or MPI, stopped: so a place comes up again only after all the others. */
static size_t next_place(const struct pair *p)
{
    static size_t visits;
    return visits++ % p->places * p->step;
}

static void pull(const struct pair *p, size_t at)
{
    const struct iovec to = {p->in + at, p->bytes}, from = {p->theirs + at, p->bytes};
    if (process_vm_readv(p->other, &to, 1, &from, 1, 0) != (ssize_t)p->bytes)
        give_up("process_vm_readv fell short");
}

/* The receiver pulls once it knows that the sender is ready, which a cache line tells it: nothing can cost less. */
static double raw_long(const struct pair *p, int rounds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++) {
        const size_t at = next_place(p);
        turn += 2;
        if (me == 0) {
            line_put(mine, turn - 1);
            line_await(theirs, turn);
            pull(p, at);
        } else {
            line_await(theirs, turn - 1);
            pull(p, at);
            line_put(mine, turn);
        }
    }
    return (double)(now_ns() - start) / rounds / 2;
}

static double mpi_long(const struct pair *p, int rounds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++) {
        const size_t at = next_place(p);
        if (me == 0) {
            MPI_Send(p->out + at, (int)p->bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(p->in + at, (int)p->bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(p->in + at, (int)p->bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(p->out + at, (int)p->bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
    return (double)(now_ns() - start) / rounds / 2;
}

static char *big_buffer(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        give_up("no memory for the buffers");
    memset(memory, me + 1, bytes);
    return memory;
}

static void long_messages(struct pair *p, bool cold, int blocks)
{
    static double raw[MOST_BLOCKS], mpi[MOST_BLOCKS], ratio[MOST_BLOCKS];
    p->step = (p->bytes + 4095) & ~(size_t)4095;
    p->places = cold ? cold_bytes / p->step : 1;
    /* Blocks of a millisecond or so where the size allows: few of them lose their processor in the middle. */
    const int rounds = (int)((size_t)(4 << 20) / p->bytes) + 2;
    raw_long(p, rounds);
    mpi_long(p, rounds);
    for (int b = 0; b < blocks; b++) {
        raw[b] = raw_long(p, rounds);
        mpi[b] = mpi_long(p, rounds);
        ratio[b] = raw[b] / mpi[b]; /* of bandwidths */
    }
    for (size_t i = 0; i < p->bytes; i++)
        if (p->in[i] != (char)(2 - me))
            give_up("a long message arrived damaged");
    const double raw_ns = median(raw, blocks), mpi_ns = median(mpi, blocks);
    if (me == 0)
        printf("{\"bench\": \"long\", \"bytes\": %zu, \"buffers\": \"%s\", \"raw_ns\": %.0f, \"mpi_ns\": %.0f, "
               "\"raw_gbs\": %.3f, \"mpi_gbs\": %.3f, \"ratio\": %.3f}\n",
               p->bytes, cold ? "cold" : "warm", raw_ns, mpi_ns, (double)p->bytes / raw_ns, (double)p->bytes / mpi_ns,
               median(ratio, blocks));
}

static void meet(struct pair *p)
{
    uint64_t at[2] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)p->out}, there[2];
    MPI_Sendrecv(at, 2, MPI_UINT64_T, 1 - me, 2, there, 2, MPI_UINT64_T, 1 - me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    p->other = (pid_t)there[0];
    p->theirs = (char *)(uintptr_t)there[1];
}

static void all_long_messages(int blocks, size_t least, size_t most)
{
    struct pair p = {.out = big_buffer(cold_bytes), .in = big_buffer(cold_bytes)};
    meet(&p);
    for (int cold = 0; cold < 2; cold++)
        for (p.bytes = least; p.bytes <= most; p.bytes *= 2)
            long_messages(&p, cold, blocks);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        give_up("pingpong wants two ranks");
    pin_pair(argc, argv, me);
    volatile uint64_t *page = shared_page(me);
    mine = page + me * 128; /* a kilobyte apart, beyond what a prefetcher fetches along */
    theirs = page + (1 - me) * 128;
    single = page + 256;
    const int asked = option_int(argc, argv, "--blocks", has_flag(argc, argv, "--long") ? 41 : 401);
    const int blocks = asked < 1 ? 1 : asked > MOST_BLOCKS ? MOST_BLOCKS : asked;
    if (has_flag(argc, argv, "--long"))
        all_long_messages(blocks, (size_t)option_int(argc, argv, "--least", 64 << 10),
                          (size_t)option_int(argc, argv, "--most", 8 << 20));
    else
        short_messages(option_int(argc, argv, "--bytes", 8), blocks, option_int(argc, argv, "--rounds", 500));
    MPI_Finalize();
    return 0;
}
