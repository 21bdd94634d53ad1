/* Collectives on derived types: other types at the two ends, types with gaps, and reductions with an operation of the program. */
#include "../check.h"

enum { N = 700 };

/* Every second int; an array of them is dense in pairs. */
static MPI_Datatype spread(int n)
{
    MPI_Datatype t, u;
    MPI_Type_vector(n, 1, 2, MPI_INT, &t);
    MPI_Type_create_resized(t, 0, 8 * (MPI_Aint)n, &u);
    MPI_Type_free(&t);
    MPI_Type_commit(&u);
    return u;
}

static int *spread_array(int parts, int n, int seed)
{
    int *a = check_alloc(sizeof(int) * (size_t)(parts * n * 2));
    for (int i = 0; i < parts * n; i++) {
        a[2 * i] = seed < 0 ? -1 : seed * 100000 + i;
        a[2 * i + 1] = -1;
    }
    return a;
}

static void check_spread(const int *a, int part, int n, int seed, int first, int line)
{
    for (int i = 0; i < n; i++)
        CHECK(a[2 * (part * n + i)] == seed * 100000 + first + i && a[2 * (part * n + i) + 1] == -1,
              "line %d, n %d: part %d, element %d is %d, %d", line, n, part, i, a[2 * (part * n + i)],
              a[2 * (part * n + i) + 1]);
}

static void broadcast(int n, MPI_Datatype t)
{
    int *a = spread_array(1, n, me ? -1 : 3);
    MPI_Bcast(a, 1, t, 0, MPI_COMM_WORLD);
    check_spread(a, 0, n, 3, 0, __LINE__);
    free(a);
}

/* The root has the gaps, the others none. */
static void rooted(int n, MPI_Datatype t)
{
    int *all = spread_array(np, n, -1), *mine = check_alloc(sizeof(int) * (size_t)n);
    for (int i = 0; i < n; i++)
        mine[i] = me * 100000 + i;
    MPI_Gather(mine, n, MPI_INT, all, 1, t, np - 1, MPI_COMM_WORLD);
    if (me == np - 1)
        for (int k = 0; k < np; k++)
            check_spread(all, k, n, k, 0, __LINE__);
    memset(mine, 0, sizeof(int) * (size_t)n);
    MPI_Scatter(all, 1, t, mine, n, MPI_INT, np - 1, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        CHECK(mine[i] == me * 100000 + i, "scattered %d", mine[i]);
    free(all);
    free(mine);
}

static void everybody(int n, MPI_Datatype t)
{
    int *all = spread_array(np, n, -1), *out = spread_array(np, n, me);
    MPI_Allgather(out, 1, t, all, 1, t, MPI_COMM_WORLD);
    for (int k = 0; k < np; k++)
        check_spread(all, k, n, k, 0, __LINE__);
    free(all);
    all = spread_array(np, n, -1);
    MPI_Request q;
    MPI_Datatype u;
    MPI_Type_dup(t, &u);
    MPI_Ialltoall(out, 1, u, all, 1, u, MPI_COMM_WORLD, &q);
    MPI_Type_free(&u);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    for (int k = 0; k < np; k++)
        check_spread(all, k, n, k, me * n, __LINE__);
    free(all);
    free(out);
}

/* Adds what a type of n spread ints holds; it is told the type. */
static void add(void *in, void *inout, int *len, MPI_Datatype *t)
{
    int size = 0, *a = in, *b = inout;
    MPI_Aint lb, extent;
    MPI_Type_size(*t, &size);
    MPI_Type_get_extent(*t, &lb, &extent);
    for (int k = 0; k < *len; k++)
        for (int i = 0; i < size / 4; i++)
            b[k * extent / 4 + 2 * i] += a[k * extent / 4 + 2 * i];
}

static void reduction(int n, MPI_Datatype t)
{
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    int *in = spread_array(2, n, me), *out = spread_array(2, n, -1);
    MPI_Allreduce(in, out, 2, t, op, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * n; i++)
        CHECK(out[2 * i] == np * (np - 1) / 2 * 100000 + np * i && out[2 * i + 1] == -1, "n %d: sum %d is %d", n, i,
              out[2 * i]);
    free(out);
    out = spread_array(2, n, -1);
    MPI_Scan(in, out, 2, t, op, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * n; i++)
        CHECK(out[2 * i] == (me + 1) * me / 2 * 100000 + (me + 1) * i, "n %d: partial sum %d is %d", n, i, out[2 * i]);
    free(in);
    free(out);
    MPI_Op_free(&op);
}

/* A transposition: columns go out, rows come in. */
static void transpose(void)
{
    MPI_Datatype column, columns;
    int *from = check_alloc(sizeof(int) * (size_t)(np * np)), *to = check_alloc(sizeof(int) * (size_t)(np * np));
    for (int i = 0; i < np * np; i++)
        from[i] = i;
    MPI_Type_vector(np, 1, np, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, 4, &columns);
    MPI_Type_free(&column);
    MPI_Type_commit(&columns);
    MPI_Sendrecv(from, np, columns, right_of(me), 0, to, np * np, MPI_INT, left_of(me), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < np * np; i++)
        CHECK(to[i] == i % np * np + i / np, "element %d is %d", i, to[i]);
    MPI_Type_free(&columns);
    free(from);
    free(to);
}

int main(int argc, char **argv)
{
    static const int lengths[] = {1, 4, 33, N};
    check_start(&argc, &argv);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        MPI_Datatype t = spread(lengths[k]);
        broadcast(lengths[k], t);
        rooted(lengths[k], t);
        everybody(lengths[k], t);
        reduction(lengths[k], t);
        MPI_Type_free(&t);
    }
    const int many = CHECK_SMALL ? 500 : 40000;
    MPI_Datatype t = spread(many);
    broadcast(many, t);
    MPI_Type_free(&t);
    transpose();
    return check_finish();
}
