/* Message rate of several threads a rank: thread i of rank 0 sends windows of short messages to thread i of rank 1, which
 * answers each window with one. Without --threads, pairs of ranks do the same: 2 ranks with 2 threads each are to be
 * compared with 4 ranks of one thread. The messages of a pair have a tag of their own.
 */
#include "common.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { WINDOW = 64, MOST_THREADS = 64, BYTES = 8 };

struct pair {
    int sends, peer, tag, rounds;
    uint64_t ns;
};

static void window(const struct pair *p, char data[WINDOW][BYTES])
{
    MPI_Request request[WINDOW];
    char answer = 0;
    for (int i = 0; i < WINDOW; i++)
        if (p->sends)
            MPI_Isend(data[i], BYTES, MPI_BYTE, p->peer, p->tag, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Irecv(data[i], BYTES, MPI_BYTE, p->peer, p->tag, MPI_COMM_WORLD, &request[i]);
    MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
    if (p->sends)
        MPI_Recv(&answer, 1, MPI_BYTE, p->peer, p->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&answer, 1, MPI_BYTE, p->peer, p->tag, MPI_COMM_WORLD);
}

static void *work(void *argument)
{
    struct pair *p = argument;
    char data[WINDOW][BYTES] = {{0}};
    const uint64_t start = now_ns();
    for (int i = 0; i < p->rounds; i++)
        window(p, data);
    p->ns = now_ns() - start;
    return NULL;
}

/* Nanoseconds for all rounds of all pairs: the slowest one's. */
static uint64_t run(struct pair *p, int threads)
{
    pthread_t thread[MOST_THREADS];
    for (int i = 1; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, &p[i]))
            give_up("no thread");
    work(&p[0]);
    uint64_t most = p[0].ns;
    for (int i = 1; i < threads; i++) {
        pthread_join(thread[i], NULL);
        most = p[i].ns > most ? p[i].ns : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    const int threads = option_int(argc, argv, "--threads", 0), rounds = option_int(argc, argv, "--rounds", 5000);
    int me, ranks, provided;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (threads > MOST_THREADS || (threads && provided < MPI_THREAD_MULTIPLE) || ranks % 2)
        give_up("wants an even number of ranks, MPI_THREAD_MULTIPLE and at most 64 --threads");
    struct pair pair[MOST_THREADS];
    for (int i = 0; i < MOST_THREADS; i++)
        pair[i] = (struct pair){.sends = me % 2 == 0, .peer = me ^ 1, .tag = i, .rounds = rounds};
    const int lanes = threads ? threads : 1;
    run(pair, lanes); /* warms up */
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned long long mine = run(pair, lanes), most = 0;
    MPI_Reduce(&mine, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("{\"bench\": \"threads\", \"ranks\": %d, \"threads\": %d, \"per_s\": %.0f}\n", ranks, threads,
               1e9 * rounds * WINDOW * lanes * (ranks / 2) / (double)most);
    MPI_Finalize();
    return 0;
}
