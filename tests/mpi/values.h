/* Predefined datatypes as a table: small integers are stored in and loaded from any of them, so that one
 * reference in plain arithmetic serves every datatype. */
#ifndef MPICO_TESTS_MPI_VALUES_H
#define MPICO_TESTS_MPI_VALUES_H

#include "check.h"
#include <complex.h>
#include <limits.h>

enum kind { INTEGER, UNSIGNED, FLOATING, COMPLEX, LOGICAL, BYTES };
enum { TYPES = 34 };
struct type {
    MPI_Datatype type;
    enum kind kind;
    int size;
};

static inline int types_fill(struct type *t)
{
    const MPI_Datatype integers[] = {MPI_SIGNED_CHAR, MPI_SHORT,   MPI_INT,     MPI_LONG, MPI_LONG_LONG, MPI_INT8_T,
                                     MPI_INT16_T,     MPI_INT32_T, MPI_INT64_T, MPI_AINT, MPI_COUNT,     MPI_OFFSET};
    const MPI_Datatype naturals[] = {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT,     MPI_UNSIGNED,
                                     MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T,
                                     MPI_UINT16_T,      MPI_UINT32_T,           MPI_UINT64_T};
    const MPI_Datatype reals[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE};
    const MPI_Datatype complexes[] = {MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
                                      MPI_C_LONG_DOUBLE_COMPLEX};
    int n = 0;
    for (int i = 0; i < 12; i++)
        t[n++] = (struct type){integers[i], INTEGER, 0};
    for (int i = 0; i < 9; i++)
        t[n++] = (struct type){naturals[i], UNSIGNED, 0};
    for (int i = 0; i < 3; i++)
        t[n++] = (struct type){reals[i], FLOATING, 0};
    for (int i = 0; i < 4; i++)
        t[n++] = (struct type){complexes[i], COMPLEX, 0};
    /* The standard has no reductions of characters, programs have: as of the integers that they are in C. */
    t[n++] = (struct type){MPI_CHAR, CHAR_MIN < 0 ? INTEGER : UNSIGNED, 0};
    t[n++] = (struct type){MPI_CHARACTER, CHAR_MIN < 0 ? INTEGER : UNSIGNED, 0};
    t[n++] = (struct type){MPI_C_BOOL, LOGICAL, 0};
    t[n++] = (struct type){MPI_BYTE, BYTES, 0};
    for (int i = 0; i < n; i++)
        MPI_Type_size(t[i].type, &t[i].size);
    return n;
}

static inline void put(const struct type *t, void *buffer, int i, long value)
{
    char *at = (char *)buffer + (size_t)i * (size_t)t->size;
    if (t->kind == FLOATING || t->kind == COMPLEX) {
        float complex c4 = (float)value;
        double complex c8 = (double)value;
        long double complex c16 = (long double)value;
        int part = t->kind == COMPLEX ? t->size / 2 : t->size; /* a real is the first half of its complex */
        memset(at, 0, (size_t)t->size);
        memcpy(at, part == 4 ? (void *)&c4 : part == 8 ? (void *)&c8 : (void *)&c16, (size_t)t->size);
    } else {
        int64_t v = value; /* little-endian hosts and two's complement: the low bytes are the narrow value */
        memcpy(at, &v, (size_t)t->size);
    }
}

static inline long get(const struct type *t, const void *buffer, int i)
{
    const char *at = (const char *)buffer + (size_t)i * (size_t)t->size;
    if (t->kind == FLOATING || t->kind == COMPLEX) {
        int part = t->kind == COMPLEX ? t->size / 2 : t->size;
        float f;
        double d;
        long double l;
        if (part == 4)
            return memcpy(&f, at, 4), (long)f;
        if (part == 8)
            return memcpy(&d, at, 8), (long)d;
        return memcpy(&l, at, sizeof l), (long)l;
    }
    uint64_t v = 0;
    memcpy(&v, at, (size_t)t->size);
    int shift = 64 - 8 * t->size;
    return t->kind == INTEGER ? (long)((int64_t)(v << shift) >> shift) : (long)v;
}

#endif
