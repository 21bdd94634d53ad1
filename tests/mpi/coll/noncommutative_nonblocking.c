/* Nonblocking reductions with an operation that does not commute, all under way at once, completed in any order. */
#include "affine.h"

enum { CALLS = 6 };

static void check_all(struct map *in[CALLS], int root, int count, const int *pieces)
{
    int first = 0;
    for (int r = 0; r < me; r++)
        first += pieces[r];
    if (me == root)
        same("ireduce", in[0], 0, count, np);
    same("iallreduce", in[1], 0, count, np);
    same("iscan", in[2], 0, count, me + 1);
    if (me > 0)
        same("iexscan", in[3], 0, count, me);
    same("ireduce_scatter_block", in[4], me * count, count, np);
    same("ireduce_scatter", in[5], first, pieces[me], np);
}

int main(int argc, char **argv)
{
    const int counts[] = {1, 6, 700, 3000};
    check_start(&argc, &argv);
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    for (int k = 0; k < 4; k++) {
        int count = counts[k] * np > 12000 ? 12000 / np : counts[k], root = (k * 5 + 1) % np;
        struct map *out = check_alloc(sizeof *out * (size_t)(count * np)), *in[CALLS];
        int *pieces = check_alloc(sizeof *pieces * (size_t)np);
        MPI_Request q[CALLS];
        for (int i = 0; i < count * np; i++)
            out[i] = value(me, i);
        for (int i = 0; i < CALLS; i++)
            in[i] = check_alloc(sizeof *out * (size_t)count);
        for (int r = 0; r < np; r++)
            pieces[r] = r % 3 == 1 ? 0 : count - r % 2;
        MPI_Ireduce(out, in[0], count, MPI_2INT, op, root, MPI_COMM_WORLD, &q[0]);
        MPI_Iallreduce(out, in[1], count, MPI_2INT, op, MPI_COMM_WORLD, &q[1]);
        MPI_Iscan(out, in[2], count, MPI_2INT, op, MPI_COMM_WORLD, &q[2]);
        MPI_Iexscan(out, in[3], count, MPI_2INT, op, MPI_COMM_WORLD, &q[3]);
        MPI_Ireduce_scatter_block(out, in[4], count, MPI_2INT, op, MPI_COMM_WORLD, &q[4]);
        MPI_Ireduce_scatter(out, in[5], pieces, MPI_2INT, op, MPI_COMM_WORLD, &q[5]);
        for (int i = 0; i < CALLS; i++) {
            int index = -1;
            MPI_Waitany(CALLS, q, &index, MPI_STATUS_IGNORE);
            CHECK(index >= 0 && index < CALLS, "index %d", index);
        }
        check_all(in, root, count, pieces);
        for (int i = 0; i < CALLS; i++)
            free(in[i]);
        free(out);
        free(pieces);
    }
    MPI_Op_free(&op);
    return check_finish();
}
