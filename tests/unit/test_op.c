/* The predefined operations on every datatype they apply to, against sums done the long way. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "coll/op.h"
#include "mpi.h"
#include "type/type.h"

static const struct type *type_of(MPI_Datatype t) { return mpico_type_of((uintptr_t)t); }
static const struct op *op_of(MPI_Op op) { return mpico_op_of((uintptr_t)op); }

static void apply(MPI_Op op, MPI_Datatype t, const void *in, void *inout, size_t count)
{
    assert_true(mpico_op_valid(op_of(op), type_of(t)));
    mpico_op_apply(op_of(op), type_of(t), in, inout, count);
}

static void handles(void **unused)
{
    (void)unused;
    static const MPI_Op all[] = {MPI_SUM,  MPI_MIN, MPI_MAX,  MPI_PROD,   MPI_BAND,   MPI_BOR,     MPI_BXOR,
                                 MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
    static const char *const names[] = {"MPI_SUM",    "MPI_MIN",    "MPI_MAX",     "MPI_PROD", "MPI_BAND",
                                        "MPI_BOR",    "MPI_BXOR",   "MPI_LAND",    "MPI_LOR",  "MPI_LXOR",
                                        "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_string_equal(op_of(all[i])->name, names[i]);
        assert_int_equal(op_of(all[i])->handle, (uintptr_t)all[i]);
    }
    size_t found = 0;
    for (uintptr_t h = 0; h < 0x1000; h++)
        found += mpico_op_of(h) != NULL;
    assert_int_equal(found, sizeof all / sizeof *all);
}

/* Integers: every operation, 37 elements (a vector and a rest), against 64-bit arithmetic cut to width. */
enum { MANY = 37 };

static uint64_t mix(uint64_t i)
{
    i = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return i % 5 ? i ^ i >> 29 : i % 2;
}

static uint64_t expected(MPI_Op op, uint64_t a, uint64_t b, int is_signed)
{
    int less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    if (op == MPI_SUM)
        return a + b;
    if (op == MPI_PROD)
        return a * b;
    if (op == MPI_MIN)
        return less ? a : b;
    if (op == MPI_MAX)
        return less ? b : a;
    if (op == MPI_BAND)
        return a & b;
    if (op == MPI_BOR)
        return a | b;
    if (op == MPI_BXOR)
        return a ^ b;
    if (op == MPI_LAND)
        return a && b;
    if (op == MPI_LOR)
        return a || b;
    return !a != !b;
}

static uint64_t load(const unsigned char *at, size_t width, int is_signed)
{
    uint64_t v = 0;
    memcpy(&v, at, width); /* little-endian hosts */
    if (is_signed && width < 8 && v >> (8 * width - 1) & 1)
        v |= ~UINT64_C(0) << 8 * width;
    return v;
}

static void check_integer(MPI_Op op, MPI_Datatype datatype, size_t width, int is_signed)
{
    _Alignas(16) unsigned char in[MANY * 8], inout[MANY * 8], old[MANY * 8];
    for (size_t i = 0; i < MANY; i++) {
        uint64_t a = mix(i), b = mix(i + 100);
        memcpy(in + i * width, &a, width);
        memcpy(inout + i * width, &b, width);
    }
    memcpy(old, inout, sizeof old);
    apply(op, datatype, in, inout, MANY);
    for (size_t i = 0; i < MANY; i++) {
        uint64_t a = load(in + i * width, width, is_signed), b = load(old + i * width, width, is_signed);
        uint64_t want = expected(op, a, b, is_signed);
        assert_memory_equal(inout + i * width, &want, width);
    }
}

static void integers(void **unused)
{
    (void)unused;
    static const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_BAND,
                                 MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
    static const struct {
        MPI_Datatype type;
        size_t width;
        int is_signed;
    } types[] = {{MPI_INT8_T, 1, 1},
                 {MPI_UINT8_T, 1, 0},
                 {MPI_INT16_T, 2, 1},
                 {MPI_UINT16_T, 2, 0},
                 {MPI_INT32_T, 4, 1},
                 {MPI_UINT32_T, 4, 0},
                 {MPI_INT64_T, 8, 1},
                 {MPI_UINT64_T, 8, 0},
                 {MPI_SIGNED_CHAR, 1, 1},
                 {MPI_UNSIGNED_CHAR, 1, 0},
                 {MPI_SHORT, 2, 1},
                 {MPI_UNSIGNED_SHORT, 2, 0},
                 {MPI_INT, 4, 1},
                 {MPI_UNSIGNED, 4, 0},
                 {MPI_LONG, sizeof(long), 1},
                 {MPI_UNSIGNED_LONG, sizeof(long), 0},
                 {MPI_LONG_LONG, 8, 1},
                 {MPI_UNSIGNED_LONG_LONG, 8, 0},
                 {MPI_AINT, sizeof(MPI_Aint), 1},
                 {MPI_COUNT, 8, 1},
                 {MPI_OFFSET, 8, 1},
                 {MPI_INTEGER, 4, 1},
                 {MPI_INTEGER1, 1, 1},
                 {MPI_INTEGER8, 8, 1}};
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            check_integer(ops[o], types[t].type, types[t].width, types[t].is_signed);
    }
    for (size_t o = 4; o < 7; o++)
        check_integer(ops[o], MPI_BYTE, 1, 0);
    for (size_t o = 7; o < 10; o++)
        check_integer(ops[o], MPI_LOGICAL, 4, 1);
}

