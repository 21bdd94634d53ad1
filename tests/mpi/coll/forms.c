/* Every collective in every form: blocking, nonblocking and persistent (started three times, with other data each time), with
 * counts of int and of MPI_Count. */
#include "check.h"

enum { MOST = CHECK_SMALL ? 16 : 64, LONG = CHECK_SMALL ? 60 : 300, ROOM = MOST * LONG };
enum form { BLOCKING, NONBLOCKING, PERSISTENT };

static MPI_Comm comm;
static int in[ROOM], out[ROOM], n, root, salt;
/* Between a pair of ranks, and where it lies: part p at p * LONG. */
static int counts[MOST], displs[MOST], blocks[MOST], bytes[MOST];
static MPI_Count counts_c[MOST], blocks_c[MOST];
static MPI_Aint displs_c[MOST], bytes_c[MOST];
static MPI_Datatype types[MOST];

static int value(int from, int to, int i) { return salt + from * 100003 + to * 1009 + i; }
static int pair_count(int a, int b) { return n * ((a + b) % 3) / 2; }
static int is_long(void) { return n > LONG / 2; }

static void expect(int at, int wanted, const char *what)
{
    CHECK(in[at] == wanted, "%s, n %d, root %d, element %d: %d, wanted %d", what, n, root, at, in[at], wanted);
}

/* Part p of the output, `each` after the last one. */
static void fill(int each)
{
    salt += 7;
    for (int i = 0; i < ROOM; i++)
        in[i] = -1;
    for (int p = 0; p < np; p++)
        for (int i = 0; i < n; i++)
            out[p * each + i] = value(me, p, i);
}
static void fill_close(void) { fill(n); }
static void fill_apart(void) { fill(LONG); }
static void fill_bcast(void)
{
    fill(n);
    for (int i = 0; i < n && me == root; i++)
        in[i] = value(root, 0, i);
}

/* One of the three forms. A macro, as they differ in name and in their last arguments. */
#define ISSUE(run, start, init, ...)                                                                                   \
    do {                                                                                                               \
        if (form == BLOCKING)                                                                                          \
            CHECK_OK(run(__VA_ARGS__, comm));                                                                          \
        else if (form == NONBLOCKING)                                                                                  \
            CHECK_OK(start(__VA_ARGS__, comm, q));                                                                     \
        else                                                                                                           \
            CHECK_OK(init(__VA_ARGS__, comm, MPI_INFO_NULL, q));                                                       \
    } while (0)
/* The same with int or MPI_Count. */
#define EITHER(run, start, init, ...)                                                                                  \
    do {                                                                                                               \
        if (wide)                                                                                                      \
            ISSUE(run##_c, start##_c, init##_c, __VA_ARGS__);                                                          \
        else                                                                                                           \
            ISSUE(run, start, init, __VA_ARGS__);                                                                      \
    } while (0)

static void barrier(int wide, enum form form, MPI_Request *q)
{
    (void)wide;
    if (form == BLOCKING)
        CHECK_OK(MPI_Barrier(comm));
    else if (form == NONBLOCKING)
        CHECK_OK(MPI_Ibarrier(comm, q));
    else
        CHECK_OK(MPI_Barrier_init(comm, MPI_INFO_NULL, q));
}
static void nothing(void) {}

static void bcast(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, in, n, MPI_INT, root);
}
static void bcast_ok(void)
{
    for (int i = 0; i < n; i++)
        expect(i, value(root, 0, i), "bcast");
}

static void gather(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Gather, MPI_Igather, MPI_Gather_init, out, n, MPI_INT, in, n, MPI_INT, root);
}
static void gather_ok(void)
{
    for (int p = 0; p < np && me == root; p++)
        for (int i = 0; i < n; i++)
            expect(p * n + i, value(p, 0, i), "gather");
}

static void gatherv(int wide, enum form form, MPI_Request *q)
{
    int mine = pair_count(me, root);
    if (wide)
        ISSUE(MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, out, mine, MPI_INT, in, counts_c, displs_c, MPI_INT,
              root);
    else
        ISSUE(MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, out, mine, MPI_INT, in, counts, displs, MPI_INT, root);
}
static void gatherv_ok(void)
{
    for (int p = 0; p < np && me == root; p++)
        for (int i = 0; i < LONG; i++)
            expect(p * LONG + i, i < pair_count(p, me) ? value(p, 0, i) : -1, "gatherv");
}

