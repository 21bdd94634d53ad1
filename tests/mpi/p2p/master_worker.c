/* Rank 0 hands out tasks as results come in from anyone; the tag says what a message is; results vary in length. */
#include "check.h"

enum { TASKS = 200, TAG_TASK = 1, TAG_RESULT = 2, TAG_STOP = 3, MOST = 3000 };

static int length_of(int task) { return task % 23 == 0 ? MOST : 1 + task % 40; }

static void master(void)
{
    int results[MOST], next = 0, seen[TASKS] = {0}, busy = 0;
    for (int worker = 1; worker < np; worker++, busy++, next++)
        MPI_Send(&next, 1, MPI_INT, worker, TAG_TASK, MPI_COMM_WORLD);
    while (busy > 0) {
        MPI_Status status;
        int count = -1;
        MPI_Recv(results, MOST, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        int task = results[0];
        CHECK(status.MPI_TAG == TAG_RESULT && task >= 0 && task < TASKS && !seen[task]++, "tag %d, task %d",
              status.MPI_TAG, task);
        CHECK(count == length_of(task), "task %d: %d results, wanted %d", task, count, length_of(task));
        for (int i = 1; i < count; i++)
            CHECK(results[i] == task * i, "task %d: result %d is %d", task, i, results[i]);
        busy -= next >= TASKS;
        MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, next < TASKS ? TAG_TASK : TAG_STOP, MPI_COMM_WORLD);
        next += next < TASKS;
    }
    for (int task = 0; task < TASKS && np > 1; task++)
        CHECK(seen[task] == 1, "task %d was done %d times", task, seen[task]);
}

static void worker(void)
{
    int results[MOST];
    for (;;) {
        MPI_Status status;
        int task = -1;
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP)
            return;
        for (int i = 0; i < length_of(task); i++)
            results[i] = i ? task * i : task;
        MPI_Send(results, length_of(task), MPI_INT, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    if (me == 0)
        master();
    else
        worker();
    return check_finish();
}
