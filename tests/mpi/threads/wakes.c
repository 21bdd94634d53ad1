/* One thread sleeps in a call of MPI; another one ends what it waits for by a call that moves no message, or leaves to it what only progress
 * carries on.
 */
#include <semaphore.h>
#include <time.h>

#include "threads.h"

enum { ROUNDS = 3, NEVER = 78, LAST = 20 };

/* Long enough for the other thread to go to sleep, mostly; what is checked does not depend on it. */
static void nap(void)
{
    const struct timespec time = {.tv_nsec = 20000000};
    nanosleep(&time, NULL);
}

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

/* ---- Calls that wait for request[0], beside one that stays ---- */

static MPI_Request request[2];

static void wait_one(void) { CHECK_OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE)); }
static void wait_all(void) { CHECK_OK(MPI_Waitall(1, request, MPI_STATUSES_IGNORE)); }
static void wait_any(void)
{
    int index = -1;
    CHECK_OK(MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE));
    CHECK(index == 0, "%d", index);
}
static void wait_some(void)
{
    int count = -1, indices[2] = {-1, -1};
    CHECK_OK(MPI_Waitsome(2, request, &count, indices, MPI_STATUSES_IGNORE));
    CHECK(count == 1 && indices[0] == 0, "%d: %d", count, indices[0]);
}
static void (*const waits[])(void) = {wait_one, wait_all, wait_any, wait_some};
enum { WAITS = sizeof waits / sizeof waits[0] };

/* ---- Ways to start such a request, and to end it ---- */

static int value[2];
static MPI_Request same; /* as request[0], which the waiting thread takes away */

static void general_start(void) { CHECK_OK(MPI_Grequest_start(query, release, cancel, NULL, &request[0])); }
static void general_end(void) { CHECK_OK(MPI_Grequest_complete(same)); }

static void receive_start(void) { CHECK_OK(MPI_Irecv(&value[0], 1, MPI_INT, me, NEVER, MPI_COMM_WORLD, &request[0])); }
static void receive_end(void) { CHECK_OK(MPI_Cancel(&same)); }

static void parts_start(void)
{
    CHECK_OK(MPI_Psend_init(value, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    CHECK_OK(MPI_Start(&request[0]));
    CHECK_OK(MPI_Pready(1, request[0]));
}
static void parts_end(void) { CHECK_OK(MPI_Pready(0, same)); }

static const struct kind {
    void (*start)(void), (*end)(void);
    int persists;
} kinds[] = {{general_start, general_end, 0}, {receive_start, receive_end, 0}, {parts_start, parts_end, 1}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int which_wait, which_kind;

static void *wait_and_end(void *thread)
{
    if (thread == (void *)0) {
        waits[which_wait]();
        return NULL;
    }
    nap();
    kinds[which_kind].end();
    return NULL;
}

static void all_requests(void)
{
    CHECK_OK(MPI_Irecv(&value[1], 1, MPI_INT, me, NEVER + 1, MPI_COMM_WORLD, &request[1]));
    for (which_kind = 0; which_kind < KINDS; which_kind++)
        for (which_wait = 0; which_wait < WAITS; which_wait++) {
            kinds[which_kind].start();
            same = request[0];
            threads_run(wait_and_end, 2);
            if (kinds[which_kind].persists)
                CHECK_OK(MPI_Request_free(&request[0]));
            CHECK(request[0] == MPI_REQUEST_NULL, "kind %d, wait %d", which_kind, which_wait);
        }
    CHECK_OK(MPI_Cancel(&request[1]));
    CHECK_OK(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
}

/* ---- A collective that its thread has begun and left ---- */

static sem_t received;

/* Rank 0's second thread says so when it is complete there, which takes all ranks; the others' second threads are not in MPI. */
static void *begin_and_leave(void *thread)
{
    MPI_Comm copy;
    MPI_Request made;
    if (thread == (void *)0) {
        CHECK_OK(MPI_Recv(&value[0], 1, MPI_INT, 0, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        sem_post(&received);
        return NULL;
    }
    nap();
    CHECK_OK(MPI_Comm_idup(MPI_COMM_WORLD, &copy, &made));
    if (me == 0) {
        CHECK_OK(MPI_Wait(&made, MPI_STATUS_IGNORE));
        for (int i = 0; i < np; i++)
            CHECK_OK(MPI_Send(&me, 1, MPI_INT, i, LAST, MPI_COMM_WORLD));
    }
    while (sem_wait(&received))
        continue;
    CHECK_OK(MPI_Wait(&made, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Comm_free(&copy));
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    all_requests();
    sem_init(&received, 0, 0);
    for (int i = 0; i < ROUNDS; i++)
        threads_run(begin_and_leave, 2);
    sem_destroy(&received);
    return check_finish();
}
