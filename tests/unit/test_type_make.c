/* Types made at random, one of others, against a list of their bytes spelled out one by one: bounds, elements, packing in pieces
 * that begin and end anywhere, copies, and memory that is all given back. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"
#include "type/external.h"
#include "type/make.h"

enum { ARENA = 1 << 20, MAP_MAX = 1 << 14, ENTRIES_MAX = 6 };

static struct heap heap;
static _Alignas(64) unsigned char arena[ARENA];

/* ---- The naive type: every basic element, where it is ---- */

struct entry {
    const struct type *basic;
    long at;
};
struct map {
    size_t count;
    struct entry entry[MAP_MAX];
    long lower, upper; /* -> extent */
    int given;
    long align;
};

static uint64_t seed;
static unsigned pick(unsigned below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % below;
}

static long extent_of(const struct map *m) { return m->upper - m->lower; }

static void map_basic(struct map *m, const struct type *t)
{
    *m = (struct map){.count = 1, .entry = {{t, 0}}, .upper = (long)t->extent, .align = t->align};
}

/* Bounds of what has been added, as the standard's text has them: of components that have any. */
struct adding {
    long lower, upper, given_lower, given_upper;
    int any, given;
};

static void map_add(struct map *m, struct adding *a, const struct map *part, long at)
{
    for (size_t i = 0; i < part->count; i++) {
        assert_true(m->count < MAP_MAX);
        m->entry[m->count++] = (struct entry){part->entry[i].basic, part->entry[i].at + at};
    }
    if (part->given) {
        long low = part->lower + at, high = part->upper + at;
        a->given_lower = !a->given || low < a->given_lower ? low : a->given_lower;
        a->given_upper = !a->given || high > a->given_upper ? high : a->given_upper;
        a->given = 1;
    }
    if (part->count) {
        long low = part->lower + at, high = part->upper + at;
        a->lower = !a->any || low < a->lower ? low : a->lower;
        a->upper = !a->any || high > a->upper ? high : a->upper;
        a->any = 1;
        m->align = part->align > m->align ? part->align : m->align;
    }
}

static void map_close(struct map *m, const struct adding *a)
{
    m->given = a->given;
    m->lower = a->given ? a->given_lower : a->lower;
    m->upper = a->given ? a->given_upper : a->upper;
    long over = m->align && !a->given ? extent_of(m) % m->align : 0;
    if (over)
        m->upper += over < 0 ? -over : m->align - over;
}

/* ---- Both at once ---- */

struct both {
    const struct type *type;
    struct map *map;
};

static void release(struct both *b)
{
    type_release(&heap, b->type);
    free(b->map);
}

static struct both random_type(unsigned depth, size_t most);

static struct both basic_type(void)
{
    static const MPI_Datatype basics[] = {
        MPI_CHAR,           MPI_SHORT,     MPI_INT,   MPI_DOUBLE,           MPI_LONG_DOUBLE, MPI_DOUBLE_INT,
        MPI_2INT,           MPI_SHORT_INT, MPI_FLOAT, MPI_C_DOUBLE_COMPLEX, MPI_INT8_T,      MPI_INTEGER2,
        MPI_LONG_DOUBLE_INT};
    struct both b = {mpico_type_of((uintptr_t)basics[pick(sizeof basics / sizeof *basics)]), malloc(sizeof *b.map)};
    map_basic(b.map, b.type);
    return b;
}

/* Takes over the reference of `old`. */
static struct both made(int e, struct own_type *o, struct map *m, struct both *old, size_t n)
{
    assert_int_equal(e, 0);
    for (size_t i = 0; i < n; i++)
        release(&old[i]);
    return (struct both){&o->type, m};
}

