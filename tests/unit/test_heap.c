/* The buddy allocator: pieces never overlap, come back together, and run out politely. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

enum { LIVE = 300, ROUNDS = 60000 };

struct live {
    unsigned char *p;
    size_t len;
    unsigned char fill;
};

static uint64_t state = 88172645463325252u;
static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void check_intact(const struct live *l)
{
    for (size_t i = 0; i < l->len; i++)
        assert_int_equal(l->p[i], l->fill);
}

/* Blocks in all free lists, each list walked both ways. */
static size_t free_blocks(const struct heap *h)
{
    struct node {
        struct node *next, *prev;
    };
    size_t sum = 0;
    for (unsigned k = 0; k < HEAP_ORDERS; k++) {
        const struct node *before = NULL;
        for (const struct node *n = h->free[k]; n; before = n, n = n->next) {
            assert_ptr_equal(n->prev, before);
            sum += (size_t)1 << k;
        }
    }
    return sum;
}

/* At most one free piece an order, of falling size: all that was ever in use has come together. */
static void check_whole(const struct heap *h)
{
    assert_int_equal(h->used, 0);
    for (unsigned k = 0; k < HEAP_ORDERS; k++)
        assert_int_equal(h->free[k] != NULL, h->fresh >> k & 1);
    assert_true(h->fresh <= h->blocks);
    assert_int_equal(free_blocks(h), h->fresh);
}

static void never_overlaps(void **unused)
{
    (void)unused;
    size_t bytes = 1000003;
    unsigned char *arena = malloc(bytes + 64);
    memset(arena, 0xa5, bytes + 64); /* the heap must not rely on zeroed memory */
    struct heap h;
    mpico_heap_init(&h, arena + 5, bytes);
    static struct live live[LIVE];
    for (int i = 0; i < ROUNDS; i++) {
        struct live *l = &live[draw() % LIVE];
        if (l->p) {
            check_intact(l);
            mpico_heap_free(&h, l->p);
            l->p = NULL;
            continue;
        }
        size_t len = (size_t)(draw() % (draw() % 8 ? 700 : 20000));
        unsigned char *p = mpico_heap_alloc(&h, len);
        if (!p)
            continue;
        assert_int_equal((uintptr_t)p % HEAP_BLOCK, 0);
        assert_true(p >= h.base && p + len <= arena + 5 + bytes);
        *l = (struct live){p, len, (unsigned char)draw()};
        memset(p, l->fill, len);
        if (i % 1000 == 0)
            assert_int_equal(free_blocks(&h) * HEAP_BLOCK + h.used, h.fresh * HEAP_BLOCK);
    }
    for (int i = 0; i < LIVE; i++) {
        if (live[i].p) {
            check_intact(&live[i]);
            mpico_heap_free(&h, live[i].p);
        }
    }
    check_whole(&h);
    for (size_t i = bytes + 5; i < bytes + 64; i++)
        assert_int_equal(arena[i], 0xa5);
    free(arena);
}

static void runs_out_and_recovers(void **unused)
{
    (void)unused;
    static _Alignas(64) unsigned char arena[65 * 37 + 63];
    struct heap h;
    mpico_heap_init(&h, arena, sizeof arena);
    assert_int_equal(h.blocks, 37);
    void *p[37];
    for (int i = 0; i < 37; i++)
        assert_non_null(p[i] = mpico_heap_alloc(&h, (size_t)i % 65));
    assert_null(mpico_heap_alloc(&h, 1));
    assert_int_equal(h.used, 37 * 64);
    for (int i = 0; i < 37; i++)
        mpico_heap_free(&h, p[i * 10 % 37]);
    check_whole(&h);
    assert_int_equal(h.high, 37 * 64);
    assert_null(mpico_heap_alloc(&h, 33 * 64));
    assert_non_null(mpico_heap_alloc(&h, 32 * 64));
}

static void small_and_absurd_sizes(void **unused)
{
    (void)unused;
    unsigned char arena[200];
    struct heap h;
    for (size_t bytes = 0; bytes < sizeof arena; bytes++) {
        mpico_heap_init(&h, arena, bytes);
        unsigned char *p = mpico_heap_alloc(&h, 0);
        assert_true(!p || p + HEAP_BLOCK <= arena + bytes);
        assert_null(mpico_heap_alloc(&h, SIZE_MAX));
        assert_null(mpico_heap_alloc(&h, SIZE_MAX / 2));
        mpico_heap_free(&h, p);
        mpico_heap_free(&h, NULL);
        check_whole(&h);
    }
}

/* Many ranks with large arenas live in one process: what a rank does not use must not take memory. */
static void touches_what_it_hands_out(void **unused)
{
    (void)unused;
    enum { PAGE = 4096, PAGES = 4096 };
    unsigned char *arena = aligned_alloc(PAGE, (size_t)PAGE * PAGES);
    memset(arena, 0xa5, (size_t)PAGE * PAGES);
    struct heap h;
    mpico_heap_init(&h, arena, (size_t)PAGE * PAGES);
    void *kept = mpico_heap_alloc(&h, 1000);
    for (int i = 0; i < 100; i++)
        mpico_heap_free(&h, mpico_heap_alloc(&h, 2000));
    mpico_heap_free(&h, kept);
    int touched = 0;
    for (size_t page = 0; page < PAGES; page++) {
        size_t i = 0;
        while (i < PAGE && arena[page * PAGE + i] == 0xa5)
            i++;
        touched += i < PAGE;
    }
    assert_in_range(touched, 1, 3);
    free(arena);
}

/* The whole arena is one piece again, whatever was taken from it before. */
static void a_piece_of_all(void **unused)
{
    (void)unused;
    enum { BLOCKS = 64 };
    static _Alignas(64) unsigned char arena[BLOCKS * (HEAP_BLOCK + 1)];
    for (size_t first = 0; first < 40; first++) {
        struct heap h;
        mpico_heap_init(&h, arena, sizeof arena);
        assert_int_equal(h.blocks, BLOCKS);
        void *a = mpico_heap_alloc(&h, first * HEAP_BLOCK), *b = mpico_heap_alloc(&h, HEAP_BLOCK);
        mpico_heap_free(&h, a);
        mpico_heap_free(&h, b);
        assert_non_null(mpico_heap_alloc(&h, (size_t)BLOCKS * HEAP_BLOCK));
        assert_null(mpico_heap_alloc(&h, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_overlaps),         cmocka_unit_test(runs_out_and_recovers),
        cmocka_unit_test(small_and_absurd_sizes), cmocka_unit_test(touches_what_it_hands_out),
        cmocka_unit_test(a_piece_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
