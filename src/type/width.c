/* width.c: the sizes of predefined datatypes. The ABI's handles of types of fixed size hold it: bits 3 to 5 are its logarithm
 * (MPI 5.0, appendix A.1, the constants of datatypes); a table has the others, which a compiler chooses, and where 192 bytes do
 * not matter all.
 */
#include <stdbool.h>
#include <stddef.h>

#include "scalar.h"
#include "type.h"

enum { FORTRAN_FIXED = 0xc0, HANDLES = 0x100 };

#define PAIR(type) (sizeof(type) == sizeof((type){0}.value) + sizeof((type){0}.index) ? sizeof(type) : 0)

const uint8_t mpico_type_widths[TYPE_WIDTHS] = {
    [0x01] = sizeof(intptr_t),
    [0x02] = sizeof(int64_t),
    [0x03] = sizeof(int64_t),
    [0x07] = 1,
    [0x08] = sizeof(short),
    [0x09] = sizeof(int),
    [0x0a] = sizeof(long),
    [0x0b] = sizeof(long long),
    [0x0c] = sizeof(short),
    [0x0d] = sizeof(int),
    [0x0e] = sizeof(long),
    [0x0f] = sizeof(long long),
    [0x10] = sizeof(float),
    [0x12] = sizeof(float[2]),
    [0x13] = sizeof(float[2]),
    [0x14] = sizeof(double),
    [0x16] = sizeof(double[2]),
    [0x17] = sizeof(double[2]),
    [0x18] = sizeof(int), /* Fortran's LOGICAL, INTEGER, REAL and so on */
    [0x19] = sizeof(int),
    [0x1a] = sizeof(float),
    [0x1b] = sizeof(float[2]),
    [0x1c] = sizeof(double),
    [0x1d] = sizeof(double[2]),
    [0x1e] = 1,
    [0x20] = sizeof(long double),
    [0x24] = sizeof(long double[2]),
    [0x25] = sizeof(long double[2]),
    [0x28] = PAIR(struct float_int),
    [0x29] = PAIR(struct double_int),
    [0x2a] = PAIR(struct long_int),
    [0x2b] = PAIR(struct int_int),
    [0x2c] = PAIR(struct short_int),
    [0x2d] = PAIR(struct long_double_int),
    [0x30] = PAIR(struct float_float),
    [0x31] = PAIR(struct double_double),
    [0x32] = PAIR(struct int_int),
    [0x38] = sizeof(bool),
    [0x39] = sizeof(bool),
    [0x3c] = sizeof(wchar_t),
#if !(defined(MPICO_SMALL) && MPICO_SMALL)
    [0x40] = 1,
    [0x41] = 1,
    [0x43] = 1,
    [0x44] = 1,
    [0x45] = 1,
    [0x47] = 1,
    [0x48] = 2,
    [0x49] = 2,
    [0x50] = 4,
    [0x51] = 4,
    [0x58] = 8,
    [0x59] = 8,
    [0xc0] = 1,
    [0xc1] = 1,
    [0xc8] = 2,
    [0xc9] = 2,
    [0xca] = 2,
    [0xd0] = 4,
    [0xd1] = 4,
    [0xd2] = 4,
    [0xd3] = 4,
    [0xd8] = 8,
    [0xd9] = 8,
    [0xda] = 8,
    [0xdb] = 8,
    [0xe0] = 16,
    [0xe1] = 16,
    [0xe2] = 16,
    [0xe3] = 16,
    [0xeb] = 32,
#endif
};

/* Which numbers of the two ranges of fixed sizes are datatypes: one bit each, from 0x40 and from 0xc0. */
static const uint32_t known[2][2] = {{0x30303bbu, 0x0u}, {0xf0f0703u, 0x80fu}};

size_t mpico_type_width(uintptr_t handle)
{
    uintptr_t at = handle - TYPE_HANDLES;
    if (at < TYPE_WIDTHS)
        return mpico_type_widths[at];
    if (!SMALL || at >= HANDLES || !(at & TYPE_WIDTHS) ||
        !(known[at >= FORTRAN_FIXED][at % TYPE_WIDTHS / 32] >> at % 32 & 1))
        return 0;
    return (size_t)1 << (at >> 3 & 7);
}

const struct type mpico_type_byte = {.magic = TYPE_MAGIC,
                                     .predefined = 1,
                                     .committed = 1,
                                     .contiguous = 1,
                                     .class = TYPE_BYTES,
                                     .width = 1,
                                     .align = 1,
                                     .size = 1,
                                     .extent = 1,
                                     .true_extent = 1,
                                     .elements = 1,
                                     .handle = TYPE_HANDLES + 0x47,
                                     .name = "MPI_BYTE"};
