/* named.c: the predefined datatypes of the ABI. Their handles are the numbers 0x200 to 0x2ff, sparsely
 * used: one byte each leads to a dense table. All of it is constant data.
 */
#include <stdbool.h>
#include <stddef.h>

#include "layout.h"
#include "named.h"
#include "scalar.h"

/* One line a datatype, in macros because each becomes three things: a place in the table, the entry
 * itself and its index.  S(low byte of the handle, name, class, C type)  P(..., struct of a pair) */
#define C_TYPES                                                                                                        \
    S(0x01, AINT, TYPE_INTEGER, intptr_t)                                                                              \
    S(0x02, COUNT, TYPE_INTEGER, int64_t)                                                                              \
    S(0x03, OFFSET, TYPE_INTEGER, int64_t)                                                                             \
    S(0x07, PACKED, TYPE_BYTES, char)                                                                                  \
    S(0x08, SHORT, TYPE_INTEGER, short)                                                                                \
    S(0x09, INT, TYPE_INTEGER, int)                                                                                    \
    S(0x0a, LONG, TYPE_INTEGER, long)                                                                                  \
    S(0x0b, LONG_LONG_INT, TYPE_INTEGER, long long)                                                                    \
    S(0x0c, UNSIGNED_SHORT, TYPE_UNSIGNED, unsigned short)                                                             \
    S(0x0d, UNSIGNED, TYPE_UNSIGNED, unsigned)                                                                         \
    S(0x0e, UNSIGNED_LONG, TYPE_UNSIGNED, unsigned long)                                                               \
    S(0x0f, UNSIGNED_LONG_LONG, TYPE_UNSIGNED, unsigned long long)                                                     \
    S(0x10, FLOAT, TYPE_FLOAT, float)                                                                                  \
    S(0x12, C_COMPLEX, TYPE_COMPLEX, float[2])                                                                         \
    S(0x13, CXX_FLOAT_COMPLEX, TYPE_COMPLEX, float[2])                                                                 \
    S(0x14, DOUBLE, TYPE_FLOAT, double)                                                                                \
    S(0x16, C_DOUBLE_COMPLEX, TYPE_COMPLEX, double[2])                                                                 \
    S(0x17, CXX_DOUBLE_COMPLEX, TYPE_COMPLEX, double[2])                                                               \
    S(0x20, LONG_DOUBLE, TYPE_FLOAT, long double)                                                                      \
    S(0x24, C_LONG_DOUBLE_COMPLEX, TYPE_COMPLEX, long double[2])                                                       \
    S(0x25, CXX_LONG_DOUBLE_COMPLEX, TYPE_COMPLEX, long double[2])                                                     \
    S(0x38, C_BOOL, TYPE_LOGICAL, bool)                                                                                \
    S(0x39, CXX_BOOL, TYPE_LOGICAL, bool)                                                                              \
    S(0x3c, WCHAR, TYPE_BYTES, wchar_t)                                                                                \
    S(0x40, INT8_T, TYPE_INTEGER, int8_t)                                                                              \
    S(0x41, UINT8_T, TYPE_UNSIGNED, uint8_t)                                                                           \
    S(0x43, CHAR, TYPE_CHAR, char)                                                                                     \
    S(0x44, SIGNED_CHAR, TYPE_INTEGER, signed char)                                                                    \
    S(0x45, UNSIGNED_CHAR, TYPE_UNSIGNED, unsigned char)                                                               \
    S(0x47, BYTE, TYPE_BYTE, unsigned char)                                                                            \
    S(0x48, INT16_T, TYPE_INTEGER, int16_t)                                                                            \
    S(0x49, UINT16_T, TYPE_UNSIGNED, uint16_t)                                                                         \
    S(0x50, INT32_T, TYPE_INTEGER, int32_t)                                                                            \
    S(0x51, UINT32_T, TYPE_UNSIGNED, uint32_t)                                                                         \
    S(0x58, INT64_T, TYPE_INTEGER, int64_t)                                                                            \
    S(0x59, UINT64_T, TYPE_UNSIGNED, uint64_t)                                                                         \
    P(0x28, FLOAT_INT, struct float_int)                                                                               \
    P(0x29, DOUBLE_INT, struct double_int)                                                                             \
    P(0x2a, LONG_INT, struct long_int)                                                                                 \
    P(0x2b, 2INT, struct int_int)                                                                                      \
    P(0x2c, SHORT_INT, struct short_int)                                                                               \
    P(0x2d, LONG_DOUBLE_INT, struct long_double_int)

