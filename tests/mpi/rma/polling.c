/* A rank that calls nothing but one function that never waits, again and again, serves the others all the same: each of them has a message
 * taken that was waiting for the rank, and then changes the window in which the rank sees that.
 */
#include "rma.h"

enum { COUNTER, SCRATCH, WORDS };

static MPI_Win win, own;       /* own: of this rank alone */
static volatile int *memory;   /* of win */
static MPI_Request done[2];    /* complete, and never given back meanwhile */
static MPI_Request pending[2]; /* never complete meanwhile */
static MPI_Request found;      /* a message to this rank that it does not receive meanwhile */
static MPI_Request parts;      /* a partitioned receive that is not under way */
static int value, result, received[2];

/* ---- One-sided calls for the own window ---- */

static void fetch_and_op(void) { CHECK_OK(MPI_Fetch_and_op(NULL, &result, MPI_INT, me, COUNTER, MPI_NO_OP, win)); }
static void get_accumulate(void)
{
    CHECK_OK(MPI_Get_accumulate(NULL, 0, MPI_INT, &result, 1, MPI_INT, me, COUNTER, 1, MPI_INT, MPI_NO_OP, win));
    CHECK_OK(MPI_Win_flush(me, win));
}
static void accumulate(void) { CHECK_OK(MPI_Accumulate(&value, 1, MPI_INT, me, SCRATCH, 1, MPI_INT, MPI_SUM, win)); }
static void compare_and_swap(void)
{
    CHECK_OK(MPI_Compare_and_swap(&value, &value, &result, MPI_INT, me, SCRATCH, win));
}
static void put(void) { CHECK_OK(MPI_Put(&value, 1, MPI_INT, me, SCRATCH, 1, MPI_INT, win)); }
static void get(void) { CHECK_OK(MPI_Get(&result, 1, MPI_INT, me, SCRATCH, 1, MPI_INT, win)); }
static void rput(void)
{
    MPI_Request request;
    CHECK_OK(MPI_Rput(&value, 1, MPI_INT, me, SCRATCH, 1, MPI_INT, win, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}
static void put_nowhere(void) { CHECK_OK(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win)); }
static void flush(void) { CHECK_OK(MPI_Win_flush(me, win)); }
static void flush_all(void) { CHECK_OK(MPI_Win_flush_all(win)); }
static void flush_local(void) { CHECK_OK(MPI_Win_flush_local(me, win)); }
static void flush_local_all(void) { CHECK_OK(MPI_Win_flush_local_all(win)); }
static void sync_memory(void) { CHECK_OK(MPI_Win_sync(win)); }
static void fence_alone(void) { CHECK_OK(MPI_Win_fence(0, own)); }

/* ---- Outside of an epoch ---- */

static void lock(void)
{
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    CHECK_OK(MPI_Win_unlock(me, win));
}
static void lock_unchecked(void)
{
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, me, MPI_MODE_NOCHECK, win));
    CHECK_OK(MPI_Win_unlock(me, win));
}
static void lock_all_unchecked(void)
{
    CHECK_OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    CHECK_OK(MPI_Win_unlock_all(win));
}

/* ---- Requests, messages, parts: such as are complete, none at all, and such as will not be complete ---- */

static int flag, index_of, count_of, indices[2];

