/* type_model.h: datatypes as the standard defines them (MPI 5.0, section 5.1): a plain list of basic elements and their places, and
 * the bounds that were given. Slow and simple on purpose: what fuzz_type.c holds the library against.
 */
#ifndef MPICO_TESTS_FUZZ_TYPE_MODEL_H
#define MPICO_TESTS_FUZZ_TYPE_MODEL_H

#include <float.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { MODEL_ENTRIES = 1500, MODEL_REACH = 1 << 16, MODEL_DEPTH = 90 };

/* Scalars of a basic type: one, or two (a complex number, a pair). */
enum scalar_kind { SCALAR_SIGNED, SCALAR_UNSIGNED, SCALAR_FLOAT, SCALAR_LONG_DOUBLE };
struct scalar {
    size_t at, native, external;
    enum scalar_kind kind;
};
struct basic {
    MPI_Datatype handle;
    size_t extent, align;
    int scalars, elements;
    struct scalar scalar[2];
};

struct pair_short {
    short value;
    int index;
};
struct pair_long {
    long value;
    int index;
};
struct pair_double {
    double value;
    int index;
};
struct pair_long_double {
    long double value;
    int index;
};

/* A macro, because a size and an alignment need the type itself. */
#define ONE(handle, type, external, kind)                                                                              \
    {                                                                                                                  \
        handle, sizeof(type), _Alignof(type), 1, 1,                                                                    \
        {                                                                                                              \
            {0, sizeof(type), external, kind}, { 0 }                                                                   \
        }                                                                                                              \
    }
#define PAIR(handle, type, external, kind)                                                                             \
    {                                                                                                                  \
        handle, sizeof(type), _Alignof(type), 2, 2,                                                                    \
        {                                                                                                              \
            {0, sizeof(((type *)0)->value), external, kind}, { offsetof(type, index), sizeof(int), 4, SCALAR_SIGNED }  \
        }                                                                                                              \
    }
static const struct basic basics[] = {
    ONE(MPI_CHAR, char, 1, SCALAR_UNSIGNED),
    ONE(MPI_SHORT, short, 2, SCALAR_SIGNED),
    ONE(MPI_INT, int, 4, SCALAR_SIGNED),
    ONE(MPI_LONG, long, 4, SCALAR_SIGNED),
    ONE(MPI_UNSIGNED_LONG, unsigned long, 4, SCALAR_UNSIGNED),
    ONE(MPI_LONG_LONG, long long, 8, SCALAR_SIGNED),
    ONE(MPI_FLOAT, float, 4, SCALAR_FLOAT),
    ONE(MPI_DOUBLE, double, 8, SCALAR_FLOAT),
    ONE(MPI_C_BOOL, bool, 1, SCALAR_UNSIGNED),
    ONE(MPI_WCHAR, wchar_t, 2, SCALAR_UNSIGNED),
    ONE(MPI_LONG_DOUBLE, long double, 16, SCALAR_LONG_DOUBLE),
    {MPI_C_DOUBLE_COMPLEX, 16, _Alignof(double), 2, 1, {{0, 8, 8, SCALAR_FLOAT}, {8, 8, 8, SCALAR_FLOAT}}},
    PAIR(MPI_SHORT_INT, struct pair_short, 2, SCALAR_SIGNED),
    PAIR(MPI_LONG_INT, struct pair_long, 4, SCALAR_SIGNED),
    PAIR(MPI_DOUBLE_INT, struct pair_double, 8, SCALAR_FLOAT),
    PAIR(MPI_LONG_DOUBLE_INT, struct pair_long_double, 16, SCALAR_LONG_DOUBLE),
};
#undef ONE
#undef PAIR
enum { BASICS = (int)(sizeof basics / sizeof *basics) };

struct entry {
    long at;
    const struct basic *basic;
};
struct model {
    int given; /* bounds were given */
    long given_lower, given_upper;
    /* Else they span the parts, each with what it is padded to: the standard lets a compiler's rules decide, which pad an inner
     * struct before it stands in an outer one. */
    long low, high;
    int depth;
    size_t n;
    struct entry entry[MODEL_ENTRIES];
};