static struct both random_loop(struct both old)
{
    size_t count = pick(5), len = pick(4);
    long stride = pick(3) ? (long)pick(60) - 20 : (long)len * extent_of(old.map);
    struct own_type *o = NULL;
    int e = mpico_type_make_repeat(&heap, old.type, count, len, stride, &o);
    struct map *m = calloc(1, sizeof *m);
    struct adding a = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < len; k++)
            map_add(m, &a, old.map, (long)i * stride + (long)k * extent_of(old.map));
    map_close(m, &a);
    return made(e, o, m, &old, 1);
}

/* Steady steps now and then, so that loops are found. */
static struct both random_blocks(struct both *old, size_t types)
{
    int lens[ENTRIES_MAX];
    ptrdiff_t places[ENTRIES_MAX];
    size_t count = types > 1 ? types : pick(ENTRIES_MAX + 1);
    int steady = pick(3) == 0, touching = pick(4) == 0;
    for (size_t i = 0; i < count; i++) {
        lens[i] = steady && i ? lens[0] : (int)pick(4);
        places[i] = steady && i > 1 ? 2 * places[i - 1] - places[i - 2] : (ptrdiff_t)pick(90) - 30;
        if (touching && i)
            places[i] = places[i - 1] + lens[i - 1] * extent_of(old[types > 1 ? i - 1 : 0].map);
    }
    const struct type *type[ENTRIES_MAX];
    for (size_t i = 0; i < types; i++)
        type[i] = old[i].type;
    const struct blocks b = {.count = count,
                             .lens = {.at = lens, .width = sizeof *lens},
                             .places = {.at = places, .width = sizeof *places},
                             .unit = 1,
                             .types = type,
                             .one_type = types == 1};
    struct own_type *o = NULL;
    int e = mpico_type_make_blocks(&heap, &b, &o);
    struct map *m = calloc(1, sizeof *m);
    struct adding a = {0};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < lens[i]; k++) {
            const struct map *part = old[types > 1 ? i : 0].map;
            map_add(m, &a, part, places[i] + k * extent_of(part));
        }
    map_close(m, &a);
    return made(e, o, m, old, types);
}

static struct both random_bounds(struct both old)
{
    struct own_type *o = NULL;
    long lower = (long)pick(40) - 20, extent = (long)pick(80) - 20;
    int e = pick(2) ? mpico_type_make_resized(&heap, old.type, lower, extent, &o) : -1;
    struct map *m = malloc(sizeof *m);
    *m = *old.map;
    if (e) {
        e = mpico_type_make_copy(&heap, old.type, &o);
    } else {
        m->lower = lower;
        m->upper = lower + extent;
        m->given = 1;
    }
    return made(e, o, m, &old, 1);
}

static struct both random_type(unsigned depth, size_t most)
{
    if (depth == 0)
        return basic_type();
    struct both old[ENTRIES_MAX];
    switch (pick(4)) {
    case 0:
        return random_loop(random_type(depth - 1, most / 12));
    case 1:
        old[0] = random_type(depth - 1, most / 20);
        return random_blocks(old, 1);
    case 2: {
        size_t types = 2 + pick(3);
        for (size_t i = 0; i < types; i++)
            old[i] = random_type(depth > 2 ? pick(2) : pick(depth), most / 15);
        return random_blocks(old, types);
    }
    default:
        return random_bounds(random_type(depth - 1, most));
    }
}

/* ---- What must agree ---- */

enum { BUFFER = 1 << 16, ELEMENTS = 3 };
static unsigned char memory[3 * BUFFER], other[3 * BUFFER], packed[3 * BUFFER], wanted[3 * BUFFER];

/* The bytes of a basic element, which may have a gap of its own. */
static size_t basic_byte(const struct type *t, size_t i)
{
    return t->layout && i >= t->width ? t->true_extent - t->size + i : i;
}

static size_t spell_out(const struct map *m, const unsigned char *origin, unsigned char *out)
{
    size_t len = 0;
    for (long e = 0; e < ELEMENTS; e++)
        for (size_t i = 0; i < m->count; i++)
            for (size_t k = 0; k < m->entry[i].basic->size; k++)
                out[len++] = origin[e * extent_of(m) + m->entry[i].at + (long)basic_byte(m->entry[i].basic, k)];
    return len;
}