static void scatter(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, n, MPI_INT, in, n, MPI_INT, root);
}
static void scatter_ok(void)
{
    for (int i = 0; i < n; i++)
        expect(i, value(root, me, i), "scatter");
}

static void scatterv(int wide, enum form form, MPI_Request *q)
{
    int mine = pair_count(me, root);
    if (wide)
        ISSUE(MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c, out, counts_c, displs_c, MPI_INT, in, mine, MPI_INT,
              root);
    else
        ISSUE(MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out, counts, displs, MPI_INT, in, mine, MPI_INT, root);
}
static void scatterv_ok(void)
{
    for (int i = 0; i < LONG; i++)
        expect(i, i < pair_count(me, root) ? value(root, me, i) : -1, "scatterv");
}

static void allgather(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, out, n, MPI_INT, in, n, MPI_INT);
}
static void allgather_ok(void)
{
    for (int p = 0; p < np; p++)
        for (int i = 0; i < n; i++)
            expect(p * n + i, value(p, 0, i), "allgather");
}

/* A part's length depends on its owner alone. */
static void allgatherv(int wide, enum form form, MPI_Request *q)
{
    int mine = blocks[me];
    if (wide)
        ISSUE(MPI_Allgatherv_c, MPI_Iallgatherv_c, MPI_Allgatherv_init_c, out, mine, MPI_INT, in, blocks_c, displs_c,
              MPI_INT);
    else
        ISSUE(MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, out, mine, MPI_INT, in, blocks, displs, MPI_INT);
}
static void allgatherv_ok(void)
{
    for (int p = 0; p < np; p++)
        for (int i = 0; i < LONG; i++)
            expect(p * LONG + i, i < blocks[p] ? value(p, 0, i) : -1, "allgatherv");
}

static void alltoall(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, n, MPI_INT, in, n, MPI_INT);
}
static void alltoall_ok(void)
{
    for (int p = 0; p < np; p++)
        for (int i = 0; i < n; i++)
            expect(p * n + i, value(p, me, i), "alltoall");
}

static void alltoallv(int wide, enum form form, MPI_Request *q)
{
    if (wide)
        ISSUE(MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c, out, counts_c, displs_c, MPI_INT, in, counts_c,
              displs_c, MPI_INT);
    else
        ISSUE(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out, counts, displs, MPI_INT, in, counts, displs,
              MPI_INT);
}
static void alltoallw(int wide, enum form form, MPI_Request *q)
{
    if (wide)
        ISSUE(MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c, out, counts_c, bytes_c, types, in, counts_c,
              bytes_c, types);
    else
        ISSUE(MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out, counts, bytes, types, in, counts, bytes, types);
}
static void alltoallv_ok(void)
{
    for (int p = 0; p < np; p++)
        for (int i = 0; i < LONG; i++)
            expect(p * LONG + i, i < pair_count(p, me) ? value(p, me, i) : -1, "alltoallv");
}

/* Of ranks 0 .. ranks - 1, at element i of their vectors. */
static int sum(int ranks, int i)
{
    int s = 0;
    for (int p = 0; p < ranks; p++)
        s += value(p, 0, i);
    return s;
}

static void reduce(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, out, in, n, MPI_INT, MPI_SUM, root);
}
static void reduce_ok(void)
{
    for (int i = 0; i < n && me == root; i++)
        expect(i, sum(np, i), "reduce");
}

static void allreduce(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, out, in, n, MPI_INT, MPI_SUM);
}
static void allreduce_ok(void)
{
    for (int i = 0; i < n; i++)
        expect(i, sum(np, i), "allreduce");
}

static void scan(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Scan, MPI_Iscan, MPI_Scan_init, out, in, n, MPI_INT, MPI_SUM);
}
static void scan_ok(void)
{
    for (int i = 0; i < n; i++)
        expect(i, sum(me + 1, i), "scan");
}

static void exscan(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, out, in, n, MPI_INT, MPI_SUM);
}
static void exscan_ok(void)
{
    for (int i = 0; i < n && me > 0; i++)
        expect(i, sum(me, i), "exscan");
}

