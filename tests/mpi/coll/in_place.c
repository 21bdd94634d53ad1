/* MPI_IN_PLACE in every collective that knows it, blocking and not, the v- and w-forms with uneven pieces. */
#include "check.h"

enum { RANKS = 64, MOST = 1000 };

static int data[RANKS * MOST];
static int counts[RANKS], displs[RANKS], bytes[RANKS];
static MPI_Datatype types[RANKS];
static bool nonblocking;
static int count, root, total;
static const MPI_Comm w = MPI_COMM_WORLD;
static MPI_Request q;

static int cell(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

static void finish(void)
{
    if (nonblocking)
        MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void expect(const char *what, int i, int wanted)
{
    CHECK(data[i] == wanted, "%s, count %d, root %d, nonblocking %d: element %d: %d, wanted %d", what, count, root,
          nonblocking, i, data[i], wanted);
}

/* Even pieces, or uneven ones with gaps between them. */
static void lay_out(bool even)
{
    total = 0;
    for (int r = 0; r < np; r++) {
        counts[r] = even ? count : count - (count > 2 ? r % 3 : 0);
        displs[r] = even ? r * count : r * MOST;
        bytes[r] = displs[r] * (int)sizeof(int);
        types[r] = MPI_INT;
        total += counts[r];
    }
}

/* This rank's own piece holds what it would have sent; the rest is to come. */
static void own_piece(int seed)
{
    for (int i = 0; i < np * MOST; i++)
        data[i] = -1;
    for (int i = 0; i < counts[me]; i++)
        data[displs[me] + i] = cell(me, seed, i);
}

static void expect_pieces(const char *what, int seed)
{
    for (int r = 0; r < np; r++)
        for (int i = 0; i < counts[r]; i++)
            expect(what, displs[r] + i, cell(r, seed, i));
}

static void gathers(void)
{
    bool is_root = me == root;
    lay_out(true);
    own_piece(1);
    const void *out = is_root ? MPI_IN_PLACE : data + displs[me];
    void *in = is_root ? data : NULL;
    if (nonblocking)
        MPI_Igather(out, count, MPI_INT, in, count, MPI_INT, root, w, &q);
    else
        MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, root, w);
    finish();
    if (is_root)
        expect_pieces("gather", 1);
    own_piece(2);
    if (nonblocking)
        MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, count, MPI_INT, w, &q);
    else
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, count, MPI_INT, w);
    finish();
    expect_pieces("allgather", 2);
    lay_out(false);
    own_piece(3);
    out = is_root ? MPI_IN_PLACE : data + displs[me];
    if (nonblocking)
        MPI_Igatherv(out, counts[me], MPI_INT, in, counts, displs, MPI_INT, root, w, &q);
    else
        MPI_Gatherv(out, counts[me], MPI_INT, in, counts, displs, MPI_INT, root, w);
    finish();
    if (is_root)
        expect_pieces("gatherv", 3);
    own_piece(4);
    if (nonblocking)
        MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, w, &q);
    else
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, w);
    finish();
    expect_pieces("allgatherv", 4);
}

static void scatters(bool even)
{
    bool is_root = me == root;
    lay_out(even);
    for (int r = 0; r < np; r++)
        for (int i = 0; i < counts[r]; i++)
            data[displs[r] + i] = is_root ? cell(root, r, i) : -1;
    void *in = is_root ? MPI_IN_PLACE : data + displs[me];
    const void *out = is_root ? data : NULL;
    if (even && nonblocking)
        MPI_Iscatter(out, count, MPI_INT, in, count, MPI_INT, root, w, &q);
    else if (even)
        MPI_Scatter(out, count, MPI_INT, in, count, MPI_INT, root, w);
    else if (nonblocking)
        MPI_Iscatterv(out, counts, displs, MPI_INT, in, counts[me], MPI_INT, root, w, &q);
    else
        MPI_Scatterv(out, counts, displs, MPI_INT, in, counts[me], MPI_INT, root, w);
    finish();
    for (int r = 0; r < np; r++)
        for (int i = 0; i < counts[r]; i++)
            expect(even ? "scatter" : "scatterv", displs[r] + i, is_root || r == me ? cell(root, r, i) : -1);
}