static void check_bounds(const struct both *b)
{
    const struct map *m = b->map;
    long low = 0, high = 0;
    size_t size = 0, elements = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct type *t = m->entry[i].basic;
        long from = m->entry[i].at, to = from + (long)t->true_extent;
        low = i == 0 || from < low ? from : low;
        high = i == 0 || to > high ? to : high;
        size += t->size;
        elements += t->elements;
    }
    assert_int_equal(b->type->size, size);
    assert_int_equal(b->type->elements, elements);
    assert_int_equal((long)b->type->lower, m->lower);
    assert_int_equal((long)b->type->extent, extent_of(m));
    if (!size)
        return;
    assert_int_equal((long)b->type->true_lower, low);
    assert_int_equal((long)b->type->true_extent, high - low);
}

static void check_elements(const struct both *b)
{
    const struct map *m = b->map;
    size_t bytes = 0, elements = 0, back;
    for (size_t i = 0; i < 2 * m->count; i++) {
        const struct type *t = m->entry[i % m->count].basic;
        assert_int_equal(mpico_type_elements(b->type, bytes), elements);
        assert_int_equal(mpico_type_elements_bytes(b->type, elements, &back), 0);
        assert_int_equal(back, bytes);
        size_t first = t->elements == 2 ? t->width : t->size;
        if (first > 1)
            assert_int_equal(mpico_type_elements(b->type, bytes + 1), -1);
        if (t->elements == 2)
            assert_int_equal(mpico_type_elements(b->type, bytes + first), elements + 1);
        bytes += t->size;
        elements += t->elements;
    }
}

static void check_basic(const struct both *b)
{
    const struct type *one = b->map->count ? b->map->entry[0].basic : NULL;
    for (size_t i = 0; i < b->map->count; i++)
        if (b->map->entry[i].basic != one)
            one = NULL;
    assert_ptr_equal(mpico_type_basic(b->type), one);
}

/* Blocks may overlap: then what is unpacked last stays, and only packing can be compared. */
static int overlaps(const struct map *m)
{
    static unsigned char seen[3 * BUFFER];
    memset(seen, 0, sizeof seen);
    for (long e = 0; e < ELEMENTS; e++)
        for (size_t i = 0; i < m->count; i++)
            for (size_t k = 0; k < m->entry[i].basic->size; k++)
                if (seen[BUFFER + e * extent_of(m) + m->entry[i].at + (long)basic_byte(m->entry[i].basic, k)]++)
                    return 1;
    return 0;
}

static void check_packing(const struct both *b)
{
    const struct type *t = b->type;
    unsigned char *origin = memory + BUFFER, *copy = other + BUFFER;
    size_t len = spell_out(b->map, origin, wanted);
    assert_int_equal(len, ELEMENTS * t->size);
    for (int round = 0; round < 4 && len; round++) {
        size_t step = round == 0 ? len : 1 + pick((unsigned)(round == 1 ? 9 : len));
        memset(packed, 0, len);
        for (size_t at = 0; at < len; at += step)
            mpico_type_pack(t, origin, at, packed + at, len - at < step ? len - at : step);
        assert_memory_equal(packed, wanted, len);
        if (overlaps(b->map))
            continue;
        memset(other, 0, sizeof other);
        for (size_t at = 0; at < len; at += step)
            mpico_type_unpack(t, copy, at, wanted + at, len - at < step ? len - at : step);
        assert_int_equal(spell_out(b->map, copy, packed), len);
        assert_memory_equal(packed, wanted, len);
        if (t->contiguous)
            continue;
        static unsigned char unpacked[3 * BUFFER];
        memcpy(unpacked, other, sizeof other);
        memset(other, 0, sizeof other);
        mpico_type_copy(t, origin, copy, ELEMENTS);
        assert_memory_equal(other, unpacked, sizeof other); /* also: nothing beside the data is touched */
    }
}