/* The whole vector is the parts of fill(), one behind the other: element p * n + i is value(me, p, i). */
static int block_sum(int at)
{
    int s = 0;
    for (int p = 0; p < np; p++)
        s += value(p, at / n, at % n);
    return s;
}

static void reduce_scatter(int wide, enum form form, MPI_Request *q)
{
    if (wide)
        ISSUE(MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c, MPI_Reduce_scatter_init_c, out, in, blocks_c, MPI_INT,
              MPI_SUM);
    else
        ISSUE(MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init, out, in, blocks, MPI_INT, MPI_SUM);
}
static void reduce_scatter_ok(void)
{
    int at = 0;
    for (int p = 0; p < me; p++)
        at += blocks[p];
    for (int i = 0; i < blocks[me]; i++)
        expect(i, block_sum(at + i), "reduce_scatter");
}

static void reduce_scatter_block(int wide, enum form form, MPI_Request *q)
{
    EITHER(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init, out, in, n, MPI_INT,
           MPI_SUM);
}
static void reduce_scatter_block_ok(void)
{
    for (int i = 0; i < n; i++)
        expect(i, block_sum(me * n + i), "reduce_scatter_block");
}

static const struct {
    void (*fill)(void), (*issue)(int wide, enum form, MPI_Request *), (*verify)(void);
    int rooted;
} collectives[] = {{nothing, barrier, nothing, 0},
                   {fill_bcast, bcast, bcast_ok, 1},
                   {fill_close, gather, gather_ok, 1},
                   {fill_apart, gatherv, gatherv_ok, 1},
                   {fill_close, scatter, scatter_ok, 1},
                   {fill_apart, scatterv, scatterv_ok, 1},
                   {fill_close, allgather, allgather_ok, 0},
                   {fill_apart, allgatherv, allgatherv_ok, 0},
                   {fill_close, alltoall, alltoall_ok, 0},
                   {fill_apart, alltoallv, alltoallv_ok, 0},
                   {fill_apart, alltoallw, alltoallv_ok, 0},
                   {fill_close, reduce, reduce_ok, 1},
                   {fill_close, allreduce, allreduce_ok, 0},
                   {fill_close, scan, scan_ok, 0},
                   {fill_close, exscan, exscan_ok, 0},
                   {fill_close, reduce_scatter, reduce_scatter_ok, 0},
                   {fill_close, reduce_scatter_block, reduce_scatter_block_ok, 0}};
enum { COLLECTIVES = sizeof collectives / sizeof collectives[0] };

static void run(int k, int wide, enum form form)
{
    MPI_Request q = MPI_REQUEST_NULL;
    int starts = form == PERSISTENT ? 3 : 1;
    if (form == PERSISTENT)
        collectives[k].issue(wide, form, &q);
    for (int i = 0; i < starts; i++) {
        collectives[k].fill();
        if (form == PERSISTENT)
            CHECK_OK(MPI_Start(&q));
        else
            collectives[k].issue(wide, form, &q);
        CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
        CHECK((q == MPI_REQUEST_NULL) == (form != PERSISTENT), "collective %d, form %d", k, form);
        collectives[k].verify();
    }
    if (form == PERSISTENT) {
        CHECK_OK(MPI_Request_free(&q));
        CHECK(q == MPI_REQUEST_NULL, "collective %d", k);
    }
}

static void set_counts(void)
{
    for (int p = 0; p < np; p++) {
        counts_c[p] = counts[p] = pair_count(me, p);
        blocks_c[p] = blocks[p] = n * (p % 3) / 2;
        displs_c[p] = displs[p] = p * LONG;
        bytes_c[p] = bytes[p] = displs[p] * (int)sizeof(int);
        types[p] = MPI_INT;
    }
}

int main(int argc, char **argv)
{
    static const int lengths[] = {0, 1, 17, LONG};
    check_start(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < COLLECTIVES; k++)
            for (int form = BLOCKING; form <= PERSISTENT; form++)
                for (int wide = 0; wide < 2; wide++) {
                    n = lengths[l];
                    root = (l + k) % np;
                    set_counts();
                    for (; root < np; root += collectives[k].rooted && !is_long() ? (np + 2) / 3 : np) {
                        set_counts();
                        run(k, wide, (enum form)form);
                    }
                }
    MPI_Comm_free(&comm);
    return check_finish();
}
