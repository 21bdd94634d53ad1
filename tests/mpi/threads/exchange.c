/* Each thread sends around the ring of ranks under a tag of its own, short, medium and long messages, blocking and not: no
 * thread sees another one's. */
#include "threads.h"

enum { ROUNDS = 60, MOST = 200000 };

static int length_of(int thread, int round)
{
    static const int lengths[] = {8, 0, 60, 3000, 1, 20000, 70000, 500, MOST};
    return lengths[(thread + round) % 9];
}

static int seed_of(int rank, int thread, int round) { return rank * 131 + thread * 17 + round; }

static void round_trip(int thread, int round, unsigned char *out, unsigned char *in)
{
    int bytes = length_of(thread, round), to = right_of(me), from = left_of(me);
    fill_bytes(out, (size_t)bytes, seed_of(me, thread, round));
    MPI_Status status;
    if (round % 3 == 0) {
        MPI_Sendrecv(out, bytes, MPI_BYTE, to, thread, in, MOST, MPI_BYTE, from, thread, MPI_COMM_WORLD, &status);
    } else if (round % 3 == 1) {
        MPI_Request request;
        MPI_Isend(out, bytes, MPI_BYTE, to, thread, MPI_COMM_WORLD, &request);
        MPI_Recv(in, MOST, MPI_BYTE, from, thread, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Request request;
        MPI_Irecv(in, MOST, MPI_BYTE, from, thread, MPI_COMM_WORLD, &request);
        MPI_Send(out, bytes, MPI_BYTE, to, thread, MPI_COMM_WORLD);
        for (int done = 0; !done;)
            MPI_Test(&request, &done, &status);
    }
    CHECK(status.MPI_SOURCE == from && status.MPI_TAG == thread && bytes_of(&status) == bytes,
          "thread %d round %d: source %d tag %d bytes %d, wanted %d", thread, round, status.MPI_SOURCE, status.MPI_TAG,
          bytes_of(&status), bytes);
    long wrong = wrong_byte(in, (size_t)bytes, seed_of(from, thread, round));
    CHECK(wrong < 0, "thread %d round %d: byte %ld", thread, round, wrong);
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    unsigned char *out = check_alloc(MOST), *in = check_alloc(MOST);
    for (int i = 0; i < ROUNDS; i++)
        round_trip(thread, i, out, in);
    free(out);
    free(in);
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    threads_run(work, THREADS);
    return check_finish();
}