/* There and back; the sizes are the standard's. */
static void check_external(const struct both *b)
{
    size_t size = mpico_external_size(b->type), back = b->type->size;
    if (overlaps(b->map) || back == 0)
        return;
    assert_true(size > 0 && ELEMENTS * size < sizeof packed);
    unsigned char *origin = memory + BUFFER, *copy = other + BUFFER;
    packed[ELEMENTS * size] = 0x5a;
    mpico_external_pack(b->type, origin, ELEMENTS, packed);
    assert_int_equal(packed[ELEMENTS * size], 0x5a);
    memset(other, 0, sizeof other);
    mpico_external_unpack(b->type, copy, ELEMENTS, packed);
    size_t len = spell_out(b->map, origin, wanted), same = 0;
    assert_int_equal(spell_out(b->map, copy, packed), len);
    for (size_t i = 0; i < len; i++)
        same += packed[i] == wanted[i];
    int has_long_double = 0; /* what is no number of that format, or in its padding, does not come back */
    for (size_t i = 0; i < b->map->count; i++)
        has_long_double |= b->map->entry[i].basic->size >= sizeof(long double);
    if (!has_long_double)
        assert_int_equal(same, len);
}

static void random_types_agree(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (unsigned char)(i * 7 + (i >> 8) + 1);
    for (seed = 1; seed < 4000;) {
        uint64_t next = seed + 1;
        struct both b = random_type(pick(5), MAP_MAX / 2);
        check_bounds(&b);
        check_basic(&b);
        long reach = 3 * (labs(extent_of(b.map)) + labs((long)b.type->true_lower) + (long)b.type->true_extent);
        if (reach < BUFFER && 2 * ELEMENTS * b.type->size < sizeof packed) {
            check_elements(&b);
            check_packing(&b);
            check_external(&b);
        }
        release(&b);
        assert_int_equal(heap.used, 0);
        seed = next;
    }
}

/* ---- Layouts ---- */

static const struct type *of(MPI_Datatype h) { return mpico_type_of((uintptr_t)h); }

static void a_vector_of_many_is_one_loop(void **unused)
{
    (void)unused;
    struct own_type *o = NULL, *rows = NULL;
    assert_int_equal(mpico_type_make_repeat(&heap, of(MPI_DOUBLE), 1000000, 2, 48, &o), 0);
    assert_true(heap.used <= 512);
    assert_int_equal(o->type.layout->kind, LAYOUT_REPEAT);
    assert_null(o->type.layout->child);
    assert_int_equal(o->type.layout->len, 16);
    assert_int_equal(o->type.layout->count, 1000000);
    /* A loop that goes on with the same step is no loop in a loop. */
    assert_int_equal(mpico_type_make_repeat(&heap, &o->type, 3, 1, 48000000, &rows), 0);
    assert_null(rows->type.layout->child);
    assert_int_equal(rows->type.layout->count, 3000000);
    mpico_type_release_own(&heap, &o->type);
    mpico_type_release_own(&heap, &rows->type);
    assert_int_equal(heap.used, 0);
}

static void neighbours_become_one_block(void **unused)
{
    (void)unused;
    const int lens[] = {2, 0, 1, 3}, places[] = {5, 100, 7, 8};
    const struct type *t = of(MPI_INT);
    const struct blocks b = {.count = 4,
                             .lens = {.at = lens, .width = sizeof *lens},
                             .places = {.at = places, .width = sizeof *places},
                             .unit = 4,
                             .types = &t,
                             .one_type = 1};
    struct own_type *o = NULL;
    assert_int_equal(mpico_type_make_blocks(&heap, &b, &o), 0);
    assert_null(o->type.layout);
    assert_int_equal(o->type.true_lower, 20);
    assert_int_equal(o->type.size, 24);
    assert_int_equal(o->type.contiguous, 0); /* it begins behind its address */
    mpico_type_release_own(&heap, &o->type);
}

