/* A short message of a derived type goes from the buffer into the packet and from the packet into the buffer: on the way the library takes no
 * memory, at either end. Its memory is filled up to the highest mark first, so that a byte more would raise that. */
#include "../check.h"

enum { FILLERS = 200, BLOCK = 4, MOST = CHECK_SMALL ? 48 : 480 /* blocks in a message */ };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle used, high;
static unsigned char out[2 * BLOCK * MOST], in[2 * BLOCK * MOST];

static MPI_T_pvar_handle handle_of(const char *name, int class)
{
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int index = -1, count = -1;
    CHECK(MPI_T_pvar_get_index(name, class, &index) == MPI_SUCCESS, "%s", name);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS, "%s", name);
    return handle;
}

static unsigned long long value(MPI_T_pvar_handle handle)
{
    unsigned long long v = 0;
    MPI_T_pvar_read(session, handle, &v);
    return v;
}

static int fill_up(void **filler)
{
    int n = 0;
    for (unsigned long long left; n < FILLERS && (left = value(high) - value(used)) > 0; n++)
        CHECK_OK(MPI_Alloc_mem(left > 2 ? (MPI_Aint)(left / 2) : 1, MPI_INFO_NULL, &filler[n]));
    CHECK(value(high) == value(used), "%llu of %llu", value(used), value(high));
    return n;
}

/* Until all have looked: in receives that wait since before, so that no message has to be kept. */
static MPI_Request *gather_init(int *n)
{
    *n = me == 0 ? np - 1 : 1;
    MPI_Request *q = check_alloc((size_t)(*n + 1) * sizeof *q);
    for (int i = 0; i < *n; i++)
        MPI_Recv_init(NULL, 0, MPI_BYTE, me == 0 ? i + 1 : 0, 3, MPI_COMM_WORLD, &q[i]);
    MPI_Startall(*n, q);
    return q;
}
static void gather(MPI_Request *q, int n)
{
    if (me != 0)
        MPI_Send(NULL, 0, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
    MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    for (int i = 1; me == 0 && i < np; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, 3, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        MPI_Request_free(&q[i]);
    free(q);
}

/* Both receives wait before the first packet leaves. */
static void go_round(int blocks, int watch)
{
    MPI_Datatype t;
    MPI_Request data, go;
    void *filler[FILLERS];
    MPI_Type_vector(blocks, BLOCK, 2 * BLOCK, MPI_BYTE, &t);
    MPI_Type_commit(&t);
    memset(in, 0xee, sizeof in);
    fill_bytes(out, sizeof out, blocks + me);
    MPI_Recv_init(in, 1, t, left_of(me), 1, MPI_COMM_WORLD, &data);
    MPI_Recv_init(NULL, 0, MPI_BYTE, right_of(me), 2, MPI_COMM_WORLD, &go);
    MPI_Start(&data);
    MPI_Start(&go);
    int gathered;
    MPI_Request *looked = gather_init(&gathered);
    MPI_Barrier(MPI_COMM_WORLD);
    int fillers = watch ? fill_up(filler) : 0;
    unsigned long long before = value(high);
    MPI_Send(NULL, 0, MPI_BYTE, left_of(me), 2, MPI_COMM_WORLD);
    MPI_Wait(&go, MPI_STATUS_IGNORE);
    MPI_Send(out, 1, t, right_of(me), 1, MPI_COMM_WORLD);
    MPI_Wait(&data, MPI_STATUS_IGNORE);
    unsigned long long after = value(high);
    gather(looked, gathered);
    if (watch)
        CHECK(after == before, "%d bytes: %llu more in use on the way", BLOCK * blocks, after - before);
    fill_bytes(out, sizeof out, blocks + left_of(me));
    for (int i = 0; i < 2 * BLOCK * blocks - BLOCK; i++)
        CHECK(in[i] == (i / BLOCK % 2 ? 0xee : out[i]), "%d blocks: byte %d is %d", blocks, i, in[i]);
    while (fillers)
        MPI_Free_mem(filler[--fillers]);
    MPI_Request_free(&data);
    MPI_Request_free(&go);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    int provided = 0;
    check_start(&argc, &argv);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "MPI_T");
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "session");
    used = handle_of("mpico_heap_bytes", MPI_T_PVAR_CLASS_LEVEL);
    high = handle_of("mpico_heap_high_bytes", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    for (int blocks = 2; blocks <= MOST; blocks *= 3)
        for (int watch = 0; watch < 2; watch++) /* what lives on is made in the first round */
            go_round(blocks, watch && np > 1);  /* a message to oneself is kept until it is received */
    MPI_T_pvar_handle_free(session, &used);
    MPI_T_pvar_handle_free(session, &high);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    return check_finish();
}
