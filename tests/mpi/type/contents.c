/* Envelopes and contents: the arguments of every constructor come back, in both forms of the calls. */
#include "../check.h"

/* What is wanted: numbers in the order in which they are handed out. */
static void expect(int line, MPI_Datatype t, int combiner, int ni, const int *i, int na, const MPI_Aint *a, int nd)
{
    int got_i[20], got_ni = -1, got_na = -1, got_nd = -1, got = -1;
    MPI_Aint got_a[20];
    MPI_Datatype got_d[4];
    MPI_Type_get_envelope(t, &got_ni, &got_na, &got_nd, &got);
    CHECK(got == combiner && got_ni == ni && got_na == na && got_nd == nd, "line %d: combiner %d, %d, %d, %d", line,
          got, got_ni, got_na, got_nd);
    MPI_Type_get_contents(t, 20, 20, 4, got_i, got_a, got_d);
    for (int k = 0; k < ni; k++)
        CHECK(got_i[k] == i[k], "line %d: integer %d is %d, wanted %d", line, k, got_i[k], i[k]);
    for (int k = 0; k < na; k++)
        CHECK(got_a[k] == a[k], "line %d: address %d is %ld", line, k, (long)got_a[k]);
    for (int k = 0; k < nd; k++)
        CHECK(got_d[k] == (k ? MPI_CHAR : MPI_INT), "line %d: type %d", line, k);
    MPI_Count c_ni = -1, c_na = -1, c_nc = -1, c_nd = -1;
    MPI_Type_get_envelope_c(t, &c_ni, &c_na, &c_nc, &c_nd, &got);
    CHECK(got == combiner && c_ni == ni && c_na == na && c_nc == 0 && c_nd == nd, "line %d: the large form", line);
}

static void expect_large(int line, MPI_Datatype t, int combiner, int ni, const int *i, int nc, const MPI_Count *c,
                         int nd)
{
    int got_i[20], got = -1;
    MPI_Aint got_a[1];
    MPI_Count got_c[20], c_ni = -1, c_na = -1, c_nc = -1, c_nd = -1;
    MPI_Datatype got_d[4];
    MPI_Type_get_envelope_c(t, &c_ni, &c_na, &c_nc, &c_nd, &got);
    CHECK(got == combiner && c_ni == ni && c_na == 0 && c_nc == nc && c_nd == nd, "line %d: combiner %d, %d, %d, %d",
          line, got, (int)c_ni, (int)c_nc, (int)c_nd);
    MPI_Type_get_contents_c(t, 20, 1, 20, 4, got_i, got_a, got_c, got_d);
    for (int k = 0; k < ni; k++)
        CHECK(got_i[k] == i[k], "line %d: integer %d is %d", line, k, got_i[k]);
    for (int k = 0; k < nc; k++)
        CHECK(got_c[k] == c[k], "line %d: count %d is %ld", line, k, (long)got_c[k]);
    int few = MPI_Type_get_envelope(t, &got, &got, &got, &got);
    CHECK(class_of(few) == MPI_ERR_TYPE, "line %d: the form without large counts gives class %d", line, class_of(few));
}

/* With numbers in MPI_Count, ... in int: compound literals of both. */
#define I(...)                                                                                                         \
    (const int[]) { __VA_ARGS__ }
#define A(...)                                                                                                         \
    (const MPI_Aint[]) { __VA_ARGS__ }
#define C(...)                                                                                                         \
    (const MPI_Count[]) { __VA_ARGS__ }
#define LEN(type, ...) (int)(sizeof(__VA_ARGS__) / sizeof(type))
#define SMALL_FORM(call, combiner, i, na, a, nd)                                                                       \
    do {                                                                                                               \
        call;                                                                                                          \
        expect(__LINE__, t, combiner, LEN(int, i), i, na, a, nd);                                                      \
        MPI_Type_free(&t);                                                                                             \
    } while (0)
#define LARGE_FORM(call, combiner, ni, i, c, nd)                                                                       \
    do {                                                                                                               \
        call;                                                                                                          \
        expect_large(__LINE__, t, combiner, ni, i, LEN(MPI_Count, c), c, nd);                                          \
        MPI_Type_free(&t);                                                                                             \
    } while (0)

