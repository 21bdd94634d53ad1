/* Every collective between two groups of a different number of ranks, blocking, nonblocking and persistent, with each rank of
 * either group as the root. */
#include "sides.h"

enum { LONGEST = 600, PEERS = 64 };
static const int lengths[] = {0, 1, 7, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

enum form { BLOCKING, NONBLOCKING, PERSISTENT };

static void finish(MPI_Request *q, int persistent)
{
    for (int i = 0; i < (persistent ? 2 : 1); i++) {
        if (persistent)
            CHECK_OK(MPI_Start(q));
        CHECK_OK(MPI_Wait(q, MPI_STATUS_IGNORE));
    }
    if (persistent)
        CHECK_OK(MPI_Request_free(q));
}

/* One call in one of its three forms. A macro, because they differ in name and in their last arguments. */
#define CALL(form, name, iname, comm, ...)                                                                             \
    do {                                                                                                               \
        MPI_Request q_ = MPI_REQUEST_NULL;                                                                             \
        if ((form) == BLOCKING) {                                                                                      \
            CHECK_OK(MPI_##name(__VA_ARGS__, comm));                                                                   \
        } else if ((form) == NONBLOCKING) {                                                                            \
            CHECK_OK(MPI_I##iname(__VA_ARGS__, comm, &q_));                                                            \
            finish(&q_, 0);                                                                                            \
        } else {                                                                                                       \
            CHECK_OK(MPI_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &q_));                                        \
            finish(&q_, 1);                                                                                            \
        }                                                                                                              \
    } while (0)

static int value(int from, int to, int i) { return from * 100003 + to * 1009 + i; }
static int in[PEERS * LONGEST], out[PEERS * LONGEST], counts[PEERS], displs[PEERS], other_counts[PEERS],
    other_displs[PEERS];
static MPI_Datatype types[PEERS];

static void clear(void)
{
    for (int i = 0; i < PEERS * LONGEST; i++)
        in[i] = -1;
}

static void expect(int at, int wanted, const char *what, int line)
{
    CHECK(in[at] == wanted, "%s, line %d: element %d is %d, wanted %d", what, line, at, in[at], wanted);
}

/* What this rank says for root: of the upper part if `upper`, there of rank `root`. */
static int role(const struct sides *s, int upper, int root)
{
    if (upper != s->upper)
        return root;
    return s->rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void bcast(const struct sides *s, int n, int upper, int root, enum form form)
{
    int role_here = role(s, upper, root), from = upper ? s->low + root : root;
    clear();
    for (int i = 0; i < n && role_here == MPI_ROOT; i++)
        in[i] = value(me, 0, i);
    CALL(form, Bcast, bcast, s->inter, in, n, MPI_INT, role_here);
    for (int i = 0; i < n && role_here >= 0; i++)
        expect(i, value(from, 0, i), "bcast", __LINE__);
    for (int i = 0; i < n && role_here == MPI_PROC_NULL; i++)
        expect(i, -1, "bcast, not taking part", __LINE__);
}

static void gather(const struct sides *s, int n, int upper, int root, enum form form)
{
    int r = role(s, upper, root), to = upper ? s->low + root : root;
    clear();
    for (int i = 0; i < n; i++)
        out[i] = value(me, to, i);
    CALL(form, Gather, gather, s->inter, out, n, MPI_INT, in, n, MPI_INT, r);
    for (int p = 0; p < s->others && r == MPI_ROOT; p++)
        for (int i = 0; i < n; i++)
            expect(p * n + i, value(sides_world(s, p), me, i), "gather", __LINE__);
    /* Each a length of its own, with gaps. */
    clear();
    int mine = n * (s->rank % 3) / 2;
    for (int p = 0, at = 0; p < s->others; at += counts[p++] + 1) {
        counts[p] = n * (p % 3) / 2;
        displs[p] = at;
    }
    CALL(form, Gatherv, gatherv, s->inter, out, mine, MPI_INT, in, counts, displs, MPI_INT, r);
    for (int p = 0; p < s->others && r == MPI_ROOT; p++) {
        for (int i = 0; i < counts[p]; i++)
            expect(displs[p] + i, value(sides_world(s, p), me, i), "gatherv", __LINE__);
        expect(displs[p] + counts[p], -1, "gatherv, gap", __LINE__);
    }
}

static void scatter(const struct sides *s, int n, int upper, int root, enum form form)
{
    int r = role(s, upper, root), from = upper ? s->low + root : root;
    clear();
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < n; i++)
            out[p * n + i] = value(me, sides_world(s, p), i);
    CALL(form, Scatter, scatter, s->inter, out, n, MPI_INT, in, n, MPI_INT, r);
    for (int i = 0; i < n && r >= 0; i++)
        expect(i, value(from, me, i), "scatter", __LINE__);
    clear();
    int mine = n * (s->rank % 3) / 2;
    for (int p = 0; p < s->others; p++) {
        counts[p] = n * (p % 3) / 2;
        displs[p] = p * n;
    }
    CALL(form, Scatterv, scatterv, s->inter, out, counts, displs, MPI_INT, in, mine, MPI_INT, r);
    for (int i = 0; i < mine && r >= 0; i++)
        expect(i, value(from, me, i), "scatterv", __LINE__);
}

static void allgather(const struct sides *s, int n, enum form form)
{
    clear();
    for (int i = 0; i < n; i++)
        out[i] = value(me, 0, i);
    CALL(form, Allgather, allgather, s->inter, out, n, MPI_INT, in, n, MPI_INT);
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < n; i++)
            expect(p * n + i, value(sides_world(s, p), 0, i), "allgather", __LINE__);
    clear();
    for (int p = 0; p < s->others; p++) {
        counts[p] = n * (p % 3) / 2;
        displs[p] = (s->others - 1 - p) * n;
    }
    CALL(form, Allgatherv, allgatherv, s->inter, out, n * (s->rank % 3) / 2, MPI_INT, in, counts, displs, MPI_INT);
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < counts[p]; i++)
            expect(displs[p] + i, value(sides_world(s, p), 0, i), "allgatherv", __LINE__);
}

