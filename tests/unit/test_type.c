/* The predefined datatypes, and packing in pieces of every length. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include "mpi.h"
#include "type/layout.h"
#include "type/type.h"

static const struct named {
    MPI_Datatype type;
    const char *name;
    size_t size, extent;
} named[] = {
#define N(t, size)                                                                                                     \
    {                                                                                                                  \
        MPI_##t, "MPI_" #t, size, size                                                                                 \
    }
    N(AINT, sizeof(MPI_Aint)),
    N(COUNT, 8),
    N(OFFSET, 8),
    N(PACKED, 1),
    N(SHORT, sizeof(short)),
    N(INT, sizeof(int)),
    N(LONG, sizeof(long)),
    N(LONG_LONG_INT, 8),
    N(UNSIGNED_SHORT, 2),
    N(UNSIGNED, sizeof(unsigned)),
    N(UNSIGNED_LONG, sizeof(long)),
    N(UNSIGNED_LONG_LONG, 8),
    N(FLOAT, 4),
    N(C_COMPLEX, sizeof(float _Complex)),
    N(CXX_FLOAT_COMPLEX, 8),
    N(DOUBLE, 8),
    N(C_DOUBLE_COMPLEX, 16),
    N(CXX_DOUBLE_COMPLEX, 16),
    N(LONG_DOUBLE, sizeof(long double)),
    N(C_LONG_DOUBLE_COMPLEX, sizeof(long double _Complex)),
    N(CXX_LONG_DOUBLE_COMPLEX, sizeof(long double _Complex)),
    N(C_BOOL, sizeof(bool)),
    N(CXX_BOOL, sizeof(bool)),
    N(WCHAR, sizeof(wchar_t)),
    N(CHAR, 1),
    N(SIGNED_CHAR, 1),
    N(UNSIGNED_CHAR, 1),
    N(BYTE, 1),
    N(INT8_T, 1),
    N(UINT8_T, 1),
    N(INT16_T, 2),
    N(UINT16_T, 2),
    N(INT32_T, 4),
    N(UINT32_T, 4),
    N(INT64_T, 8),
    N(UINT64_T, 8),
    N(2INT, 8),
    N(FLOAT_INT, 8),
    N(2REAL, 8),
    N(2DOUBLE_PRECISION, 16),
    N(2INTEGER, 8),
    N(LOGICAL, 4),
    N(INTEGER, 4),
    N(REAL, 4),
    N(COMPLEX, 8),
    N(DOUBLE_PRECISION, 8),
    N(DOUBLE_COMPLEX, 16),
    N(CHARACTER, 1),
    N(LOGICAL1, 1),
    N(LOGICAL2, 2),
    N(LOGICAL4, 4),
    N(LOGICAL8, 8),
    N(LOGICAL16, 16),
    N(INTEGER1, 1),
    N(INTEGER2, 2),
    N(INTEGER4, 4),
    N(INTEGER8, 8),
    N(INTEGER16, 16),
    N(REAL2, 2),
    N(REAL4, 4),
    N(REAL8, 8),
    N(REAL16, 16),
    N(COMPLEX4, 4),
    N(COMPLEX8, 8),
    N(COMPLEX16, 16),
    N(COMPLEX32, 32),
    {MPI_DOUBLE_INT, "MPI_DOUBLE_INT", 12, sizeof(struct {
         double v;
         int i;
     })},
    {MPI_LONG_INT, "MPI_LONG_INT", sizeof(long) + 4, sizeof(struct {
         long v;
         int i;
     })},
    {MPI_SHORT_INT, "MPI_SHORT_INT", 6, 8},
    {MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", sizeof(long double) + 4, sizeof(struct {
         long double v;
         int i;
     })},
};
enum { NAMED = sizeof named / sizeof *named };

static void every_handle_names_its_type(void **unused)
{
    (void)unused;
    for (int i = 0; i < NAMED; i++) {
        const struct type *t = mpico_type_of((uintptr_t)named[i].type);
        assert_non_null(t);
        assert_string_equal(t->name, named[i].name);
        assert_int_equal(t->handle, (uintptr_t)named[i].type);
        assert_int_equal(t->size, named[i].size);
        assert_int_equal(t->extent, named[i].extent);
        assert_int_equal(t->contiguous, t->size == t->extent);
        assert_int_equal(t->lower, 0);
        assert_int_equal(t->true_lower, 0);
        assert_true(t->true_extent >= t->size && t->true_extent <= t->extent);
        assert_int_equal(t->layout == NULL, t->contiguous);
        assert_int_equal(t->layout ? t->layout->size : t->size, t->size);
        assert_true(t->extent % t->align == 0 && (t->align & (t->align - 1)) == 0);
    }
}

static void no_other_handle_is_a_type(void **unused)
{
    (void)unused;
    int found = 0;
    for (uintptr_t h = 0; h < 0x1000; h++)
        found += mpico_type_of(h) != NULL;
    assert_int_equal(found, NAMED);
    static struct type mine;
    assert_null(mpico_type_of((uintptr_t)&mine));
    assert_null(mpico_type_of((uintptr_t)&mine + 1));
    mine.magic = TYPE_MAGIC;
    assert_ptr_equal(mpico_type_of((uintptr_t)&mine), &mine);
}

/* Where byte `i` of one element's packed form is. */
static size_t place_of(const struct type *t, size_t i)
{
    const struct block *b = t->layout ? t->layout->block : NULL;
    while (b && i >= b[1].start)
        b++;
    return b ? (size_t)b->offset + i - b->start : t->true_lower + i;
}

