/* A commutative operation of the program, on doubles and on pairs with gaps, in every reduction; the type it is told. */
#include "check.h"

struct pair {
    double value;
    int place;
};

static MPI_Datatype told = MPI_DATATYPE_NULL;

static void larger(void *in, void *inout, int *length, MPI_Datatype *type)
{
    double *a = in, *b = inout;
    told = *type;
    for (int i = 0; i < *length; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    struct pair *a = in, *b = inout;
    told = *type;
    for (int i = 0; i < *length; i++) {
        b[i].value += a[i].value;
        b[i].place += a[i].place;
    }
}

static double value(int rank, int i) { return (rank * 5 + i * 3) % 17; }

static double best(int ranks, int i)
{
    double most = value(0, i);
    for (int r = 1; r < ranks; r++)
        most = value(r, i) > most ? value(r, i) : most;
    return most;
}

static void same(const char *what, const double *got, int first, int count, int ranks)
{
    for (int i = 0; i < count; i++) {
        double wanted = best(ranks, first + i);
        CHECK(memcmp(&got[i], &wanted, sizeof wanted) == 0, "%s, element %d: %g, wanted %g", what, i, got[i], wanted);
    }
}

static void doubles(MPI_Op op, int count)
{
    told = MPI_DATATYPE_NULL; /* not every rank need combine anything */
    double *out = check_alloc(sizeof *out * (size_t)(count * np)), *in = check_alloc(sizeof *in * (size_t)count);
    int *counts = check_alloc(sizeof *counts * (size_t)np), root = count % np;
    for (int i = 0; i < count * np; i++)
        out[i] = value(me, i);
    for (int r = 0; r < np; r++)
        counts[r] = count;
    MPI_Reduce(out, in, count, MPI_DOUBLE, op, root, MPI_COMM_WORLD);
    if (me == root)
        same("reduce", in, 0, count, np);
    MPI_Allreduce(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    same("allreduce", in, 0, count, np);
    MPI_Scan(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    same("scan", in, 0, count, me + 1);
    MPI_Exscan(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    if (me > 0)
        same("exscan", in, 0, count, me);
    MPI_Reduce_scatter_block(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    same("reduce_scatter_block", in, me * count, count, np);
    MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, op, MPI_COMM_WORLD);
    same("reduce_scatter", in, me * count, count, np);
    CHECK(told == MPI_DATATYPE_NULL || told == MPI_DOUBLE, "another datatype was told, count %d", count);
    free(out);
    free(in);
    free(counts);
}

static void pairs(MPI_Op op)
{
    enum { COUNT = 5000 };
    told = MPI_DATATYPE_NULL;
    struct pair *out = check_alloc(sizeof *out * COUNT), *in = check_alloc(sizeof *in * COUNT);
    for (int i = 0; i < COUNT; i++)
        out[i] = (struct pair){me + i, me * i};
    MPI_Allreduce(out, in, COUNT, MPI_DOUBLE_INT, op, MPI_COMM_WORLD);
    int ranks = np * (np - 1) / 2;
    for (int i = 0; i < COUNT; i++)
        CHECK((int)in[i].value == ranks + np * i && in[i].place == ranks * i, "element %d: %g %d", i, in[i].value,
              in[i].place);
    CHECK(told == MPI_DATATYPE_NULL || told == MPI_DOUBLE_INT, "another datatype was told, %d ranks", np);
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    const int counts[] = {1, 3, 100, 4000, 60000};
    check_start(&argc, &argv);
    MPI_Op most, sum;
    MPI_Op_create(larger, 1, &most);
    MPI_Op_create(add, 1, &sum);
    for (int k = 0; k < 5; k++)
        doubles(most, counts[k] * np > check_bearable(60000) ? check_bearable(60000) / np : counts[k]);
    pairs(sum);
    MPI_Op_free(&most);
    MPI_Op_free(&sum);
    return check_finish();
}