/* Fortran's default INTEGER, LOGICAL and REAL have the size of C's int and float. */
#define FORTRAN_TYPES                                                                                                  \
    S(0x18, LOGICAL, TYPE_LOGICAL, int)                                                                                \
    S(0x19, INTEGER, TYPE_INTEGER, int)                                                                                \
    S(0x1a, REAL, TYPE_FLOAT, float)                                                                                   \
    S(0x1b, COMPLEX, TYPE_COMPLEX, float[2])                                                                           \
    S(0x1c, DOUBLE_PRECISION, TYPE_FLOAT, double)                                                                      \
    S(0x1d, DOUBLE_COMPLEX, TYPE_COMPLEX, double[2])                                                                   \
    S(0x1e, CHARACTER, TYPE_CHAR, char)                                                                                \
    P(0x30, 2REAL, struct float_float)                                                                                 \
    P(0x31, 2DOUBLE_PRECISION, struct double_double)                                                                   \
    P(0x32, 2INTEGER, struct int_int)                                                                                  \
    S(0xc0, LOGICAL1, TYPE_LOGICAL, int8_t)                                                                            \
    S(0xc1, INTEGER1, TYPE_INTEGER, int8_t)                                                                            \
    S(0xc8, LOGICAL2, TYPE_LOGICAL, int16_t)                                                                           \
    S(0xc9, INTEGER2, TYPE_INTEGER, int16_t)                                                                           \
    S(0xca, REAL2, TYPE_BYTES, char[2])                                                                                \
    S(0xd0, LOGICAL4, TYPE_LOGICAL, int32_t)                                                                           \
    S(0xd1, INTEGER4, TYPE_INTEGER, int32_t)                                                                           \
    S(0xd2, REAL4, TYPE_FLOAT, float)                                                                                  \
    S(0xd3, COMPLEX4, TYPE_BYTES, char[4])                                                                             \
    S(0xd8, LOGICAL8, TYPE_LOGICAL, int64_t)                                                                           \
    S(0xd9, INTEGER8, TYPE_INTEGER, int64_t)                                                                           \
    S(0xda, REAL8, TYPE_FLOAT, double)                                                                                 \
    S(0xdb, COMPLEX8, TYPE_COMPLEX, float[2])                                                                          \
    S(0xe0, LOGICAL16, HAVE_INT128 ? TYPE_LOGICAL : TYPE_BYTES, char[16])                                              \
    S(0xe1, INTEGER16, HAVE_INT128 ? TYPE_INTEGER : TYPE_BYTES, char[16])                                              \
    S(0xe2, REAL16, HAVE_QUAD ? TYPE_FLOAT : TYPE_BYTES, char[16])                                                     \
    S(0xe3, COMPLEX16, TYPE_COMPLEX, double[2])                                                                        \
    S(0xeb, COMPLEX32, HAVE_QUAD ? TYPE_COMPLEX : TYPE_BYTES, char[32])

#define ALL_TYPES C_TYPES FORTRAN_TYPES

/* A pair is one block only where nothing lies between value and index, and behind. */
#define VALUE_SIZE(type) sizeof((type){0}.value)
#define INDEX_SIZE(type) sizeof((type){0}.index)
#define PAIR_SIZE(type) (VALUE_SIZE(type) + INDEX_SIZE(type))
#define IS_DENSE(type) (PAIR_SIZE(type) == sizeof(type))

#define S(low, name, class, type)
#define P(low, name, type)                                                                                             \
    static const struct block blocks_##name[3] = {                                                                     \
        {0, 0}, {offsetof(type, index), VALUE_SIZE(type)}, {0, PAIR_SIZE(type)}};                                      \
    static const struct layout layout_##name = {                                                                       \
        .kind = LAYOUT_BLOCKS, .size = PAIR_SIZE(type), .count = 2, .block = blocks_##name};
ALL_TYPES
#undef S
#undef P

enum {
#define S(low, name, class, type) AT_##name,
#define P(low, name, type) AT_##name,
    ALL_TYPES
#undef S
#undef P
};

/* Fortran's types without a C type are arrays of bytes here, but lie like numbers. */
#define ALIGN(type) (_Alignof(type) > 1 || sizeof(type) > 16 ? _Alignof(type) : sizeof(type))

const struct type mpico_type_table[] = {
#define S(low, name_, class_, type)                                                                                    \
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
     .handle = 0x200 + (low),                                                                                          \
     .name = "MPI_" #name_},
#define P(low, name_, type)                                                                                            \
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
     .layout = IS_DENSE(type) ? NULL : &layout_##name_,                                                                \
     .handle = 0x200 + (low),                                                                                          \
     .name = "MPI_" #name_},
    ALL_TYPES
#undef S
#undef P
};

const uint8_t mpico_type_place[256] = {
#define S(low, name, class, type) [low] = AT_##name + 1,
#define P(low, name, type) [low] = AT_##name + 1,
    ALL_TYPES
#undef S
#undef P
};
