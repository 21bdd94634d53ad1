/* A request that one thread has started is waited for by another, while the first goes on; and several threads wait, each for
 * its own of a thread's requests, in the opposite order of their completion. */
#include "threads.h"

enum { ROUNDS = 30 };

static MPI_Request posted[THREADS];
static int value[THREADS];

static void *wait_for(void *argument)
{
    int i = (int)(intptr_t)argument;
    if (i == 0) { /* completes the others, youngest first */
        for (int k = THREADS - 1; k > 0; k--) {
            int out = 100 * me + k;
            MPI_Send(&out, 1, MPI_INT, right_of(me), k, MPI_COMM_WORLD);
        }
        return NULL;
    }
    MPI_Status status;
    MPI_Wait(&posted[i], &status);
    CHECK(value[i] == 100 * left_of(me) + i && status.MPI_TAG == i, "request %d: %d, tag %d", i, value[i],
          status.MPI_TAG);
    return NULL;
}

static MPI_Request one;
static int byte;

/* Thread 0 blocks in a receive; thread 1 lets that message come only after it has waited for one of thread 0's requests. */
static void *hand_over(void *argument)
{
    int token = 5;
    if (argument == (void *)0) {
        MPI_Recv(&token, 1, MPI_INT, me, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(token == 6, "token %d", token);
        return NULL;
    }
    MPI_Send(&token, 1, MPI_INT, right_of(me), 9, MPI_COMM_WORLD);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    CHECK(byte == 5, "byte %d", byte);
    token = 6;
    MPI_Send(&token, 1, MPI_INT, me, 8, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 1; i < THREADS; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, left_of(me), i, MPI_COMM_WORLD, &posted[i]);
        threads_run(wait_for, THREADS);
        MPI_Irecv(&byte, 1, MPI_INT, left_of(me), 9, MPI_COMM_WORLD, &one);
        threads_run(hand_over, 2);
    }
    return check_finish();
}