static void test_none(void)
{
    MPI_Request none = MPI_REQUEST_NULL;
    CHECK_OK(MPI_Test(&none, &flag, MPI_STATUS_IGNORE));
}
static void testany_none(void) { CHECK_OK(MPI_Testany(0, NULL, &index_of, &flag, MPI_STATUS_IGNORE)); }
static void testall_none(void) { CHECK_OK(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE)); }
static void testsome_none(void) { CHECK_OK(MPI_Testsome(0, NULL, &count_of, NULL, MPI_STATUSES_IGNORE)); }
static void test_pending(void) { CHECK_OK(MPI_Test(&pending[0], &flag, MPI_STATUS_IGNORE)); }
static void testany_pending(void) { CHECK_OK(MPI_Testany(2, pending, &index_of, &flag, MPI_STATUS_IGNORE)); }
static void testall_pending(void) { CHECK_OK(MPI_Testall(2, pending, &flag, MPI_STATUSES_IGNORE)); }
static void testsome_pending(void) { CHECK_OK(MPI_Testsome(2, pending, &count_of, indices, MPI_STATUSES_IGNORE)); }
static void status_done(void) { CHECK_OK(MPI_Request_get_status(done[0], &flag, MPI_STATUS_IGNORE)); }
static void status_any(void) { CHECK_OK(MPI_Request_get_status_any(2, done, &index_of, &flag, MPI_STATUS_IGNORE)); }
static void status_all(void) { CHECK_OK(MPI_Request_get_status_all(2, done, &flag, MPI_STATUSES_IGNORE)); }
static void status_some(void)
{
    CHECK_OK(MPI_Request_get_status_some(2, done, &count_of, indices, MPI_STATUSES_IGNORE));
}
static void status_pending(void) { CHECK_OK(MPI_Request_get_status(pending[0], &flag, MPI_STATUS_IGNORE)); }
static void iprobe(void) { CHECK_OK(MPI_Iprobe(me, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE)); }
static void iprobe_found(void) { CHECK_OK(MPI_Iprobe(me, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE)); }
static inline void iprobe_nobody(void)
{
    CHECK_OK(MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
}
static void improbe(void)
{
    MPI_Message message;
    CHECK_OK(MPI_Improbe(me, 99, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE));
}
static void parrived(void) { CHECK_OK(MPI_Parrived(parts, 0, &flag)); }

static const struct poll {
    const char *name;
    void (*call)(void);
    int outside;
} polls[] = {
    {"Fetch_and_op", fetch_and_op, 0},
    {"Get_accumulate, Win_flush", get_accumulate, 0},
    {"Accumulate", accumulate, 0},
    {"Compare_and_swap", compare_and_swap, 0},
    {"Put", put, 0},
    {"Get", get, 0},
    {"Rput, Wait", rput, 0},
    {"Put to nobody", put_nowhere, 0},
    {"Win_flush", flush, 0},
    {"Win_flush_all", flush_all, 0},
    {"Win_flush_local", flush_local, 0},
    {"Win_flush_local_all", flush_local_all, 0},
    {"Win_sync", sync_memory, 0},
    {"Win_fence alone", fence_alone, 0},
    {"Win_lock, Win_unlock", lock, 1},
    {"the same, unchecked", lock_unchecked, 1},
    {"Win_lock_all, Win_unlock_all", lock_all_unchecked, 1},
    {"Test, none", test_none, 0},
    {"Testany, none", testany_none, 0},
    {"Testall, none", testall_none, 0},
    {"Testsome, none", testsome_none, 0},
    {"Test", test_pending, 0},
    {"Testany", testany_pending, 0},
    {"Testall", testall_pending, 0},
    {"Testsome", testsome_pending, 0},
    {"Request_get_status, done", status_done, 0},
    {"Request_get_status_any, done", status_any, 0},
    {"Request_get_status_all, done", status_all, 0},
    {"Request_get_status_some, done", status_some, 0},
    {"Request_get_status", status_pending, 0},
    {"Iprobe", iprobe, 0},
    {"Iprobe, found", iprobe_found, 0},
#if !CHECK_SMALL /* there it finds nobody at once, and does no more */
    {"Iprobe, nobody", iprobe_nobody, 0},
#endif
    {"Improbe", improbe, 0},
    {"Parrived", parrived, 0},
};
enum { POLLS = sizeof polls / sizeof polls[0] };

/* ---- The others ---- */

static void ask(void)
{
    int one = 1;
    CHECK_OK(MPI_Ssend(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    CHECK_OK(MPI_Accumulate(&one, 1, MPI_INT, 0, COUNTER, 1, MPI_INT, MPI_SUM, win));
    CHECK_OK(MPI_Win_unlock(0, win));
}

/* Until all have asked. */
static void serve(const struct poll *p, int asked)
{
    int from[64];
    MPI_Request request[64];
    for (int i = 1; i < np; i++)
        CHECK_OK(MPI_Irecv(&from[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD, &request[i]));
    if (!p->outside)
        CHECK_OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    do
        p->call();
    while (memory[COUNTER] < asked);
    if (!p->outside)
        CHECK_OK(MPI_Win_unlock_all(win));
    for (int i = 1; i < np; i++) {
        CHECK_OK(MPI_Wait(&request[i], MPI_STATUS_IGNORE));
        CHECK(from[i] == i, "%s: %d from rank %d", p->name, from[i], i);
    }
}

static void all_polls(void)
{
    for (int i = 0; i < WORDS; i++)
        memory[i] = 0;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < POLLS; i++) {
        if (me == 0)
            serve(&polls[i], (np - 1) * (i + 1));
        else
            ask();
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Win_test ends only when all have asked and have then completed their epoch. */
static void win_test(void)
{
    MPI_Group all, zero, others;
    int first = 0, word = 1, from[64], over = 0;
    MPI_Request request[64];
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    CHECK_OK(MPI_Group_incl(all, 1, &first, &zero));
    CHECK_OK(MPI_Group_excl(all, 1, &first, &others));
    if (me == 0) {
        for (int i = 1; i < np; i++)
            CHECK_OK(MPI_Irecv(&from[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD, &request[i]));
        CHECK_OK(MPI_Win_post(others, 0, win));
        while (!over)
            CHECK_OK(MPI_Win_test(win, &over));
        CHECK_OK(MPI_Waitall(np - 1, request + 1, MPI_STATUSES_IGNORE));
    } else {
        CHECK_OK(MPI_Ssend(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
        CHECK_OK(MPI_Win_start(zero, 0, win));
        CHECK_OK(MPI_Put(&word, 1, MPI_INT, 0, SCRATCH, 1, MPI_INT, win));
        CHECK_OK(MPI_Win_complete(win));
    }
    CHECK_OK(MPI_Group_free(&zero));
    CHECK_OK(MPI_Group_free(&others));
    CHECK_OK(MPI_Group_free(&all));
}

static void requests_start(void)
{
    CHECK_OK(MPI_Isend(&me, 1, MPI_INT, me, 3, MPI_COMM_WORLD, &found));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(MPI_Irecv(&value, 0, MPI_INT, me, 98, MPI_COMM_WORLD, &pending[i]));
        CHECK_OK(MPI_Irecv(&received[i], 1, MPI_INT, me, 5, MPI_COMM_WORLD, &done[i]));
        CHECK_OK(MPI_Send(&me, 1, MPI_INT, me, 5, MPI_COMM_WORLD));
    }
    for (flag = 0; !flag;)
        CHECK_OK(MPI_Request_get_status_all(2, done, &flag, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Probe(me, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Precv_init(received, 1, 1, MPI_INT, me, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &parts));
}

static void requests_end(void)
{
    CHECK_OK(MPI_Recv(&value, 1, MPI_INT, me, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&found, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2; i++)
        CHECK_OK(MPI_Cancel(&pending[i]));
    CHECK_OK(MPI_Waitall(2, done, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Waitall(2, pending, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Request_free(&parts));
}

int main(int argc, char **argv)
{
    int words[WORDS];
    void *allocated;
    check_start(&argc, &argv);
    requests_start();
    CHECK_OK(MPI_Win_create(&result, sizeof result, 1, MPI_INFO_NULL, MPI_COMM_SELF, &own));
    CHECK_OK(MPI_Win_create(words, sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    memory = words;
    all_polls();
    win_test();
    CHECK_OK(MPI_Win_free(&win));
    CHECK_OK(MPI_Win_allocate(sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win));
    memory = allocated;
    all_polls();
    CHECK_OK(MPI_Win_free(&win));
    CHECK_OK(MPI_Win_free(&own));
    requests_end();
    return check_finish();
}