static void alltoall(const struct sides *s, int n, enum form form)
{
    clear();
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < n; i++)
            out[p * n + i] = value(me, sides_world(s, p), i);
    CALL(form, Alltoall, alltoall, s->inter, out, n, MPI_INT, in, n, MPI_INT);
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < n; i++)
            expect(p * n + i, value(sides_world(s, p), me, i), "alltoall", __LINE__);
    clear();
    for (int p = 0; p < s->others; p++) {
        counts[p] = other_counts[p] = n * ((s->rank + p) % 3) / 2;
        displs[p] = p * n;
        other_displs[p] = (s->others - 1 - p) * n;
    }
    CALL(form, Alltoallv, alltoallv, s->inter, out, counts, displs, MPI_INT, in, other_counts, other_displs, MPI_INT);
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < counts[p]; i++)
            expect(other_displs[p] + i, value(sides_world(s, p), me, i), "alltoallv", __LINE__);
    clear();
    for (int p = 0; p < s->others; p++) {
        types[p] = MPI_INT;
        displs[p] *= (int)sizeof(int);
        other_displs[p] *= (int)sizeof(int);
    }
    CALL(form, Alltoallw, alltoallw, s->inter, out, counts, displs, types, in, other_counts, other_displs, types);
    for (int p = 0; p < s->others; p++)
        for (int i = 0; i < counts[p]; i++)
            expect(other_displs[p] / (int)sizeof(int) + i, value(sides_world(s, p), me, i), "alltoallw", __LINE__);
}

static int sum_of(const struct sides *s, int i)
{
    int sum = 0;
    for (int p = 0; p < s->others; p++)
        sum += value(sides_world(s, p), 0, i);
    return sum;
}

static void reduce(const struct sides *s, int n, int upper, int root, enum form form)
{
    int r = role(s, upper, root);
    clear();
    for (int i = 0; i < n; i++)
        out[i] = value(me, 0, i);
    CALL(form, Reduce, reduce, s->inter, out, in, n, MPI_INT, MPI_SUM, r);
    for (int i = 0; i < n && r == MPI_ROOT; i++)
        expect(i, sum_of(s, i), "reduce", __LINE__);
}

static void allreduce(const struct sides *s, int n, enum form form)
{
    clear();
    for (int i = 0; i < n; i++)
        out[i] = value(me, 0, i);
    CALL(form, Allreduce, allreduce, s->inter, out, in, n, MPI_INT, MPI_SUM);
    for (int i = 0; i < n; i++)
        expect(i, sum_of(s, i), "allreduce", __LINE__);
}

/* The vectors are equally long on both sides: a block of n for each pair. */
static void reduce_scatter(const struct sides *s, int n, enum form form)
{
    int each = n % 8 * s->others, all = each * s->size;
    for (int i = 0; i < all; i++)
        out[i] = value(me, 0, i);
    clear();
    CALL(form, Reduce_scatter_block, reduce_scatter_block, s->inter, out, in, each, MPI_INT, MPI_SUM);
    for (int i = 0; i < each; i++)
        expect(i, sum_of(s, s->rank * each + i), "reduce_scatter_block", __LINE__);
    clear();
    for (int i = 0; i < s->size; i++)
        counts[i] = i ? each : 0;
    counts[s->size - 1] += each;
    int start = s->rank ? (s->rank - 1) * each : 0;
    CALL(form, Reduce_scatter, reduce_scatter, s->inter, out, in, counts, MPI_INT, MPI_SUM);
    for (int i = 0; i < counts[s->rank]; i++)
        expect(i, sum_of(s, start + i), "reduce_scatter", __LINE__);
}

static void barrier(const struct sides *s, enum form form)
{
    MPI_Request q;
    if (form == BLOCKING) {
        CHECK_OK(MPI_Barrier(s->inter));
        return;
    }
    if (form == NONBLOCKING)
        CHECK_OK(MPI_Ibarrier(s->inter, &q));
    else
        CHECK_OK(MPI_Barrier_init(s->inter, MPI_INFO_NULL, &q));
    finish(&q, form == PERSISTENT);
}

static void all_of(const struct sides *s, int n, enum form form)
{
    barrier(s, form);
    allgather(s, n, form);
    alltoall(s, n, form);
    allreduce(s, n, form);
    reduce_scatter(s, n, form);
    for (int upper = 0; upper < 2; upper++) {
        int ranks = upper ? np - s->low : s->low;
        for (int root = 0; root < ranks; root += root && np > 5 ? ranks : 1) {
            bcast(s, n, upper, root, form);
            gather(s, n, upper, root, form);
            scatter(s, n, upper, root, form);
            reduce(s, n, upper, root, form);
        }
    }
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    for (int low = 1; low < np; low += low < 3 ? 1 : np / 2) {
        struct sides s = sides_make(low, 3);
        for (int k = 0; k < LENGTHS; k++)
            for (int form = BLOCKING; form <= PERSISTENT; form++)
                all_of(&s, np > 8 && lengths[k] > 7 ? 40 : lengths[k], (enum form)form);
        sides_free(&s);
    }
    return check_finish();
}