static void model_basic(struct model *m, const struct basic *b)
{
    memset(m, 0, offsetof(struct model, entry));
    m->n = 1;
    m->high = (long)b->extent;
    m->entry[0] = (struct entry){0, b};
}

static void model_empty(struct model *m) { memset(m, 0, offsetof(struct model, entry)); }

static size_t basic_size(const struct basic *b)
{
    return b->scalar[0].native + (b->scalars == 2 ? b->scalar[1].native : 0);
}

/* Behind the last byte of data. */
static long basic_end(const struct basic *b)
{
    const struct scalar *last = &b->scalar[b->scalars - 1];
    return (long)(last->at + last->native);
}

static long model_size(const struct model *m)
{
    long size = 0;
    for (size_t i = 0; i < m->n; i++)
        size += (long)basic_size(m->entry[i].basic);
    return size;
}

static long model_elements(const struct model *m)
{
    long n = 0;
    for (size_t i = 0; i < m->n; i++)
        n += m->entry[i].basic->elements;
    return n;
}

static long model_external(const struct model *m)
{
    size_t size = 0;
    for (size_t i = 0; i < m->n; i++)
        for (int k = 0; k < m->entry[i].basic->scalars; k++)
            size += m->entry[i].basic->scalar[k].external;
    return (long)size;
}

/* Of the data itself. */
static void model_span(const struct model *m, long *low, long *high)
{
    *low = *high = 0;
    for (size_t i = 0; i < m->n; i++) {
        long from = m->entry[i].at, to = from + basic_end(m->entry[i].basic);
        *low = i == 0 || from < *low ? from : *low;
        *high = i == 0 || to > *high ? to : *high;
    }
}

static void model_extent(const struct model *m, long *lower, long *extent)
{
    long align = 1;
    for (size_t i = 0; i < m->n; i++)
        align = (long)m->entry[i].basic->align > align ? (long)m->entry[i].basic->align : align;
    *lower = m->given ? m->given_lower : m->low;
    *extent = m->given ? m->given_upper - m->given_lower : m->high - m->low;
    long over = m->given ? 0 : *extent % align;
    *extent += over > 0 ? align - over : -over;
}

/* The data and the given bounds of `from` once more, `at` bytes on. Negative: the list is full, or reaches too far. */
static int model_add(struct model *m, const struct model *from, long at)
{
    long lower, extent;
    model_extent(from, &lower, &extent);
    if (m->n + from->n > MODEL_ENTRIES)
        return -1;
    if (from->n && (m->n == 0 || lower + at < m->low))
        m->low = lower + at;
    if (from->n && (m->n == 0 || lower + at + extent > m->high))
        m->high = lower + at + extent;
    for (size_t i = 0; i < from->n; i++) {
        long there = from->entry[i].at + at;
        if (labs(there) > MODEL_REACH)
            return -1;
        m->entry[m->n++] = (struct entry){there, from->entry[i].basic};
    }
    if (from->given) {
        long low = from->given_lower + at, high = from->given_upper + at;
        if (labs(low) > MODEL_REACH || labs(high) > MODEL_REACH)
            return -1;
        m->given_lower = !m->given || low < m->given_lower ? low : m->given_lower;
        m->given_upper = !m->given || high > m->given_upper ? high : m->given_upper;
        m->given = 1;
    }
    m->depth = from->depth + 1 > m->depth ? from->depth + 1 : m->depth;
    return m->depth > MODEL_DEPTH ? -1 : 0;
}

/* A block of `len`. */
static int model_block(struct model *m, const struct model *from, long len, long at)
{
    long lower, extent;
    model_extent(from, &lower, &extent);
    for (long i = 0; i < len; i++)
        if (model_add(m, from, at + i * extent))
            return -1;
    return 0;
}

static void model_bounds(struct model *m, long lower, long extent)
{
    m->given = 1;
    m->given_lower = lower;
    m->given_upper = lower + extent;
}

#endif
