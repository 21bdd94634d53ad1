/* Two ranks on a machine that has other work: 8-byte messages to and fro, or all one way (--stream), for --ms milliseconds. The
 * time of a message is the mean over the whole job, pauses included, for the pauses are what this is about. */
#include "common.h"

#include <mpi.h>
#include <stdio.h>

enum { BATCH = 100, BATCHES_AHEAD = 64 };

static char data[8];

static void out(void) { MPI_Send(data, sizeof data, MPI_BYTE, 1, 0, MPI_COMM_WORLD); }
static void in(void) { MPI_Recv(data, sizeof data, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void back(void) { MPI_Send(data, sizeof data, MPI_BYTE, 0, 0, MPI_COMM_WORLD); }
static void home(void) { MPI_Recv(data, sizeof data, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void batch(int me, bool stream)
{
    for (int i = 0; i < BATCH; i++)
        if (me == 0) {
            out();
            if (!stream)
                home();
        } else {
            in();
            if (!stream)
                back();
        }
}

/* Rank 0 says whether there is another batch; in a stream rank 1 answers now and then, so that neither is far ahead. */
static int another(int me, long batches, bool stream, uint64_t until)
{
    int more = now_ns() < until;
    if (me == 0)
        MPI_Send(&more, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&more, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (stream && (batches % BATCHES_AHEAD == 0 || !more)) {
        if (me == 0)
            home();
        else
            back();
    }
    return more;
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    need_ranks(2);
    const bool stream = has_flag(argc, argv, "--stream");
    const uint64_t length = (uint64_t)option_int(argc, argv, "--ms", 100) * 1000000;
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    double worst = 0;
    long batches = 0;
    for (int more = 1; me < 2 && more; more = another(me, batches, stream, start + length)) {
        const uint64_t from = now_ns();
        batch(me, stream);
        batches++;
        const double ns = (double)(now_ns() - from);
        worst = ns > worst ? ns : worst;
    }
    if (me == 0) {
        const double messages = (double)batches * BATCH * (stream ? 1 : 2);
        printf("{\"bench\": \"loaded\", \"stream\": %s, \"messages\": %.0f, \"us\": %.3f, \"worst_batch_us\": %.1f}\n",
               stream ? "true" : "false", messages, (double)(now_ns() - start) / messages / 1e3, worst / 1e3);
    }
    MPI_Finalize();
    return 0;
}
