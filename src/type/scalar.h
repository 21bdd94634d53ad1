/* scalar.h: the C types behind the predefined datatypes that plain C has no name for.
 *
 * HAVE_INT128 and HAVE_QUAD ask the compiler, not the platform: without the type, the datatype still
 * travels (16 bytes), but takes part in no reduction.
 */
#ifndef MPICO_SCALAR_H
#define MPICO_SCALAR_H

#include <float.h>
#include <stdint.h>

#if defined(__SIZEOF_INT128__)
#define HAVE_INT128 1
__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;
#else
#define HAVE_INT128 0
#endif

/* Fortran's REAL(16): IEEE binary128. */
#if LDBL_MANT_DIG == 113
#define HAVE_QUAD 1
typedef long double quad;
#elif defined(__SIZEOF_FLOAT128__)
#define HAVE_QUAD 1
__extension__ typedef __float128 quad;
#else
#define HAVE_QUAD 0
#endif

/* Pairs as C lays them out. */
struct float_int {
    float value;
    int index;
};
struct double_int {
    double value;
    int index;
};
struct long_int {
    long value;
    int index;
};
struct int_int {
    int value;
    int index;
};
struct short_int {
    short value;
    int index;
};
struct long_double_int {
    long double value;
    int index;
};
struct float_float {
    float value;
    float index;
};
struct double_double {
    double value;
    double index;
};

#endif
