/* All threads of a rank but one are blocked in different calls; the one frees them, last the first. */
#include "threads.h"

enum { ROUNDS = 20 };

static void *work(void *argument)
{
    int value = -1;
    switch ((int)(intptr_t)argument) {
    case 0: /* long after the others have gone to sleep, now and then */
        for (int i = 0, flag; i < 200; i++)
            MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        value = 3;
        MPI_Send(&value, 1, MPI_INT, right_of(me), 3, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Recv(&value, 1, MPI_INT, left_of(me), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 2;
        MPI_Ssend(&value, 1, MPI_INT, right_of(me), 2, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Probe(left_of(me), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, left_of(me), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 1;
        MPI_Send(&value, 1, MPI_INT, me, 1, MPI_COMM_WORLD);
        break;
    default: {
        MPI_Request request[2];
        int index, other;
        MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 78, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&value, 1, MPI_INT, me, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        CHECK(index == 1 && value == 1, "index %d value %d", index, value);
        MPI_Cancel(&request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    for (int i = 0; i < ROUNDS; i++)
        threads_run(work, THREADS);
    return check_finish();
}