static void equal_steps_become_a_loop(void **unused)
{
    (void)unused;
    static int places[1000];
    for (int i = 0; i < 1000; i++)
        places[i] = 7 - 3 * i;
    const struct type *t = of(MPI_FLOAT);
    const struct blocks b = {.count = 1000,
                             .lens = {.same = 1},
                             .places = {.at = places, .width = sizeof *places},
                             .unit = 4,
                             .types = &t,
                             .one_type = 1};
    struct own_type *o = NULL;
    assert_int_equal(mpico_type_make_blocks(&heap, &b, &o), 0);
    assert_true(SMALL || heap.used <= 512);
    assert_int_equal(o->type.layout->kind, SMALL ? LAYOUT_BLOCKS : LAYOUT_REPEAT); /* small builds do not look for it */
    assert_true(SMALL || o->type.layout->stride == -12);
    mpico_type_release_own(&heap, &o->type);
}

static void bounds_stick(void **unused)
{
    (void)unused;
    struct own_type *wide = NULL, *pair = NULL, *marked = NULL;
    assert_int_equal(mpico_type_make_resized(&heap, of(MPI_INT), -4, 20, &wide), 0);
    const struct type *types[] = {&wide->type, of(MPI_DOUBLE)};
    const ptrdiff_t places[] = {0, 64};
    struct blocks b = {
        .count = 2, .lens = {.same = 1}, .places = {.at = places, .width = sizeof *places}, .unit = 1, .types = types};
    assert_int_equal(mpico_type_make_blocks(&heap, &b, &pair), 0);
    assert_int_equal((ptrdiff_t)pair->type.lower, -4); /* the double beyond does not count */
    assert_int_equal(pair->type.extent, 20);
    assert_int_equal(pair->type.true_extent, 72);
    /* MPI 1: a lower bound alone. */
    const struct type *old[] = {&mpico_type_lower_marker, of(MPI_DOUBLE)};
    const ptrdiff_t old_places[] = {-3, 8};
    b.types = old;
    b.places.at = old_places;
    assert_int_equal(mpico_type_make_blocks(&heap, &b, &marked), 0);
    assert_int_equal((ptrdiff_t)marked->type.lower, -3);
    assert_int_equal(marked->type.extent, 24); /* 19, and what a compiler would pad */
    assert_int_equal(marked->type.size, 8);
    mpico_type_release_own(&heap, &wide->type);
    mpico_type_release_own(&heap, &pair->type);
    mpico_type_release_own(&heap, &marked->type);
    assert_int_equal(heap.used, 0);
}

static void too_much_is_refused(void **unused)
{
    (void)unused;
    struct own_type *o = NULL;
    const struct type *d = of(MPI_DOUBLE);
    assert_int_equal(mpico_type_make_repeat(&heap, d, SIZE_MAX / 2, 4, 8, &o), TYPE_OVERFLOWS);
    assert_int_equal(mpico_type_make_repeat(&heap, d, 1, SIZE_MAX / 8, 8, &o), TYPE_OVERFLOWS);
    assert_int_equal(mpico_type_make_repeat(&heap, d, 3, 1, PTRDIFF_MAX / 2 + 1, &o), TYPE_OVERFLOWS);
    assert_int_equal(mpico_type_make_repeat(&heap, d, 3, 1, PTRDIFF_MIN / 2, &o), TYPE_OVERFLOWS);
    assert_int_equal(mpico_type_make_resized(&heap, d, PTRDIFF_MAX, 1, &o), TYPE_OVERFLOWS);
    const ptrdiff_t places[] = {PTRDIFF_MIN + 4, PTRDIFF_MAX - 20};
    const struct blocks b = {.count = 2,
                             .lens = {.same = 1},
                             .places = {.at = places, .width = sizeof *places},
                             .unit = 1,
                             .types = &d,
                             .one_type = 1};
    assert_int_equal(mpico_type_make_blocks(&heap, &b, &o), TYPE_OVERFLOWS);
    assert_int_equal(heap.used, 0);
}

