/* pipe_lost.c: rank 2 receives nothing, computes for ever, and is killed by the test. Whatever the others had under way with it ends with
 * MPI_ERR_PROC_ABORTED, each request once, and then they go on without it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DEAD = 2, PARTS = 4, LONG = 20000 };

static int rank, size;
static MPI_Comm living;
static MPI_Win win;
static char out[LONG], in[LONG], in_place[LONG], early[LONG], given_up[64], parts_out[64], parts_in[64], got[LONG],
    buffer[4 * LONG];

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void must(const char *what, int is, int wanted)
{
    if (is == wanted)
        return;
    fprintf(stderr, "rank %d: %s: %d, not %d\n", rank, what, is, wanted);
    fflush(stderr);
    _Exit(3);
}

static void live_exchange(void)
{
    int me = 0, all = 0, came = -1;
    MPI_Request r;
    MPI_Comm_rank(living, &me);
    MPI_Comm_size(living, &all);
    int from = (me + all - 1) % all;
    MPI_Isendrecv(&me, 1, MPI_INT, (me + 1) % all, 7, &came, 1, MPI_INT, from, 7, living, &r);
    must("an exchange of the living", MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    must("what a living rank sent", came, from);
}

/* `polls`: by MPI_Test alone. */
static void ends(const char *what, MPI_Request *r, int polls)
{
    int done = 0, e = MPI_SUCCESS;
    while (polls && !done)
        e = MPI_Test(r, &done, MPI_STATUS_IGNORE);
    if (!polls)
        e = MPI_Wait(r, MPI_STATUS_IGNORE);
    must(what, class_of(e), MPI_ERR_PROC_ABORTED);
}

enum { EXCHANGE, REPLACE, HALF, TESTED, GOT, PSEND, PRECV, FLUSH, REQUESTS };
static const char *const name[REQUESTS] = {[EXCHANGE] = "MPI_Isendrecv",
                                           [REPLACE] = "MPI_Isendrecv_replace",
                                           [HALF] = "MPI_Isendrecv, sent to the living",
                                           [TESTED] = "MPI_Test",
                                           [GOT] = "MPI_Rget",
                                           [PSEND] = "MPI_Psend_init",
                                           [PRECV] = "MPI_Precv_init",
                                           [FLUSH] = "MPI_Comm_iflush_buffer"};

static void begin(MPI_Request *r)
{
    MPI_Request freed, copy;
    int next = rank == 1 ? 3 : (rank + 1) % size, before = rank == 3 ? 1 : (rank + size - 1) % size;
    MPI_Isendrecv(out, LONG, MPI_CHAR, DEAD, 1, in, LONG, MPI_CHAR, DEAD, 1, MPI_COMM_WORLD, &r[EXCHANGE]);
    MPI_Isendrecv_replace(in_place, LONG, MPI_CHAR, DEAD, 2, DEAD, 2, MPI_COMM_WORLD, &r[REPLACE]);
    MPI_Isendrecv(out, 8, MPI_CHAR, next, 3, early, LONG, MPI_CHAR, DEAD, 3, MPI_COMM_WORLD, &r[HALF]);
    MPI_Recv(given_up, 8, MPI_CHAR, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isendrecv(out, LONG, MPI_CHAR, DEAD, 4, given_up, 64, MPI_CHAR, DEAD, 4, MPI_COMM_WORLD, &freed);
    MPI_Request_free(&freed);
    MPI_Irecv(early, 8, MPI_CHAR, DEAD, 5, MPI_COMM_WORLD, &r[TESTED]);
    MPI_Psend_init(parts_out, PARTS, 16, MPI_CHAR, DEAD, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[PSEND]);
    MPI_Precv_init(parts_in, PARTS, 16, MPI_CHAR, DEAD, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[PRECV]);
    MPI_Startall(2, &r[PSEND]);
    MPI_Comm_attach_buffer(MPI_COMM_WORLD, buffer, sizeof buffer);
    MPI_Ibsend(out, LONG, MPI_CHAR, DEAD, 8, MPI_COMM_WORLD, &copy);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    MPI_Comm_iflush_buffer(MPI_COMM_WORLD, &r[FLUSH]);
}

/* Rank 2 keeps what comes, so that the ring stays open, until all have begun; then it answers to nothing any more. */
static void stand_still(void)
{
    for (int here = 0; !here;)
        MPI_Iprobe(0, 9, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 1, 10, MPI_COMM_WORLD);
    for (;;)
        sleep(1);
}

/* Rank 1 alone, for the ring has room for little that nobody takes. */
static void begin_late(MPI_Request *get)
{
    MPI_Recv(NULL, 0, MPI_INT, DEAD, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rget(got, LONG, MPI_CHAR, DEAD, 0, LONG, MPI_CHAR, win, get);
}

int main(int argc, char **argv)
{
    MPI_Request r[REQUESTS];
    char *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* what a window's request reports to */
    MPI_Comm_split(MPI_COMM_WORLD, rank == DEAD, rank, &living);
    MPI_Win_allocate(LONG, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == DEAD)
        stand_still();
    begin(r);
    MPI_Barrier(living);
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_INT, DEAD, 9, MPI_COMM_WORLD);
    if (rank == 1)
        begin_late(&r[GOT]);
    MPI_Barrier(living);
    if (rank == 0)
        printf("it runs\n");
    fflush(stdout);
    ends(name[TESTED], &r[TESTED], 1);
    MPI_Pready_range(0, PARTS - 1, r[PSEND]);
    for (int i = 0; i < FLUSH; i++)
        if (i != TESTED && (i != GOT || rank == 1))
            ends(name[i], &r[i], 0);
    must(name[FLUSH], MPI_Wait(&r[FLUSH], MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Start(&r[PRECV]); /* again: it ends at once */
    ends("a receive that is started again", &r[PRECV], 0);
    MPI_Request_free(&r[PSEND]);
    MPI_Request_free(&r[PRECV]);
    live_exchange();
    printf("rank %d goes on\n", rank);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
