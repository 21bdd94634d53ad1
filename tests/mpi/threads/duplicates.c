/* Threads duplicate communicators of their own at the same time, blocking and not, each rank in another order; no two of the copies carry each
 * other's messages.
 */
#include "threads.h"

enum { ROUNDS = 10 };

static MPI_Comm base[THREADS];

/* In some order that differs from rank to rank, since the threads' own order does. */
static void wait_turn(int thread, int round)
{
    for (int i = (thread * 7 + me * 5 + round) % 4; i > 0; i--) {
        int flag;
        CHECK_OK(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    }
}

static void use(MPI_Comm comm, int number)
{
    int out = number * 100 + me, in = -1, sum = -1;
    CHECK_OK(MPI_Sendrecv(&out, 1, MPI_INT, right_of(me), 0, &in, 1, MPI_INT, left_of(me), 0, comm, MPI_STATUS_IGNORE));
    CHECK(in == number * 100 + left_of(me), "copy %d: %d from %d", number, in, left_of(me));
    CHECK_OK(MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == number * np, "copy %d: sum %d", number, sum);
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm made[3];
        MPI_Request request[2];
        int number = 10 * thread + round;
        wait_turn(thread, round);
        CHECK_OK(MPI_Comm_idup(base[thread], &made[0], &request[0]));
        CHECK_OK(MPI_Comm_dup(base[thread], &made[1]));
        CHECK_OK(MPI_Comm_idup(base[thread], &made[2], &request[1]));
        use(made[1], number);
        CHECK_OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        use(made[2], number + 1);
        use(made[0], number + 2);
        for (int i = 0; i < 3; i++)
            CHECK_OK(MPI_Comm_free(&made[i]));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!threads_start(&argc, &argv))
        return check_skip();
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &base[i]));
    threads_run(work, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(MPI_Comm_free(&base[i]));
    return check_finish();
}
