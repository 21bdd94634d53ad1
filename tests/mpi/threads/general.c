/* A generalized request that one thread waits for and another completes; and partitions of one message, each given by a thread of
 * its own, while another waits for the whole.
 */
#include "threads.h"

enum { ROUNDS = 20, COUNT = 50 };

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 2);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    ++*(int *)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static MPI_Request general, send, recv;
static int out[THREADS * COUNT], in[THREADS * COUNT];

static void *complete_it(void *argument)
{
    if (argument == (void *)0) {
        MPI_Wait(&general, MPI_STATUS_IGNORE);
        return NULL;
    }
    MPI_Request same = general;
    for (int i = 0, flag; i < 300; i++) /* long enough for the other to sleep, now and then */
        MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Grequest_complete(same);
    return NULL;
}

static void *give(void *argument)
{
    int thread = (int)(intptr_t)argument;
    for (int i = 0; i < COUNT; i++)
        out[thread * COUNT + i] = me * 1000 + thread * COUNT + i;
    MPI_Pready(thread, send);
    if (thread == 1)
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    int flag = 0;
    while (!flag)
        MPI_Parrived(recv, thread, &flag);
    for (int i = thread * COUNT; i < (thread + 1) * COUNT; i++)
        CHECK(in[i] == left_of(me) * 1000 + i, "element %d is %d", i, in[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    MPI_Psend_init(out, THREADS, COUNT, MPI_INT, right_of(me), 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init(in, THREADS, COUNT, MPI_INT, left_of(me), 1, MPI_COMM_WORLD, MPI_INFO_NULL, &recv);
    int freed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Grequest_start(query, release, cancel, &freed, &general);
        threads_run(complete_it, 2);
        MPI_Start(&recv);
        MPI_Start(&send);
        threads_run(give, THREADS);
        MPI_Wait(&recv, MPI_STATUS_IGNORE);
    }
    CHECK(freed == ROUNDS, "%d freed", freed);
    MPI_Request_free(&send);
    MPI_Request_free(&recv);
    return check_finish();
}