static const MPI_Datatype two[] = {MPI_INT, MPI_CHAR};

static void small_forms(void)
{
    MPI_Datatype t;
    SMALL_FORM(MPI_Type_contiguous(5, MPI_INT, &t), MPI_COMBINER_CONTIGUOUS, I(5), 0, NULL, 1);
    SMALL_FORM(MPI_Type_vector(5, 2, -3, MPI_INT, &t), MPI_COMBINER_VECTOR, I(5, 2, -3), 0, NULL, 1);
    SMALL_FORM(MPI_Type_create_hvector(5, 2, 77, MPI_INT, &t), MPI_COMBINER_HVECTOR, I(5, 2), 1, A(77), 1);
    SMALL_FORM(MPI_Type_indexed(2, I(3, 4), I(7, -8), MPI_INT, &t), MPI_COMBINER_INDEXED, I(2, 3, 4, 7, -8), 0, NULL,
               1);
    SMALL_FORM(MPI_Type_create_hindexed(2, I(3, 4), A(7, -8), MPI_INT, &t), MPI_COMBINER_HINDEXED, I(2, 3, 4), 2,
               A(7, -8), 1);
    SMALL_FORM(MPI_Type_create_indexed_block(2, 9, I(7, -8), MPI_INT, &t), MPI_COMBINER_INDEXED_BLOCK, I(2, 9, 7, -8),
               0, NULL, 1);
    SMALL_FORM(MPI_Type_create_hindexed_block(2, 9, A(7, -8), MPI_INT, &t), MPI_COMBINER_HINDEXED_BLOCK, I(2, 9), 2,
               A(7, -8), 1);
    SMALL_FORM(MPI_Type_create_struct(2, I(0, 4), A(7, -8), two, &t), MPI_COMBINER_STRUCT, I(2, 0, 4), 2, A(7, -8), 2);
    SMALL_FORM(MPI_Type_create_subarray(2, I(4, 5), I(1, 2), I(3, 0), MPI_ORDER_C, MPI_INT, &t), MPI_COMBINER_SUBARRAY,
               I(2, 4, 5, 1, 2, 3, 0, MPI_ORDER_C), 0, NULL, 1);
    SMALL_FORM(
        MPI_Type_create_darray(3, 1, 1, I(10), I(MPI_DISTRIBUTE_CYCLIC), I(2), I(3), MPI_ORDER_FORTRAN, MPI_INT, &t),
        MPI_COMBINER_DARRAY, I(3, 1, 1, 10, MPI_DISTRIBUTE_CYCLIC, 2, 3, MPI_ORDER_FORTRAN), 0, NULL, 1);
    MPI_Type_create_resized(MPI_INT, -5, 50, &t);
    expect(__LINE__, t, MPI_COMBINER_RESIZED, 0, NULL, 2, A(-5, 50), 1);
    MPI_Type_free(&t);
    MPI_Type_dup(MPI_INT, &t);
    expect(__LINE__, t, MPI_COMBINER_DUP, 0, NULL, 0, NULL, 1);
    MPI_Type_free(&t);
}

