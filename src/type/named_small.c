/* named_small.c: in place of named.c in small builds. Predefined datatypes that are alike, MPI_INT and MPI_INT32_T say, share a
 * description, which has no name and the handle of the commonest, MPI_INT; so there are some 30 of them instead of 62. A user's operation is told that handle.
 */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "layout.h"
#include "named.h"
#include "scalar.h"

static_assert(!SMALL || (HAVE_INT128 + HAVE_QUAD == 0 && sizeof(long double) == sizeof(double)),
              "small processors have neither");

/* S(name, low byte of the handle, class, C type)  P(..., struct of a pair) */
#define KINDS                                                                                                          \
    S(BYTES1, 0x07, TYPE_BYTES, char)                                                                                  \
    S(BYTES2, 0xca, TYPE_BYTES, char[2])                                                                               \
    S(BYTES4, 0xd3, TYPE_BYTES, char[4])                                                                               \
    S(BYTES16, 0xe0, TYPE_BYTES, char[16])                                                                             \
    S(BYTES32, 0xeb, TYPE_BYTES, char[32])                                                                             \
    S(BYTE, 0x47, TYPE_BYTE, unsigned char)                                                                            \
    S(I8, 0x44, TYPE_INTEGER, int8_t)                                                                                  \
    S(I16, 0x08, TYPE_INTEGER, int16_t)                                                                                \
    S(I32, sizeof(int) == 4 ? 0x09 : 0x50, TYPE_INTEGER, int32_t)                                                      \
    S(I64, 0x0b, TYPE_INTEGER, int64_t)                                                                                \
    S(U8, 0x45, TYPE_UNSIGNED, uint8_t)                                                                                \
    S(U16, 0x0c, TYPE_UNSIGNED, uint16_t)                                                                              \
    S(U32, sizeof(int) == 4 ? 0x0d : 0x51, TYPE_UNSIGNED, uint32_t)                                                    \
    S(U64, 0x0f, TYPE_UNSIGNED, uint64_t)                                                                              \
    S(LONG, 0x0a, TYPE_INTEGER, long)                                                                                  \
    S(UNSIGNED_LONG, 0x0e, TYPE_UNSIGNED, unsigned long)                                                               \
    S(WCHAR, 0x3c, TYPE_BYTES, wchar_t)                                                                                \
    S(L8, 0xc0, TYPE_LOGICAL, int8_t)                                                                                  \
    S(L16, 0xc8, TYPE_LOGICAL, int16_t)                                                                                \
    S(L32, 0x18, TYPE_LOGICAL, int32_t)                                                                                \
    S(L64, 0xd8, TYPE_LOGICAL, int64_t)                                                                                \
    S(FLOAT, 0x10, TYPE_FLOAT, float)                                                                                  \
    S(DOUBLE, 0x14, TYPE_FLOAT, double)                                                                                \
    S(FLOAT_COMPLEX, 0x12, TYPE_COMPLEX, float[2])                                                                     \
    S(DOUBLE_COMPLEX, 0x16, TYPE_COMPLEX, double[2])                                                                   \
    P(FLOAT_INT, 0x28, struct float_int)                                                                               \
    P(DOUBLE_INT, 0x29, struct double_int)                                                                             \
    P(LONG_INT, 0x2a, struct long_int)                                                                                 \
    P(INT_INT, 0x2b, struct int_int)                                                                                   \
    P(SHORT_INT, 0x2c, struct short_int)                                                                               \
    P(FLOAT_FLOAT, 0x30, struct float_float)                                                                           \
    P(DOUBLE_DOUBLE, 0x31, struct double_double)

#define VALUE_SIZE(type) sizeof((type){0}.value)
#define INDEX_SIZE(type) sizeof((type){0}.index)
#define PAIR_SIZE(type) (VALUE_SIZE(type) + INDEX_SIZE(type))
/* A pair is one block only where nothing lies between value and index, and behind. */
#define IS_DENSE(type) (PAIR_SIZE(type) == sizeof(type))