#define CHECK_FLOATS(T, datatype)                                                                                      \
    do {                                                                                                               \
        T a[MANY], b[MANY], c[MANY];                                                                                   \
        for (int i = 0; i < MANY; i++) {                                                                               \
            a[i] = (T)(i - 11) / 3;                                                                                    \
            b[i] = (T)(19 - i) / 7;                                                                                    \
        }                                                                                                              \
        memcpy(c, b, sizeof b);                                                                                        \
        apply(MPI_SUM, datatype, a, c, MANY);                                                                          \
        for (int i = 0; i < MANY; i++)                                                                                 \
            assert_true(c[i] == a[i] + b[i]);                                                                          \
        memcpy(c, b, sizeof b);                                                                                        \
        apply(MPI_PROD, datatype, a, c, MANY);                                                                         \
        for (int i = 0; i < MANY; i++)                                                                                 \
            assert_true(c[i] == a[i] * b[i]);                                                                          \
        memcpy(c, b, sizeof b);                                                                                        \
        apply(MPI_MIN, datatype, a, c, MANY);                                                                          \
        for (int i = 0; i < MANY; i++)                                                                                 \
            assert_true(c[i] == (a[i] < b[i] ? a[i] : b[i]));                                                          \
        memcpy(c, b, sizeof b);                                                                                        \
        apply(MPI_MAX, datatype, a, c, MANY);                                                                          \
        for (int i = 0; i < MANY; i++)                                                                                 \
            assert_true(c[i] == (a[i] > b[i] ? a[i] : b[i]));                                                          \
    } while (0)

#define CHECK_COMPLEX(T, datatype)                                                                                     \
    do {                                                                                                               \
        const T x[4] = {1, 2, 3, -4};                                                                                  \
        T y[4] = {5, -6, 7, 8};                                                                                        \
        apply(MPI_PROD, datatype, x, y, 2);                                                                            \
        assert_true(y[0] == 17 && y[1] == 4 && y[2] == 53 && y[3] == -4);                                              \
        apply(MPI_SUM, datatype, x, y, 2);                                                                             \
        assert_true(y[0] == 18 && y[1] == 6 && y[2] == 56 && y[3] == -8);                                              \
    } while (0)

static void floats(void **unused)
{
    (void)unused;
    CHECK_FLOATS(float, MPI_FLOAT);
    CHECK_FLOATS(float, MPI_REAL4);
    CHECK_FLOATS(double, MPI_DOUBLE);
    CHECK_FLOATS(double, MPI_DOUBLE_PRECISION);
    CHECK_FLOATS(long double, MPI_LONG_DOUBLE);
    CHECK_COMPLEX(float, MPI_C_FLOAT_COMPLEX);
    CHECK_COMPLEX(float, MPI_COMPLEX8);
    CHECK_COMPLEX(double, MPI_C_DOUBLE_COMPLEX);
    CHECK_COMPLEX(double, MPI_DOUBLE_COMPLEX);
    CHECK_COMPLEX(long double, MPI_C_LONG_DOUBLE_COMPLEX);
#ifdef __SIZEOF_FLOAT128__
    CHECK_FLOATS(__float128, MPI_REAL16);
    CHECK_COMPLEX(__float128, MPI_COMPLEX32);
#endif
    double nan_in = NAN, number = 2;
    apply(MPI_MIN, MPI_DOUBLE, &nan_in, &number, 1);
    assert_true(number == 2);
}

