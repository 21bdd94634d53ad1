/* MPI_Reduce_local, which puts its first buffer on the left, and MPI_Op_commutative of every kind of operation. */
#include "affine.h"

static int commutes(MPI_Op op)
{
    int flag = -1;
    MPI_Op_commutative(op, &flag);
    return flag;
}

static void integers(void)
{
    enum { COUNT = 100, OPS = 10 };
    const MPI_Op ops[OPS] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                             MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    for (int o = 0; o < OPS; o++) {
        int in[COUNT], inout[COUNT];
        for (int i = 0; i < COUNT; i++) {
            in[i] = i % 7;
            inout[i] = i % 5;
        }
        MPI_Reduce_local(in, inout, COUNT, MPI_INT, ops[o]);
        for (int i = 0; i < COUNT; i++) {
            int a = i % 7, b = i % 5;
            int wanted[OPS] = {a + b,  a * b,    a > b ? a : b, a < b ? a : b, a && b,
                               a || b, !a != !b, a & b,         a | b,         a ^ b};
            CHECK(inout[i] == wanted[o] && in[i] == a, "op %d, element %d: %d, wanted %d", o, i, inout[i], wanted[o]);
        }
        CHECK(commutes(ops[o]), "op %d", o);
    }
}

static void empty_and_pairs(void)
{
    int in[2] = {1, 2}, inout[2] = {3, 4};
    CHECK_OK(MPI_Reduce_local(in, inout, 0, MPI_INT, MPI_SUM));
    CHECK(inout[0] == 3 && inout[1] == 4, "%d %d", inout[0], inout[1]);
    CHECK(commutes(MPI_MAXLOC) && commutes(MPI_MINLOC), "%d %d", commutes(MPI_MAXLOC), commutes(MPI_MINLOC));
    struct {
        double value;
        int place;
    } left = {2.5, 7}, right = {2.5, 3};
    MPI_Reduce_local(&left, &right, 1, MPI_DOUBLE_INT, MPI_MAXLOC);
    CHECK(right.place == 3, "place %d", right.place);
}

static void users(void)
{
    MPI_Op ordered, any;
    struct map left = value(2, 1), right = value(5, 3), wanted = then(left, right);
    MPI_Op_create(compose, 0, &ordered);
    MPI_Op_create(compose, 1, &any);
    CHECK(!commutes(ordered) && commutes(any), "%d %d", commutes(ordered), commutes(any));
    MPI_Reduce_local(&left, &right, 1, MPI_2INT, ordered);
    CHECK(right.a == wanted.a && right.b == wanted.b, "%u %u, wanted %u %u", right.a, right.b, wanted.a, wanted.b);
    MPI_Op_free(&ordered);
    MPI_Op_free(&any);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    integers();
    empty_and_pairs();
    users();
    return check_finish();
}