#define S(name, low, class, type)
#define P(name, low, type)                                                                                             \
    static const struct block blocks_##name[3] = {                                                                     \
        {0, 0}, {offsetof(type, index), VALUE_SIZE(type)}, {0, PAIR_SIZE(type)}};                                      \
    static const struct layout layout_##name = {                                                                       \
        .kind = LAYOUT_BLOCKS, .size = PAIR_SIZE(type), .count = 2, .block = blocks_##name};
KINDS
#undef S
#undef P

enum {
    NONE,
#define S(name, low, class, type) name,
#define P(name, low, type) name,
    KINDS
#undef S
#undef P
};

#define ALIGN(type) (_Alignof(type) > 1 || sizeof(type) > 16 ? _Alignof(type) : sizeof(type))

const struct type mpico_type_table[] = {
#define S(name, low, class_, type)                                                                                     \
    {.magic = TYPE_MAGIC,                                                                                              \
     .predefined = 1,                                                                                                  \
     .committed = 1,                                                                                                   \
     .contiguous = 1,                                                                                                  \
     .class = (class_),                                                                                                \
     .width = sizeof(type) / ((class_) == TYPE_COMPLEX ? 2 : 1),                                                       \
     .align = ALIGN(type),                                                                                             \
     .size = sizeof(type),                                                                                             \
     .extent = sizeof(type),                                                                                           \
     .true_extent = sizeof(type),                                                                                      \
     .elements = 1,                                                                                                    \
     .handle = 0x200 + (low)},
#define P(name, low, type)                                                                                             \
    {.magic = TYPE_MAGIC,                                                                                              \
     .predefined = 1,                                                                                                  \
     .committed = 1,                                                                                                   \
     .contiguous = IS_DENSE(type),                                                                                     \
     .class = TYPE_PAIR,                                                                                               \
     .width = VALUE_SIZE(type),                                                                                        \
     .align = _Alignof(type),                                                                                          \
     .size = PAIR_SIZE(type),                                                                                          \
     .extent = sizeof(type),                                                                                           \
     .true_extent = offsetof(type, index) + INDEX_SIZE(type),                                                          \
     .elements = 2,                                                                                                    \
     .layout = IS_DENSE(type) ? NULL : &layout_##name,                                                                 \
     .handle = 0x200 + (low)},
    KINDS
#undef S
#undef P
};

/* The integer of a C type's width, of a family that begins with `first`. */
#define OF_WIDTH(first, type) ((first) + (sizeof(type) == 1 ? 0 : sizeof(type) == 2 ? 1 : sizeof(type) == 4 ? 2 : 3))
#define CHAR (TYPE_CHAR == TYPE_INTEGER ? I8 : U8)
#define REAL(type) (sizeof(type) == sizeof(float) ? FLOAT : DOUBLE)
#define CPLX(type) (sizeof(type) == sizeof(float) ? FLOAT_COMPLEX : DOUBLE_COMPLEX)