#define CHECK_PAIR(V, I, datatype)                                                                                     \
    do {                                                                                                               \
        struct {                                                                                                       \
            V value;                                                                                                   \
            I index;                                                                                                   \
        } low[4], high[4];                                                                                             \
        const struct {                                                                                                 \
            V value;                                                                                                   \
            I index;                                                                                                   \
        } in[4] = {{1, 5}, {3, 2}, {4, 9}, {4, 1}};                                                                    \
        for (int i = 0; i < 4; i++) {                                                                                  \
            low[i].value = high[i].value = (V)(i == 0 ? 2 : i == 1 ? 1 : 4);                                           \
            low[i].index = high[i].index = (I)3;                                                                       \
        }                                                                                                              \
        apply(MPI_MINLOC, datatype, in, low, 4);                                                                       \
        apply(MPI_MAXLOC, datatype, in, high, 4);                                                                      \
        assert_true(low[0].value == 1 && low[0].index == 5 && low[1].value == 1 && low[1].index == 3);                 \
        assert_true(high[0].value == 2 && high[0].index == 3 && high[1].value == 3 && high[1].index == 2);             \
        assert_true(low[2].value == 4 && low[2].index == 3 && low[3].index == 1);                                      \
        assert_true(high[2].value == 4 && high[2].index == 3 && high[3].index == 1);                                   \
    } while (0)

static void pairs(void **unused)
{
    (void)unused;
    CHECK_PAIR(float, int, MPI_FLOAT_INT);
    CHECK_PAIR(double, int, MPI_DOUBLE_INT);
    CHECK_PAIR(long, int, MPI_LONG_INT);
    CHECK_PAIR(int, int, MPI_2INT);
    CHECK_PAIR(short, int, MPI_SHORT_INT);
    CHECK_PAIR(long double, int, MPI_LONG_DOUBLE_INT);
    CHECK_PAIR(float, float, MPI_2REAL);
    CHECK_PAIR(double, double, MPI_2DOUBLE_PRECISION);
    CHECK_PAIR(int, int, MPI_2INTEGER);
}

static void refused(void **unused)
{
    (void)unused;
    assert_false(mpico_op_valid(op_of(MPI_BAND), type_of(MPI_DOUBLE)));
    assert_false(mpico_op_valid(op_of(MPI_LAND), type_of(MPI_FLOAT)));
    assert_false(mpico_op_valid(op_of(MPI_MAX), type_of(MPI_C_DOUBLE_COMPLEX)));
    assert_false(mpico_op_valid(op_of(MPI_SUM), type_of(MPI_BYTE)));
    assert_false(mpico_op_valid(op_of(MPI_SUM), type_of(MPI_WCHAR)));
    assert_false(mpico_op_valid(op_of(MPI_SUM), type_of(MPI_C_BOOL)));
    assert_false(mpico_op_valid(op_of(MPI_SUM), type_of(MPI_2INT)));
    assert_false(mpico_op_valid(op_of(MPI_MINLOC), type_of(MPI_INT)));
    assert_false(mpico_op_valid(op_of(MPI_BOR), type_of(MPI_PACKED)));
    /* Every operation with every type either is refused or runs within the array. */
    static _Alignas(16) unsigned char in[32], inout[64];
    for (uintptr_t o = 0x21; o < 0x40; o++) {
        for (uintptr_t t = 0x201; t < 0x300; t++) {
            const struct op *op = mpico_op_of(o);
            const struct type *type = mpico_type_of(t);
            if (!op || !type || !mpico_op_valid(op, type))
                continue;
            memset(inout, 0, sizeof inout);
            mpico_op_apply(op, type, in, inout, 1);
            for (size_t i = type->extent; i < sizeof inout; i++)
                assert_int_equal(inout[i], 0);
        }
    }
}

static void replace_and_nothing(void **unused)
{
    (void)unused;
    const int in[2] = {1, 2};
    int inout[2] = {3, 4};
    apply(MPI_NO_OP, MPI_INT, in, inout, 2);
    assert_int_equal(inout[1], 4);
    apply(MPI_REPLACE, MPI_INT, in, inout, 2);
    assert_int_equal(inout[1], 2);
}

static void minus(void *in, void *inout, int *len, uintptr_t *type)
{
    assert_int_equal(*type, (uintptr_t)MPI_INT);
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] = ((int *)in)[i] - ((int *)inout)[i];
}

static void the_programs_own(void **unused)
{
    (void)unused;
    struct op own = {.magic = OP_MAGIC, .refs = 2, .user = minus};
    assert_ptr_equal(mpico_op_of((uintptr_t)&own), &own);
    const int in[3] = {10, 20, 30};
    int inout[3] = {1, 2, 3};
    mpico_op_apply(&own, type_of(MPI_INT), in, inout, 3);
    assert_int_equal(inout[0], 9);
    assert_int_equal(inout[2], 27);
    mpico_op_release(NULL, &own); /* one reference stays: nothing is freed */
    assert_int_equal(own.magic, OP_MAGIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles),          cmocka_unit_test(integers),
        cmocka_unit_test(floats),           cmocka_unit_test(pairs),
        cmocka_unit_test(refused),          cmocka_unit_test(replace_and_nothing),
        cmocka_unit_test(the_programs_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