/* Packs `count` elements in pieces of `step` bytes and compares with the bytes one by one. */
static void check_steps(const struct type *t, size_t count, size_t step)
{
    unsigned char from[800], back[800], copy[800], packed[800], wanted[800];
    size_t len = count * t->size, span = count * t->extent;
    for (size_t i = 0; i < span; i++)
        from[i] = (unsigned char)(i * 7 + 1);
    for (size_t i = 0; i < len; i++)
        wanted[i] = from[i / t->size * t->extent + place_of(t, i % t->size)];
    memset(back, 0, span);
    memset(copy, 0, span);
    for (size_t at = 0; at < len; at += step) {
        size_t n = len - at < step ? len - at : step;
        mpico_type_pack(t, from, at, packed + at, n);
        mpico_type_unpack(t, back, at, packed + at, n);
    }
    assert_memory_equal(packed, wanted, len);
    mpico_type_copy(t, from, copy, count);
    if (!t->contiguous) /* both with zeros in the gaps */
        assert_memory_equal(copy, back, span);
    mpico_type_pack(t, back, 0, packed, len);
    assert_memory_equal(packed, wanted, len);
}

static void packs_in_any_pieces(void **unused)
{
    (void)unused;
    static const struct block blocks[4] = {{2, 0}, {9, 3}, {6, 4}, {0, 6}};
    static const struct layout layout = {.kind = LAYOUT_BLOCKS, .size = 6, .count = 3, .block = blocks};
    const struct type odd = {.size = 6, .extent = 11, .layout = &layout};
    for (size_t step = 1; step < 70; step++) {
        check_steps(&odd, 11, step);
        for (int i = 0; i < NAMED; i++)
            check_steps(mpico_type_of((uintptr_t)named[i].type), 5, step);
    }
}

static void nothing_and_too_much(void **unused)
{
    (void)unused;
    const struct type empty = {.contiguous = 0};
    mpico_type_pack(&empty, NULL, 0, NULL, 0);
    mpico_type_copy(&empty, NULL, NULL, 1000);
    size_t bytes = 5;
    const struct type *d = mpico_type_of((uintptr_t)MPI_DOUBLE);
    assert_int_equal(mpico_type_bytes(d, 0, &bytes), 0);
    assert_int_equal(bytes, 0);
    assert_int_equal(mpico_type_bytes(d, SIZE_MAX / 8, &bytes), -1);
    assert_int_equal(mpico_type_bytes(d, SIZE_MAX / 8 + 1, &bytes), -1);
    assert_int_equal(mpico_type_bytes(d, INT64_MAX / 8, &bytes), 0);
    assert_int_equal(bytes, INT64_MAX / 8 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_handle_names_its_type),
        cmocka_unit_test(no_other_handle_is_a_type),
        cmocka_unit_test(packs_in_any_pieces),
        cmocka_unit_test(nothing_and_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
