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

/* At most one free piece an order, of falling size, as after init. */
static void check_whole(const struct heap *h)
{
    assert_int_equal(h->used, 0);
    for (unsigned k = 0; k < HEAP_ORDERS; k++)
        assert_int_equal(h->free[k] != NULL, h->blocks >> k & 1);
    assert_int_equal(free_blocks(h), h->blocks);
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
            assert_int_equal(free_blocks(&h) * HEAP_BLOCK + h.used, h.blocks * HEAP_BLOCK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_overlaps),
        cmocka_unit_test(runs_out_and_recovers),
        cmocka_unit_test(small_and_absurd_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
