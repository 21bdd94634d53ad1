/* What a match costs while many others wait ahead of it: receives that are posted, or messages that nobody has asked for. Rank 0 sends
 * to rank 1, which measures. Nothing of the wire is in the figures: a block's messages lie there, complete, before the clock starts.
 *
 * posted: rank 1 has posted a window of receives behind those ahead; the time is that of MPI_Waitall, which lets the messages arrive.
 * unexpected: rank 1 receives a window of messages, the last one first, so that the others are kept behind those ahead and then found.
 * Source and tag are exact. With "any" every second receive, of those ahead and of the window, names MPI_ANY_SOURCE.
 *
 * Usage: mpiexec -n 2 matching [--rounds N] [--window N] [--step N: between the tags ahead] [--most N: ahead] [--cpus a,b]
 */
#include "common.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_WINDOW = 32, MOST_ROUNDS = 1000, BLOCKS = 21, LENGTHS = 5, FIRST_AHEAD = 1000, TAG_DONE = 999 };
enum side { POSTED, UNEXPECTED, SIDES };
static const char *const side_name[SIDES] = {"posted", "unexpected"};
static const int lengths[LENGTHS] = {0, 10, 100, 1000, 10000};

static int me, window, step, rounds;
static uint64_t turn; /* of the two lines: how often each rank has written its own */
static volatile uint64_t *line[2];
static MPI_Request *ahead_request;
static uint64_t *ahead_data, window_data[MOST_WINDOW];

static int source_of(int i, int any) { return any && i % 2 ? MPI_ANY_SOURCE : 0; }
static int ahead_tag(int i) { return FIRST_AHEAD + i * step; }

/* Rank 1 goes on, then rank 0 does something, then rank 1 again: past the library, so that it makes no progress meanwhile. */
static void tell(void) { line_put(line[me], turn); }
static void await_other(void) { line_await(line[!me], turn); }

static void both(void)
{
    int done = 0;
    MPI_Sendrecv(&done, 1, MPI_INT, !me, TAG_DONE, &done, 1, MPI_INT, !me, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_all(int count, int (*tag)(int))
{
    for (int i = 0; i < count; i++)
        MPI_Send(&ahead_data[i], 1, MPI_UINT64_T, 1, tag(i), MPI_COMM_WORLD);
}

/* Others in every block, so that where they belong is as cold as in a program. */
static int window_tag(int i) { return (int)((turn * (uint64_t)window + (uint64_t)i) % TAG_DONE); }

static void put_ahead(enum side side, int n, int any)
{
    for (int i = 0; me == 1 && side == POSTED && i < n; i++)
        MPI_Irecv(&ahead_data[i], 1, MPI_UINT64_T, source_of(i, any), ahead_tag(i), MPI_COMM_WORLD, &ahead_request[i]);
    if (me == 0 && side == UNEXPECTED)
        send_all(n, ahead_tag);
    both();
}

static void take_ahead(enum side side, int n, int any)
{
    both();
    if (me == 0 && side == POSTED)
        send_all(n, ahead_tag);
    if (me == 1 && side == POSTED)
        MPI_Waitall(n, ahead_request, MPI_STATUSES_IGNORE);
    for (int i = 0; me == 1 && side == UNEXPECTED && i < n; i++)
        MPI_Recv(&ahead_data[i], 1, MPI_UINT64_T, source_of(i, any), ahead_tag(i), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    both();
}

/* Rank 1's part of a block: nanoseconds a match. */
static double match(enum side side, int any)
{
    MPI_Request request[MOST_WINDOW];
    for (int i = 0; side == POSTED && i < window; i++)
        MPI_Irecv(&window_data[i], 1, MPI_UINT64_T, source_of(i, any), window_tag(i), MPI_COMM_WORLD, &request[i]);
    tell();
    await_other();
    const uint64_t start = now_ns();
    if (side == POSTED)
        MPI_Waitall(window, request, MPI_STATUSES_IGNORE);
    for (int i = window - 1; side == UNEXPECTED && i >= 0; i--)
        MPI_Recv(&window_data[i], 1, MPI_UINT64_T, source_of(i, any), window_tag(i), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (double)(now_ns() - start) / window;
}

static void block(enum side side, int any, double *ns)
{
    turn++;
    if (me == 1) {
        *ns = match(side, any);
        return;
    }
    await_other();
    send_all(window, window_tag);
    tell();
}

/* Median of the blocks with `n` ahead. */
static double of_round(enum side side, int n, int any)
{
    double ns[BLOCKS], warm;
    put_ahead(side, n, any);
    block(side, any, &warm);
    for (int b = 0; b < BLOCKS; b++)
        block(side, any, &ns[b]);
    take_ahead(side, n, any);
    return me == 1 ? median(ns, BLOCKS) : 0;
}

/* Each round goes through all lengths, and has ratios of its own: a virtual machine's processors may move apart between rounds. */
static void measure(enum side side, int any, int most)
{
    static double ns[LENGTHS][MOST_ROUNDS], ratio[LENGTHS][MOST_ROUNDS];
    for (int round = 0; round < rounds; round++)
        for (int l = 0; l < LENGTHS && lengths[l] <= most; l++) {
            ns[l][round] = of_round(side, lengths[l], any);
            ratio[l][round] = ns[l][round] / ns[0][round];
        }
    for (int l = 0; me == 1 && l < LENGTHS && lengths[l] <= most; l++)
        printf(
            "{\"bench\": \"matching\", \"side\": \"%s\", \"any\": %d, \"ahead\": %d, \"ns\": %.1f, \"ratio\": %.3f}\n",
            side_name[side], any, lengths[l], median(ns[l], rounds), median(ratio[l], rounds));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    need_ranks(2);
    pin_pair(argc, argv, me);
    const int most = option_int(argc, argv, "--most", lengths[LENGTHS - 1]);
    window = option_int(argc, argv, "--window", 16);
    step = option_int(argc, argv, "--step", 1);
    rounds = option_int(argc, argv, "--rounds", 11);
    if (window < 1 || window > MOST_WINDOW || rounds < 1 || rounds > MOST_ROUNDS || step < 1 ||
        step > (1 << 30) / lengths[LENGTHS - 1])
        give_up("--window is 1 to 32, --rounds 1 to 1000, --step positive, and the tags stay below 2^30");
    if (me < 2) {
        char *page = shared_page(me);
        line[0] = (volatile uint64_t *)(void *)page;
        line[1] = (volatile uint64_t *)(void *)(page + 128);
        ahead_request = malloc((size_t)lengths[LENGTHS - 1] * sizeof *ahead_request);
        ahead_data = calloc((size_t)lengths[LENGTHS - 1], sizeof *ahead_data);
        if (!ahead_request || !ahead_data)
            give_up("no memory");
        for (enum side side = 0; side < SIDES; side++)
            for (int any = 0; any < 2; any++)
                measure(side, any, most);
    }
    MPI_Finalize();
    return 0;
}