static void no_memory_is_said(void **unused)
{
    (void)unused;
    void *pieces[4096];
    size_t n = 0;
    struct own_type *o = NULL;
    while (n < 4096 && (pieces[n] = mpico_heap_alloc(&heap, ARENA >> (n < 8 ? n : 12))))
        n++;
    while (n < 4096 && (pieces[n] = mpico_heap_alloc(&heap, 1)))
        n++;
    if (!mpico_heap_alloc(&heap, 1))
        assert_int_equal(mpico_type_make_repeat(&heap, of(MPI_INT), 2, 1, 8, &o), TYPE_NO_MEMORY);
    mpico_heap_init(&heap, arena, sizeof arena);
}

/* A type lives as long as another is made of it, however long the chain. */
static void a_long_chain_ends(void **unused)
{
    (void)unused;
    struct own_type *o = NULL, *next = NULL;
    assert_int_equal(mpico_type_make_repeat(&heap, of(MPI_INT), 2, 1, 8, &o), 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(mpico_type_make_copy(&heap, &o->type, &next), 0);
        mpico_type_release_own(&heap, &o->type);
        o = next;
    }
    assert_int_equal(o->type.size, 8);
    mpico_type_release_own(&heap, &o->type);
    assert_int_equal(heap.used, 0);
}

/* ---- external32, byte by byte ---- */

static void external_is_big_endian(void **unused)
{
    (void)unused;
    unsigned char out[32];
    const int i = -2;
    const long l = -3;
    const double d = 1.0;
    const long double x = -2.5L;
    long back = 0;
    long double x_back = 0;
    mpico_external_pack(of(MPI_INT), &i, 1, out);
    assert_memory_equal(out, "\xff\xff\xff\xfe", 4);
    assert_int_equal(mpico_external_size(of(MPI_LONG)), 4);
    mpico_external_pack(of(MPI_LONG), &l, 1, out);
    assert_memory_equal(out, "\xff\xff\xff\xfd", 4);
    mpico_external_unpack(of(MPI_LONG), &back, 1, out);
    assert_int_equal(back, -3);
    mpico_external_pack(of(MPI_DOUBLE), &d, 1, out);
    assert_memory_equal(out, "\x3f\xf0\0\0\0\0\0\0", 8);
    assert_int_equal(mpico_external_size(of(MPI_LONG_DOUBLE)), 16);
    mpico_external_pack(of(MPI_LONG_DOUBLE), &x, 1, out);
    assert_memory_equal(out, "\xc0\x00\x40\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    mpico_external_unpack(of(MPI_LONG_DOUBLE), &x_back, 1, out);
    assert_true(x_back == x);
    assert_int_equal(mpico_external_size(of(MPI_WCHAR)), 2);
    assert_int_equal(mpico_external_size(of(MPI_DOUBLE_INT)), 12);
    assert_int_equal(mpico_external_size(of(MPI_C_LONG_DOUBLE_COMPLEX)), 32);
    assert_int_equal(mpico_external_size(of(MPI_2DOUBLE_PRECISION)), 16);
}

static int start(void **unused)
{
    (void)unused;
    mpico_heap_init(&heap, arena, sizeof arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_types_agree),
        cmocka_unit_test(a_vector_of_many_is_one_loop),
        cmocka_unit_test(neighbours_become_one_block),
        cmocka_unit_test(equal_steps_become_a_loop),
        cmocka_unit_test(bounds_stick),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(no_memory_is_said),
        cmocka_unit_test(a_long_chain_ends),
        cmocka_unit_test(external_is_big_endian),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
