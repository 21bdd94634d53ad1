/* Sizes, extents and bounds of every constructor, with answers worked out by hand. */
#include "../check.h"
#include <stddef.h>

static void expect(int line, MPI_Datatype t, int size, long lb, long extent, long true_lb, long true_extent)
{
    int n = -1;
    MPI_Aint low = -1, len = -1, true_low = -1, true_len = -1;
    MPI_Type_size(t, &n);
    MPI_Type_get_extent(t, &low, &len);
    MPI_Type_get_true_extent(t, &true_low, &true_len);
    CHECK(n == size, "line %d: size %d, wanted %d", line, n, size);
    CHECK(low == lb && len == extent, "line %d: lb %ld, extent %ld, wanted %ld, %ld", line, (long)low, (long)len, lb,
          extent);
    CHECK(true_low == true_lb && true_len == true_extent, "line %d: true lb %ld, extent %ld, wanted %ld, %ld", line,
          (long)true_low, (long)true_len, true_lb, true_extent);
    MPI_Count size_c = -1, low_c = -1, len_c = -1;
    MPI_Type_size_c(t, &size_c);
    MPI_Type_get_extent_c(t, &low_c, &len_c);
    CHECK(size_c == size && low_c == lb && len_c == extent, "line %d: the large forms differ", line);
    MPI_Type_get_true_extent_c(t, &low_c, &len_c);
    CHECK(low_c == true_lb && len_c == true_extent, "line %d: the large forms differ", line);
    size_c = low_c = len_c = -1;
    MPI_Type_size_x(t, &size_c);
    MPI_Type_get_extent_x(t, &low_c, &len_c);
    CHECK(size_c == size && low_c == lb && len_c == extent, "line %d: the old large forms differ", line);
    MPI_Type_get_true_extent_x(t, &low_c, &len_c);
    CHECK(low_c == true_lb && len_c == true_extent, "line %d: the old large forms differ", line);
}

static void expect_and_free(int line, MPI_Datatype *t, int size, long lb, long extent, long true_lb, long true_extent)
{
    expect(line, *t, size, lb, extent, true_lb, true_extent);
    MPI_Type_commit(t);
    MPI_Type_commit(t);
    expect(line, *t, size, lb, extent, true_lb, true_extent);
    MPI_Type_free(t);
    CHECK(*t == MPI_DATATYPE_NULL, "line %d: the handle is still there", line);
}

static void loops(void)
{
    MPI_Datatype t, of;
    MPI_Type_contiguous(5, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 20, 0, 20, 0, 20);
    MPI_Type_contiguous(0, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 0, 0, 0, 0, 0);
    MPI_Type_vector(3, 2, 4, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 24, 0, 40, 0, 40);
    MPI_Type_vector(3, 2, -4, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 24, -32, 40, -32, 40);
    MPI_Type_vector(3, 0, 4, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 0, 0, 0, 0, 0);
    MPI_Type_create_hvector(2, 3, 100, MPI_CHAR, &t);
    expect_and_free(__LINE__, &t, 6, 0, 103, 0, 103);
    MPI_Type_create_resized(MPI_INT, -4, 12, &of);
    MPI_Type_contiguous(3, of, &t);
    MPI_Type_free(&of);
    expect_and_free(__LINE__, &t, 12, -4, 36, 0, 28);
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE_INT, &t);
    expect_and_free(__LINE__, &t, 24, 0, 64, 0, 60);
}

static void lists(void)
{
    const int lens[] = {2, 0, 1}, places[] = {3, 100, -1};
    const MPI_Aint bytes[] = {40, 1000, 4};
    MPI_Datatype t;
    MPI_Type_indexed(3, lens, places, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 12, -4, 24, -4, 24);
    MPI_Type_create_hindexed(3, lens, bytes, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 12, 4, 44, 4, 44);
    MPI_Type_create_indexed_block(3, 2, places, MPI_SHORT, &t);
    expect_and_free(__LINE__, &t, 12, -2, 206, -2, 206);
    MPI_Type_create_hindexed_block(2, 2, bytes, MPI_SHORT, &t);
    expect_and_free(__LINE__, &t, 8, 40, 964, 40, 964);
    MPI_Type_indexed(0, NULL, NULL, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 0, 0, 0, 0, 0);
}

struct mixed {
    double d;
    char c[3];
    short s;
};

static void structs(void)
{
    const int lens[] = {1, 3, 1}, ones[] = {1, 1};
    const MPI_Aint places[] = {offsetof(struct mixed, d), offsetof(struct mixed, c), offsetof(struct mixed, s)};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_CHAR, MPI_SHORT};
    MPI_Datatype t, wide;
    MPI_Type_create_struct(3, lens, places, types, &t);
    expect_and_free(__LINE__, &t, 13, 0, (long)sizeof(struct mixed), 0, offsetof(struct mixed, s) + 2);
    /* The padding is what makes an array of them aligned. */
    MPI_Type_create_struct(2, ones, (const MPI_Aint[]){0, 8}, (const MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &t);
    expect_and_free(__LINE__, &t, 9, 0, 16, 0, 9);
    /* Bounds that were given stick, and are not padded. */
    MPI_Type_create_resized(MPI_CHAR, -1, 3, &wide);
    MPI_Type_create_struct(2, ones, (const MPI_Aint[]){0, 8}, (const MPI_Datatype[]){MPI_DOUBLE, wide}, &t);
    MPI_Type_free(&wide);
    expect_and_free(__LINE__, &t, 9, 7, 3, 0, 9);
}

static void arrays(void)
{
    const int sizes[] = {6, 8}, subsizes[] = {2, 3}, starts[] = {1, 4};
    MPI_Datatype t;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 24, 0, 192, 48, 44);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &t);
    expect_and_free(__LINE__, &t, 24, 0, 192, 100, 56);
    const int distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, dargs[] = {MPI_DISTRIBUTE_DFLT_DARG, 3};
    MPI_Type_create_darray(4, 3, 2, sizes, distribs, dargs, (const int[]){2, 2}, MPI_ORDER_C, MPI_SHORT, &t);
    expect_and_free(__LINE__, &t, 18, 0, 96, 54, 38);
}

static void copies(void)
{
    MPI_Datatype t, copy;
    MPI_Type_vector(2, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Type_dup(t, &copy);
    MPI_Type_free(&t);
    expect(__LINE__, copy, 8, 0, 12, 0, 12);
    int in[3] = {1, 2, 3}, out[2] = {0, 0}, at = 0; /* committed as the original was */
    MPI_Pack(in, 1, copy, out, sizeof out, &at, MPI_COMM_SELF);
    CHECK(out[0] == 1 && out[1] == 3, "%d %d", out[0], out[1]);
    MPI_Type_create_resized(copy, 4, 5, &t);
    MPI_Type_free(&copy);
    expect_and_free(__LINE__, &t, 8, 4, 5, 0, 12);
    MPI_Type_create_resized(MPI_INT, 0, -4, &t);
    expect_and_free(__LINE__, &t, 4, 0, -4, 0, 4);
    MPI_Type_dup(MPI_INT, &t);
    expect_and_free(__LINE__, &t, 4, 0, 4, 0, 4);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    loops();
    lists();
    structs();
    arrays();
    copies();
    return check_finish();
}
