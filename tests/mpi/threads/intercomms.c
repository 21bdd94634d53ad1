/* Several threads make intercommunicators at a time, with one tag, each over a communicator of its own. */
#include "threads.h"

enum { ROUNDS = 20, TAG = 99 };

static MPI_Comm comms[THREADS];

/* The lower half of the ranks, and the rest. */
static void make(MPI_Comm comm, int thread)
{
    MPI_Comm half, inter, all;
    int low = me < np / 2, size = -1, sum = 0, one = 1;
    CHECK_OK(MPI_Comm_split(comm, low, me, &half));
    CHECK_OK(MPI_Intercomm_create(half, 0, comm, low ? np / 2 : 0, TAG, &inter));
    CHECK_OK(MPI_Comm_remote_size(inter, &size));
    CHECK(size == (low ? np - np / 2 : np / 2), "thread %d: %d in the other group", thread, size);
    CHECK_OK(MPI_Intercomm_merge(inter, !low, &all));
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK(sum == np, "thread %d: %d in the merged communicator", thread, sum);
    CHECK_OK(MPI_Comm_free(&all));
    CHECK_OK(MPI_Comm_free(&inter));
    CHECK_OK(MPI_Comm_free(&half));
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++)
        make(comms[thread], thread);
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    threads_run(work, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(MPI_Comm_free(&comms[i]));
    return check_finish();
}
