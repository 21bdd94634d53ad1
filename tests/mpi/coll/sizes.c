/* Every collective at counts from 0 elements to many, so that each algorithm an implementation may switch to is met;
 * blocking and non-blocking forms alternate, as do separate buffers and MPI_IN_PLACE; the root moves. */
#include "check.h"

static int cell(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

static int *in, *out;
static int count, root;
static bool nonblocking;

static void finish(MPI_Request *request)
{
    MPI_Status status;
    MPI_Wait(request, &status);
    CHECK(*request == MPI_REQUEST_NULL, "count %d", count);
}

static void expect(const char *what, int got, int wanted, int i)
{
    CHECK(got == wanted, "%s, count %d, root %d, nonblocking %d: element %d: %d, wanted %d", what, count, root,
          nonblocking, i, got, wanted);
}

static void rooted(void)
{
    MPI_Request q;
    MPI_Comm w = MPI_COMM_WORLD;
    for (int i = 0; i < count; i++)
        in[i] = me == root ? cell(root, 0, i) : -1;
    if (nonblocking) {
        MPI_Ibcast(in, count, MPI_INT, root, w, &q);
        finish(&q);
    } else
        MPI_Bcast(in, count, MPI_INT, root, w);
    for (int i = 0; i < count; i++)
        expect("bcast", in[i], cell(root, 0, i), i);
    for (int i = 0; i < count; i++)
        out[i] = cell(me, 1, i);
    memset(in, 0, sizeof(int) * (size_t)(count * np));
    const void *source = out;
    if (me == root && nonblocking) {
        memcpy(in + me * count, out, sizeof(int) * (size_t)count);
        source = MPI_IN_PLACE;
    }
    if (nonblocking) {
        MPI_Igather(source, count, MPI_INT, in, count, MPI_INT, root, w, &q);
        finish(&q);
    } else
        MPI_Gather(source, count, MPI_INT, in, count, MPI_INT, root, w);
    for (int i = 0; me == root && i < count * np; i++)
        expect("gather", in[i], cell(i / count, 1, i % count), i);
    for (int i = 0; i < count * np; i++)
        out[i] = cell(root, i / (count ? count : 1), i);
    memset(in, 0, sizeof(int) * (size_t)(count * np));
    void *target = me == root && nonblocking ? MPI_IN_PLACE : in;
    if (nonblocking) {
        MPI_Iscatter(out, count, MPI_INT, target, count, MPI_INT, root, w, &q);
        finish(&q);
    } else
        MPI_Scatter(out, count, MPI_INT, target, count, MPI_INT, root, w);
    for (int i = 0; target == in && i < count; i++)
        expect("scatter", in[i], cell(root, me, me * count + i), i);
    for (int i = 0; i < count; i++) {
        out[i] = me + i;
        in[i] = me == root && nonblocking ? me + i : -1;
    }
    source = me == root && nonblocking ? MPI_IN_PLACE : out;
    if (nonblocking) {
        MPI_Ireduce(source, in, count, MPI_INT, MPI_SUM, root, w, &q);
        finish(&q);
    } else
        MPI_Reduce(source, in, count, MPI_INT, MPI_SUM, root, w);
    for (int i = 0; me == root && i < count; i++)
        expect("reduce", in[i], np * (np - 1) / 2 + np * i, i);
}

static void everyone(void)
{
    MPI_Request q;
    MPI_Comm w = MPI_COMM_WORLD;
    for (int i = 0; i < count * np; i++) {
        out[i] = cell(me, 2, i);
        in[i] = -1;
    }
    if (nonblocking) {
        for (int i = 0; i < count; i++)
            in[me * count + i] = out[i];
        MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, w, &q);
        finish(&q);
    } else
        MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, w);
    for (int i = 0; i < count * np; i++)
        expect("allgather", in[i], cell(i / count, 2, i % count), i);
    for (int i = 0; i < count * np; i++) {
        out[i] = cell(me, i / count, i % count);
        in[i] = nonblocking ? out[i] : -1;
    }
    if (nonblocking) {
        MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, w, &q);
        finish(&q);
    } else
        MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, w);
    for (int i = 0; i < count * np; i++)
        expect("alltoall", in[i], cell(i / count, me, i % count), i);
    for (int i = 0; i < count; i++) {
        out[i] = me + i;
        in[i] = nonblocking ? me + i : -1;
    }
    if (nonblocking) {
        MPI_Iallreduce(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, w, &q);
        finish(&q);
    } else
        MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, w);
    for (int i = 0; i < count; i++)
        expect("allreduce", in[i], np * (np - 1) / 2 + np * i, i);
    for (int i = 0; i < count; i++) {
        out[i] = me + i;
        in[i] = nonblocking ? me + i : -1;
    }
    if (nonblocking) {
        MPI_Iscan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, w, &q);
        finish(&q);
    } else
        MPI_Scan(out, in, count, MPI_INT, MPI_SUM, w);
    for (int i = 0; i < count; i++)
        expect("scan", in[i], me * (me + 1) / 2 + (me + 1) * i, i);
    for (int i = 0; i < count; i++) {
        out[i] = me + i;
        in[i] = nonblocking ? me + i : -1;
    }
    if (nonblocking) {
        MPI_Iexscan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, w, &q);
        finish(&q);
    } else
        MPI_Exscan(out, in, count, MPI_INT, MPI_SUM, w);
    for (int i = 0; me > 0 && i < count; i++)
        expect("exscan", in[i], me * (me - 1) / 2 + me * i, i);
    for (int i = 0; i < count * np; i++) {
        out[i] = me + i;
        in[i] = nonblocking ? me + i : -1;
    }
    if (nonblocking) {
        MPI_Ireduce_scatter_block(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, w, &q);
        finish(&q);
    } else
        MPI_Reduce_scatter_block(out, in, count, MPI_INT, MPI_SUM, w);
    for (int i = 0; i < count; i++)
        expect("reduce_scatter_block", in[i], np * (np - 1) / 2 + np * (me * count + i), i);
}

int main(int argc, char **argv)
{
    const int counts[] = {0, 1, 2, 3, 7, 16, 100, 511, 513, 2000, 5000, 20000, 300000};
    check_start(&argc, &argv);
    for (int k = 0; k < 13; k++) {
        count = counts[k];
        if (count * np > check_bearable(320000))
            count = check_bearable(320000) / np;
        in = check_alloc(sizeof(int) * (size_t)(count * np + 1));
        out = check_alloc(sizeof(int) * (size_t)(count * np + 1));
        for (int form = 0; form < 2; form++) {
            nonblocking = form;
            root = (k * 3 + form) % np;
            rooted();
            everyone();
        }
        free(in);
        free(out);
    }
    return check_finish();
}
