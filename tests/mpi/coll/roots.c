/* Every root of the rooted collectives, at counts on both sides of a switch of algorithm; only the root's result changes. */
#include "check.h"

enum { MOST = 20000 };

static int *in, *out;
static int cell(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

static void expect(const char *what, int root, int count, int i, int got, int wanted)
{
    CHECK(got == wanted, "%s, root %d, count %d: element %d: %d, wanted %d", what, root, count, i, got, wanted);
}

static void outward(int root, int count)
{
    for (int i = 0; i < count; i++)
        in[i] = me == root ? cell(root, 0, i) : -1;
    MPI_Bcast(in, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("bcast", root, count, i, in[i], cell(root, 0, i));
    for (int i = 0; i < count * np; i++)
        out[i] = cell(root, i / count, i % count);
    MPI_Scatter(me == root ? out : NULL, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("scatter", root, count, i, in[i], cell(root, me, i));
}

static void inward(int root, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = cell(me, root, i);
    for (int i = 0; i < count * np; i++)
        in[i] = -1;
    MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count * np; i++)
        expect("gather", root, count, i, in[i], me == root ? cell(i / count, root, i % count) : -1);
    for (int i = 0; i < count; i++) {
        out[i] = me * i + root;
        in[i] = -1;
    }
    MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("reduce", root, count, i, in[i], me == root ? np * (np - 1) / 2 * i + np * root : -1);
}

int main(int argc, char **argv)
{
    const int counts[] = {1, 5, 64, 600, 3000, MOST};
    check_start(&argc, &argv);
    in = check_alloc(sizeof *in * MOST);
    out = check_alloc(sizeof *out * MOST);
    for (int k = 0; k < 6; k++)
        for (int root = 0; root < np; root++) {
            int count = counts[k] * np > MOST ? MOST / np : counts[k];
            outward(root, count);
            inward(root, count);
        }
    free(in);
    free(out);
    return check_finish();
}
