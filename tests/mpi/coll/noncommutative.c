/* An operation that is associative and not commutative (affine maps modulo 2^32) keeps the order of ranks in every reduction. */
#include "affine.h"

int main(int argc, char **argv)
{
    const int counts[] = {1, 5, 1000, 9000};
    check_start(&argc, &argv);
    MPI_Op op;
    int commutes = -1;
    MPI_Op_create(compose, 0, &op);
    MPI_Op_commutative(op, &commutes);
    CHECK(!commutes, "commutative: %d", commutes);
    for (int k = 0; k < 4; k++) {
        int count = counts[k], most = count * np > 20000 ? 20000 / np : count;
        struct map *out = check_alloc(sizeof *out * (size_t)(count * np)),
                   *in = check_alloc(sizeof *in * (size_t)(count * np));
        int *pieces = check_alloc(sizeof *pieces * (size_t)np), first = 0, all = 0;
        for (int i = 0; i < count * np; i++)
            out[i] = value(me, i);
        for (int root = 0; root < (k < 2 ? np : 1); root++) {
            MPI_Reduce(out, in, count, MPI_2INT, op, root, MPI_COMM_WORLD);
            if (me == root)
                same("reduce", in, 0, count, np);
        }
        MPI_Allreduce(out, in, count, MPI_2INT, op, MPI_COMM_WORLD);
        same("allreduce", in, 0, count, np);
        MPI_Scan(out, in, count, MPI_2INT, op, MPI_COMM_WORLD);
        same("scan", in, 0, count, me + 1);
        MPI_Exscan(out, in, count, MPI_2INT, op, MPI_COMM_WORLD);
        if (me > 0)
            same("exscan", in, 0, count, me);
        MPI_Reduce_scatter_block(out, in, most, MPI_2INT, op, MPI_COMM_WORLD);
        same("reduce_scatter_block", in, me * most, most, np);
        for (int r = 0; r < np; r++) {
            pieces[r] = r % 3 == 1 ? 0 : most - r % 2;
            first += r < me ? pieces[r] : 0;
            all += pieces[r];
        }
        MPI_Reduce_scatter(out, in, pieces, MPI_2INT, op, MPI_COMM_WORLD);
        same("reduce_scatter", in, first, pieces[me], np);
        memcpy(in, out, sizeof *in * (size_t)all);
        MPI_Request q;
        MPI_Ireduce_scatter(MPI_IN_PLACE, in, pieces, MPI_2INT, op, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        same("ireduce_scatter in place", in, first, pieces[me], np);
        free(out);
        free(in);
        free(pieces);
    }
    MPI_Op_free(&op);
    CHECK(op == MPI_OP_NULL, "np %d", np);
    return check_finish();
}