static void large_forms(void)
{
    MPI_Datatype t;
    LARGE_FORM(MPI_Type_contiguous_c(5, MPI_INT, &t), MPI_COMBINER_CONTIGUOUS, 0, NULL, C(5), 1);
    LARGE_FORM(MPI_Type_vector_c(5, 2, -3, MPI_INT, &t), MPI_COMBINER_VECTOR, 0, NULL, C(5, 2, -3), 1);
    LARGE_FORM(MPI_Type_create_hvector_c(5, 2, 77, MPI_INT, &t), MPI_COMBINER_HVECTOR, 0, NULL, C(5, 2, 77), 1);
    LARGE_FORM(MPI_Type_indexed_c(2, C(3, 4), C(7, -8), MPI_INT, &t), MPI_COMBINER_INDEXED, 0, NULL, C(2, 3, 4, 7, -8),
               1);
    LARGE_FORM(MPI_Type_create_hindexed_c(2, C(3, 4), C(7, -8), MPI_INT, &t), MPI_COMBINER_HINDEXED, 0, NULL,
               C(2, 3, 4, 7, -8), 1);
    LARGE_FORM(MPI_Type_create_indexed_block_c(2, 9, C(7, -8), MPI_INT, &t), MPI_COMBINER_INDEXED_BLOCK, 0, NULL,
               C(2, 9, 7, -8), 1);
    LARGE_FORM(MPI_Type_create_hindexed_block_c(2, 9, C(7, -8), MPI_INT, &t), MPI_COMBINER_HINDEXED_BLOCK, 0, NULL,
               C(2, 9, 7, -8), 1);
    LARGE_FORM(MPI_Type_create_struct_c(2, C(3, 4), C(7, -8), two, &t), MPI_COMBINER_STRUCT, 0, NULL, C(2, 3, 4, 7, -8),
               2);
    LARGE_FORM(MPI_Type_create_resized_c(MPI_INT, -5, 50, &t), MPI_COMBINER_RESIZED, 0, NULL, C(-5, 50), 1);
    LARGE_FORM(MPI_Type_create_subarray_c(2, C(4, 5), C(1, 2), C(3, 0), MPI_ORDER_C, MPI_INT, &t),
               MPI_COMBINER_SUBARRAY, 2, I(2, MPI_ORDER_C), C(4, 5, 1, 2, 3, 0), 1);
    LARGE_FORM(
        MPI_Type_create_darray_c(3, 1, 1, C(10), I(MPI_DISTRIBUTE_CYCLIC), I(2), I(3), MPI_ORDER_FORTRAN, MPI_INT, &t),
        MPI_COMBINER_DARRAY, 7, I(3, 1, 1, MPI_DISTRIBUTE_CYCLIC, 2, 3, MPI_ORDER_FORTRAN), C(10), 1);
    /* Beyond what an int can hold. */
    MPI_Count size = 0;
    int small = 0;
    if (sizeof(void *) < sizeof(MPI_Count)) {
        CHECK_CLASS(MPI_Type_contiguous_c((MPI_Count)3 << 31, MPI_CHAR, &t), MPI_ERR_ARG);
        return;
    }
    CHECK_OK(MPI_Type_contiguous_c((MPI_Count)3 << 31, MPI_CHAR, &t));
    CHECK_OK(MPI_Type_size_c(t, &size));
    CHECK_OK(MPI_Type_size(t, &small));
    CHECK(size == (MPI_Count)3 << 31 && small == MPI_UNDEFINED, "size %ld, %d", (long)size, small);
    CHECK_OK(MPI_Type_free(&t));
}

/* A type of types: handles from contents keep what the program has freed. */
static void handles(void)
{
    MPI_Datatype inner, outer, back[2];
    int n[4], in[4] = {1, 2, 3, 4}, out[2] = {0, 0}, at = 0;
    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    MPI_Type_contiguous(1, inner, &outer);
    MPI_Type_free(&inner);
    MPI_Type_get_contents(outer, 1, 0, 1, n, NULL, &back[0]);
    MPI_Type_get_contents(outer, 1, 0, 1, n, NULL, &back[1]);
    MPI_Type_free(&outer);
    MPI_Type_free(&back[1]);
    MPI_Type_commit(&back[0]);
    MPI_Pack(in, 1, back[0], out, sizeof out, &at, MPI_COMM_SELF);
    CHECK(out[0] == 1 && out[1] == 3, "%d %d", out[0], out[1]);
    expect(__LINE__, back[0], MPI_COMBINER_VECTOR, 3, I(2, 1, 2), 0, NULL, 1);
    MPI_Type_free(&back[0]);
    int ni = -1, na = -1, nd = -1, combiner = -1;
    MPI_Type_get_envelope(MPI_DOUBLE, &ni, &na, &nd, &combiner);
    CHECK(combiner == MPI_COMBINER_NAMED && ni == 0 && na == 0 && nd == 0, "a named type");
    CHECK(class_of(MPI_Type_get_contents(MPI_DOUBLE, 0, 0, 0, NULL, NULL, NULL)) == MPI_ERR_TYPE,
          "a named type has no contents");
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    small_forms();
    large_forms();
    handles();
    return check_finish();
}