const uint8_t mpico_type_place[256] = {
    [0x01] = OF_WIDTH(I8, intptr_t), /* AINT */
    [0x02] = I64,                    /* COUNT */
    [0x03] = I64,                    /* OFFSET */
    [0x07] = BYTES1,                 /* PACKED */
    [0x08] = OF_WIDTH(I8, short),    /* SHORT */
    [0x09] = OF_WIDTH(I8, int),      /* INT */
    [0x0a] = LONG,                   /* LONG */
    [0x0b] = I64,                    /* LONG_LONG */
    [0x0c] = OF_WIDTH(U8, short),    /* UNSIGNED_SHORT */
    [0x0d] = OF_WIDTH(U8, int),      /* UNSIGNED */
    [0x0e] = UNSIGNED_LONG,          /* UNSIGNED_LONG */
    [0x0f] = U64,                    /* UNSIGNED_LONG_LONG */
    [0x10] = FLOAT,                  /* FLOAT */
    [0x12] = FLOAT_COMPLEX,          /* C_FLOAT_COMPLEX */
    [0x13] = FLOAT_COMPLEX,          /* CXX_FLOAT_COMPLEX */
    [0x14] = REAL(double),           /* DOUBLE */
    [0x16] = CPLX(double),           /* C_DOUBLE_COMPLEX */
    [0x17] = CPLX(double),           /* CXX_DOUBLE_COMPLEX */
    [0x18] = OF_WIDTH(L8, int),      /* LOGICAL */
    [0x19] = OF_WIDTH(I8, int),      /* INTEGER */
    [0x1a] = FLOAT,                  /* REAL */
    [0x1b] = FLOAT_COMPLEX,          /* COMPLEX */
    [0x1c] = REAL(double),           /* DOUBLE_PRECISION */
    [0x1d] = CPLX(double),           /* DOUBLE_COMPLEX */
    [0x1e] = CHAR,                   /* CHARACTER */
    [0x20] = REAL(double),           /* LONG_DOUBLE */
    [0x24] = CPLX(double),           /* C_LONG_DOUBLE_COMPLEX */
    [0x25] = CPLX(double),           /* CXX_LONG_DOUBLE_COMPLEX */
    [0x28] = FLOAT_INT,              /* FLOAT_INT */
    [0x29] = DOUBLE_INT,             /* DOUBLE_INT */
    [0x2a] = LONG_INT,               /* LONG_INT */
    [0x2b] = INT_INT,                /* 2INT */
    [0x2c] = SHORT_INT,              /* SHORT_INT */
    [0x2d] = DOUBLE_INT,             /* LONG_DOUBLE_INT */
    [0x30] = FLOAT_FLOAT,            /* 2REAL */
    [0x31] = DOUBLE_DOUBLE,          /* 2DOUBLE_PRECISION */
    [0x32] = INT_INT,                /* 2INTEGER */
    [0x38] = OF_WIDTH(L8, bool),     /* C_BOOL */
    [0x39] = OF_WIDTH(L8, bool),     /* CXX_BOOL */
    [0x3c] = WCHAR,                  /* WCHAR */
    [0x40] = I8,                     /* INT8_T */
    [0x41] = U8,                     /* UINT8_T */
    [0x43] = CHAR,                   /* CHAR */
    [0x44] = I8,                     /* SIGNED_CHAR */
    [0x45] = U8,                     /* UNSIGNED_CHAR */
    [0x47] = BYTE,                   /* BYTE */
    [0x48] = I16,                    /* INT16_T */
    [0x49] = U16,                    /* UINT16_T */
    [0x50] = I32,                    /* INT32_T */
    [0x51] = U32,                    /* UINT32_T */
    [0x58] = I64,                    /* INT64_T */
    [0x59] = U64,                    /* UINT64_T */
    [0xc0] = L8,                     /* LOGICAL1 */
    [0xc1] = I8,                     /* INTEGER1 */
    [0xc8] = L16,                    /* LOGICAL2 */
    [0xc9] = I16,                    /* INTEGER2 */
    [0xca] = BYTES2,                 /* REAL2 */
    [0xd0] = L32,                    /* LOGICAL4 */
    [0xd1] = I32,                    /* INTEGER4 */
    [0xd2] = FLOAT,                  /* REAL4 */
    [0xd3] = BYTES4,                 /* COMPLEX4 */
    [0xd8] = L64,                    /* LOGICAL8 */
    [0xd9] = I64,                    /* INTEGER8 */
    [0xda] = REAL(double),           /* REAL8 */
    [0xdb] = FLOAT_COMPLEX,          /* COMPLEX8 */
    [0xe0] = BYTES16,                /* LOGICAL16 */
    [0xe1] = BYTES16,                /* INTEGER16 */
    [0xe2] = BYTES16,                /* REAL16 */
    [0xe3] = CPLX(double),           /* COMPLEX16 */
    [0xeb] = BYTES32,                /* COMPLEX32 */
};
