/* Threads take messages from anybody by matched probes, blocking and not: each message is received once, whole, and by the thread
 * that found it. One more thread sends. */
#include "threads.h"

enum { EACH = 40 /* messages from each rank to each */, TAG = 3, STOP = 4 };

static int seen[64][EACH];
static int expected;
static int taken; /* under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(int source, int number)
{
    pthread_mutex_lock(&lock);
    CHECK(source >= 0 && source < np && number >= 0 && number < EACH, "number %d from %d", number, source);
    CHECK(seen[source][number]++ == 0, "number %d from %d came twice", number, source);
    int last = ++taken == expected;
    pthread_mutex_unlock(&lock);
    if (last) /* let the others go home */
        for (int i = 0; i < THREADS - 1; i++)
            MPI_Send(NULL, 0, MPI_INT, me, STOP, MPI_COMM_WORLD);
}

static void take_all(int blocking)
{
    for (;;) {
        MPI_Message message;
        MPI_Status status;
        int found = blocking, buffer[EACH] = {0};
        if (blocking)
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        else
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
        if (!found)
            continue;
        int bytes = bytes_of(&status);
        MPI_Mrecv(buffer, EACH, MPI_INT, &message, &status);
        if (status.MPI_TAG == STOP)
            return;
        CHECK(bytes == (buffer[0] + 1) * 4, "%d bytes for number %d", bytes, buffer[0]);
        note(status.MPI_SOURCE, buffer[0]);
    }
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    if (thread > 0) {
        take_all(thread % 2);
        return NULL;
    }
    for (int n = 0; n < EACH; n++)
        for (int to = 0; to < np; to++) {
            int out[EACH] = {n};
            MPI_Send(out, n + 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
        }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    expected = np * EACH;
    threads_run(work, THREADS);
    CHECK(taken == expected, "%d of %d", taken, expected);
    return check_finish();
}
