/* Sizes and extents of the predefined datatypes are those of C. */
#include "check.h"
#include <complex.h>
#include <stddef.h>

static void same(const char *name, MPI_Datatype type, size_t size, size_t wanted_extent)
{
    int got = -1;
    MPI_Aint low = -1, extent = -1;
    MPI_Type_size(type, &got);
    MPI_Type_get_extent(type, &low, &extent);
    CHECK(got == (int)size, "%s: size %d, wanted %zu", name, got, size);
    CHECK(low == 0 && extent == (MPI_Aint)wanted_extent, "%s: from %ld, extent %ld, wanted %zu", name, (long)low,
          (long)extent, wanted_extent);
}

#define SAME(type, c) same(#type, type, sizeof(c), sizeof(c)) /* the name, for the message */
#define PAIR(type, c)                                                                                                  \
    do {                                                                                                               \
        typedef struct {                                                                                               \
            c value;                                                                                                   \
            int index;                                                                                                 \
        } pair;                                                                                                        \
        same(#type, type, sizeof(c) + sizeof(int), sizeof(pair));                                                      \
    } while (0)

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    SAME(MPI_CHAR, char);
    SAME(MPI_SIGNED_CHAR, signed char);
    SAME(MPI_UNSIGNED_CHAR, unsigned char);
    SAME(MPI_BYTE, char);
    SAME(MPI_PACKED, char);
    SAME(MPI_WCHAR, wchar_t);
    SAME(MPI_SHORT, short);
    SAME(MPI_UNSIGNED_SHORT, unsigned short);
    SAME(MPI_INT, int);
    SAME(MPI_UNSIGNED, unsigned);
    SAME(MPI_LONG, long);
    SAME(MPI_UNSIGNED_LONG, unsigned long);
    SAME(MPI_LONG_LONG, long long);
    SAME(MPI_LONG_LONG_INT, long long);
    SAME(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    SAME(MPI_FLOAT, float);
    SAME(MPI_DOUBLE, double);
    SAME(MPI_LONG_DOUBLE, long double);
    SAME(MPI_C_BOOL, _Bool);
    SAME(MPI_INT8_T, int8_t);
    SAME(MPI_INT16_T, int16_t);
    SAME(MPI_INT32_T, int32_t);
    SAME(MPI_INT64_T, int64_t);
    SAME(MPI_UINT8_T, uint8_t);
    SAME(MPI_UINT16_T, uint16_t);
    SAME(MPI_UINT32_T, uint32_t);
    SAME(MPI_UINT64_T, uint64_t);
    SAME(MPI_AINT, MPI_Aint);
    SAME(MPI_COUNT, MPI_Count);
    SAME(MPI_OFFSET, MPI_Offset);
    SAME(MPI_C_COMPLEX, float complex);
    SAME(MPI_C_FLOAT_COMPLEX, float complex);
    SAME(MPI_C_DOUBLE_COMPLEX, double complex);
    SAME(MPI_C_LONG_DOUBLE_COMPLEX, long double complex);
    PAIR(MPI_FLOAT_INT, float);
    PAIR(MPI_DOUBLE_INT, double);
    PAIR(MPI_LONG_INT, long);
    PAIR(MPI_2INT, int);
    PAIR(MPI_SHORT_INT, short);
    PAIR(MPI_LONG_DOUBLE_INT, long double);
    return check_finish();
}