/* Pieces must be as long one way as the other. */
static int between(int a, int b) { return count > 5 ? count - (a + b) % 5 : count; }

static void exchanges(int form)
{
    lay_out(form == 0);
    for (int r = 0; r < np; r++) {
        counts[r] = form ? between(me, r) : count;
        for (int i = 0; i < counts[r]; i++)
            data[displs[r] + i] = cell(me, r, i);
    }
    if (form == 0 && nonblocking)
        MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, count, MPI_INT, w, &q);
    else if (form == 0)
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, count, MPI_INT, w);
    else if (form == 1 && nonblocking)
        MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, w, &q);
    else if (form == 1)
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, w);
    else if (nonblocking)
        MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, bytes, types, w, &q);
    else
        MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, bytes, types, w);
    finish();
    for (int r = 0; r < np; r++)
        for (int i = 0; i < counts[r]; i++)
            expect(form == 0 ? "alltoall" : form == 1 ? "alltoallv" : "alltoallw", displs[r] + i, cell(r, me, i));
}

static void reset(int elements)
{
    for (int i = 0; i < elements; i++)
        data[i] = me * 3 + i;
}

static int sum(int ranks, int i) { return ranks * (ranks - 1) / 2 * 3 + ranks * i; }

static void reductions(void)
{
    reset(count);
    const void *out = me == root ? MPI_IN_PLACE : data;
    void *in = me == root ? data : NULL;
    if (nonblocking)
        MPI_Ireduce(out, in, count, MPI_INT, MPI_SUM, root, w, &q);
    else
        MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, root, w);
    finish();
    for (int i = 0; i < count; i++)
        expect("reduce", i, me == root ? sum(np, i) : me * 3 + i);
    reset(count);
    if (nonblocking)
        MPI_Iallreduce(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w, &q);
    else
        MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w);
    finish();
    for (int i = 0; i < count; i++)
        expect("allreduce", i, sum(np, i));
    reset(count);
    if (nonblocking)
        MPI_Iscan(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w, &q);
    else
        MPI_Scan(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w);
    finish();
    for (int i = 0; i < count; i++)
        expect("scan", i, sum(me + 1, i));
    reset(count);
    if (nonblocking)
        MPI_Iexscan(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w, &q);
    else
        MPI_Exscan(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w);
    finish();
    for (int i = 0; i < count && me > 0; i++)
        expect("exscan", i, sum(me, i));
}

static void scattered_reductions(void)
{
    lay_out(false);
    reset(total);
    if (nonblocking)
        MPI_Ireduce_scatter(MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM, w, &q);
    else
        MPI_Reduce_scatter(MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM, w);
    finish();
    int first = 0;
    for (int r = 0; r < me; r++)
        first += counts[r];
    for (int i = 0; i < counts[me]; i++)
        expect("reduce_scatter", i, sum(np, first + i));
    reset(count * np);
    if (nonblocking)
        MPI_Ireduce_scatter_block(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w, &q);
    else
        MPI_Reduce_scatter_block(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, w);
    finish();
    for (int i = 0; i < count; i++)
        expect("reduce_scatter_block", i, sum(np, me * count + i));
}

int main(int argc, char **argv)
{
    const int all_counts[] = {1, 4, 50, MOST};
    check_start(&argc, &argv);
    CHECK(np <= RANKS, "%d ranks: the arrays are of %d", np, RANKS);
    for (int k = 0; k < 8; k++) {
        count = all_counts[k / 2] < MOST ? all_counts[k / 2] : check_bearable(MOST);
        nonblocking = k % 2;
        root = (k * 3 + 1) % np;
        gathers();
        scatters(true);
        scatters(false);
        for (int form = 0; form < 3; form++)
            exchanges(form);
        reductions();
        scattered_reductions();
    }
    return check_finish();
}
