/* Each thread runs collectives on a communicator of its own, in its own time; and makes and frees communicators from it. */
#include "threads.h"

enum { ROUNDS = 40 };

static MPI_Comm comms[THREADS];

static void reduce(MPI_Comm comm, int thread, int round)
{
    int mine = me + 1000 * thread + round, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    int wanted = np * (np - 1) / 2 + np * (1000 * thread + round);
    CHECK(sum == wanted, "thread %d round %d: %d, wanted %d", thread, round, sum, wanted);
}

static void spread(MPI_Comm comm, int thread, int round)
{
    int root = (round + thread) % np, value = me == root ? root * 7 + round : -1;
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, root, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(value == root * 7 + round, "thread %d round %d: %d from %d", thread, round, value, root);
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    MPI_Comm comm = comms[thread];
    for (int i = 0; i < ROUNDS; i++) {
        reduce(comm, thread, i);
        spread(comm, thread, i);
        if (i % (thread + 2) == 0)
            MPI_Barrier(comm);
        if (i % 10 == thread) {
            MPI_Comm copy;
            MPI_Comm_dup(comm, &copy);
            reduce(copy, thread, i);
            MPI_Comm_free(&copy);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    threads_run(work, THREADS);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    return check_finish();
}
