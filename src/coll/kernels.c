/* kernels.c: what the predefined operations do to arrays, as plain loops for the compiler to vectorise.
 *
 * A loop is one line of a macro, for the alternative is some 150 functions that differ in a type and an
 * operator. Signed sums, products and bits share the unsigned loops: two's complement gives the same
 * bits, and overflow wraps instead of being undefined.
 *
 * Order is fixed: element i of the result depends on in[i] and inout[i] alone, with `in` as left operand.
 * Where a comparison of floats is false (NaN), the right operand stays. Build with -ffp-contract=off:
 * a fused multiply-add in the complex product would make the last bit depend on the machine.
 */
#include "kernels.h"

#include <stdint.h>

#include "../type/scalar.h"

/* a: left operand, b: right operand and old value of the place written. */
#define LOOP(name, type, result)                                                                                       \
    static void name(const void *in, void *inout, size_t count)                                                        \
    {                                                                                                                  \
        const type *restrict x = in;                                                                                   \
        type *restrict y = inout;                                                                                      \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const type a = x[i], b = y[i];                                                                             \
            y[i] = (type)(result);                                                                                     \
        }                                                                                                              \
    }

/* Products of 16-bit values would overflow the int they are promoted to: 1u makes them unsigned. */
#define INTEGER_LOOPS(n)                                                                                               \
    LOOP(sum_##n, uint##n##_t, a + b)                                                                                  \
    LOOP(prod_##n, uint##n##_t, 1u * a * b)                                                                            \
    LOOP(band_##n, uint##n##_t, a &b)                                                                                  \
    LOOP(bor_##n, uint##n##_t, a | b)                                                                                  \
    LOOP(bxor_##n, uint##n##_t, a ^ b)                                                                                 \
    LOOP(land_##n, uint##n##_t, (a != 0) & (b != 0))                                                                   \
    LOOP(lor_##n, uint##n##_t, (a | b) != 0)                                                                           \
    LOOP(lxor_##n, uint##n##_t, (a != 0) ^ (b != 0))                                                                   \
    LOOP(min_u##n, uint##n##_t, a < b ? a : b)                                                                         \
    LOOP(max_u##n, uint##n##_t, a > b ? a : b)                                                                         \
    LOOP(min_i##n, int##n##_t, a < b ? a : b)                                                                          \
    LOOP(max_i##n, int##n##_t, a > b ? a : b)

/* Complex numbers are arrays of two: their sum is the sum of twice as many reals. The product is
 * the plain formula, without C's repair of infinities; a negated factor in place of a difference has the same
 * bits, and spares machines without quads the routine that subtracts them (5 KB), as one comparison spares another. */
#define LESS_float(a, b) ((a) < (b))
#define LESS_double(a, b) ((a) < (b))
#define LESS_longdouble(a, b) ((a) < (b))
#if HAVE_QUAD
static __attribute__((noinline)) int LESS_quad(quad a, quad b) { return a < b; }
#endif
#define FLOAT_LOOPS(type)                                                                                              \
    LOOP(sum_##type, type, a + b)                                                                                      \
    LOOP(prod_##type, type, a *b)                                                                                      \
    LOOP(min_##type, type, LESS_##type(a, b) ? a : b)                                                                  \
    LOOP(max_##type, type, LESS_##type(b, a) ? a : b)                                                                  \
    static void csum_##type(const void *in, void *inout, size_t count) { sum_##type(in, inout, 2 * count); }           \
    static void cprod_##type(const void *in, void *inout, size_t count)                                                \
    {                                                                                                                  \
        const type *restrict x = in;                                                                                   \
        type *restrict y = inout;                                                                                      \
        for (size_t i = 0; i < 2 * count; i += 2) {                                                                    \
            const type re = x[i] * y[i] + -x[i + 1] * y[i + 1];                                                        \
            y[i + 1] = x[i] * y[i + 1] + x[i + 1] * y[i];                                                              \
            y[i] = re;                                                                                                 \
        }                                                                                                              \
    }

/* Of equal values the lower index wins. */
#define PAIR_LOOPS(type)                                                                                               \
    static void first_##type(const struct type *restrict x, struct type *restrict y, size_t count, int least)          \
    {                                                                                                                  \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const struct type *low = least ? &x[i] : &y[i], *high = least ? &y[i] : &x[i];                             \
            if (low->value < high->value || (low->value == high->value && x[i].index < y[i].index)) {                  \
                y[i].value = x[i].value;                                                                               \
                y[i].index = x[i].index;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void minloc_##type(const void *in, void *inout, size_t count) { first_##type(in, inout, count, 1); }        \
    static void maxloc_##type(const void *in, void *inout, size_t count) { first_##type(in, inout, count, 0); }

typedef long double longdouble;

INTEGER_LOOPS(8)
INTEGER_LOOPS(16)
INTEGER_LOOPS(32)
INTEGER_LOOPS(64)
FLOAT_LOOPS(float)
FLOAT_LOOPS(double)
#if LDBL_MANT_DIG != DBL_MANT_DIG /* else long double has the loops of double, by its width, and its pair does */
FLOAT_LOOPS(longdouble)
PAIR_LOOPS(long_double_int)
#endif
#if HAVE_INT128
INTEGER_LOOPS(128)
#endif
#if HAVE_QUAD
FLOAT_LOOPS(quad)
#endif
PAIR_LOOPS(float_int)
PAIR_LOOPS(double_int)
PAIR_LOOPS(long_int)
PAIR_LOOPS(int_int)
PAIR_LOOPS(short_int)
PAIR_LOOPS(float_float)
PAIR_LOOPS(double_double)

/* ---- Which loop ---- */

/* By log2 of the width; signed numbers differ in two operations. */
#define INTEGER_ROW(n)                                                                                                 \
    {                                                                                                                  \
        [OP_SUM] = sum_##n, [OP_MIN] = min_u##n, [OP_MAX] = max_u##n, [OP_PROD] = prod_##n, [OP_BAND] = band_##n,      \
        [OP_BOR] = bor_##n, [OP_BXOR] = bxor_##n, [OP_LAND] = land_##n, [OP_LOR] = lor_##n, [OP_LXOR] = lxor_##n       \
    }
static kernel *const integers[][OP_LXOR + 1] = {INTEGER_ROW(8), INTEGER_ROW(16), INTEGER_ROW(32), INTEGER_ROW(64),
#if HAVE_INT128
                                                INTEGER_ROW(128)
#endif
};
static kernel *const signed_limits[][2] = {{min_i8, max_i8},
                                           {min_i16, max_i16},
                                           {min_i32, max_i32},
                                           {min_i64, max_i64},
#if HAVE_INT128
                                           {min_i128, max_i128}
#endif
};

enum { AT_FLOAT, AT_DOUBLE, AT_LONG_DOUBLE, AT_QUAD = AT_LONG_DOUBLE + (LDBL_MANT_DIG != DBL_MANT_DIG), FLOATS };
#define FLOAT_ROW(type)                                                                                                \
    {                                                                                                                  \
        [OP_SUM] = sum_##type, [OP_MIN] = min_##type, [OP_MAX] = max_##type, [OP_PROD] = prod_##type                   \
    }
#define COMPLEX_ROW(type)                                                                                              \
    {                                                                                                                  \
        [OP_SUM] = csum_##type, [OP_PROD] = cprod_##type                                                               \
    }
static kernel *const floats[2][FLOATS][OP_PROD + 1] = {{FLOAT_ROW(float), FLOAT_ROW(double),
#if LDBL_MANT_DIG != DBL_MANT_DIG
                                                        FLOAT_ROW(longdouble),
#endif
#if HAVE_QUAD
                                                        FLOAT_ROW(quad)
#endif
                                                       },
                                                       {COMPLEX_ROW(float), COMPLEX_ROW(double),
#if LDBL_MANT_DIG != DBL_MANT_DIG
                                                        COMPLEX_ROW(longdouble),
#endif
#if HAVE_QUAD
                                                        COMPLEX_ROW(quad)
#endif
                                                       }};

/* By handle, from MPI_FLOAT_INT on. */
enum { FIRST_PAIR = 0x228, QUAD = 0x2e2, COMPLEX_QUAD = 0x2eb };
#define PAIR_ROW(type)                                                                                                 \
    {                                                                                                                  \
        minloc_##type, maxloc_##type                                                                                   \
    }
static kernel *const pairs[][2] = {PAIR_ROW(float_int),
                                   PAIR_ROW(double_int),
                                   PAIR_ROW(long_int),
                                   PAIR_ROW(int_int),
                                   PAIR_ROW(short_int),
#if LDBL_MANT_DIG != DBL_MANT_DIG
                                   PAIR_ROW(long_double_int),
#else
                                   PAIR_ROW(double_int),
#endif
                                   {0},
                                   {0},
                                   PAIR_ROW(float_float),
                                   PAIR_ROW(double_double),
                                   PAIR_ROW(int_int)};

/* Width alone does not tell: long double and REAL16 may both have 16 bytes, or long double be double. */
static unsigned float_at(const struct type *t)
{
    if (t->handle == QUAD || t->handle == COMPLEX_QUAD)
        return AT_QUAD;
    return t->width == sizeof(float) ? AT_FLOAT : t->width == sizeof(double) ? AT_DOUBLE : AT_LONG_DOUBLE;
}

static kernel *integer_kernel(enum op_index op, const struct type *t)
{
    unsigned log2_width = (unsigned)__builtin_ctz(t->width);
    if (t->class != TYPE_UNSIGNED && (op == OP_MIN || op == OP_MAX))
        return signed_limits[log2_width][op == OP_MAX];
    return op <= OP_LXOR ? integers[log2_width][op] : NULL;
}

kernel *mpico_kernel_find(enum op_index op, const struct type *t)
{
    if (!t->predefined || op >= OP_KERNELS)
        return NULL;
    switch (t->class) {
    case TYPE_INTEGER:
    case TYPE_UNSIGNED:
        return integer_kernel(op, t);
    case TYPE_LOGICAL:
        return op >= OP_LAND && op <= OP_LXOR ? integer_kernel(op, t) : NULL;
    case TYPE_BYTE:
        return op >= OP_BAND && op <= OP_BXOR ? integer_kernel(op, t) : NULL;
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
        return op <= OP_PROD ? floats[t->class == TYPE_COMPLEX][float_at(t)][op] : NULL;
    case TYPE_PAIR:
        return op == OP_MINLOC || op == OP_MAXLOC ? pairs[t->handle - FIRST_PAIR][op == OP_MAXLOC] : NULL;
    default:
        return NULL;
    }
}
