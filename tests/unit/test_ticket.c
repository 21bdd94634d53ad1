/* test_ticket.c: a ticket names one request, for as long as the request holds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fake_port.h"

enum { MANY = 1000 };
static struct request many[MANY];

static struct rank *fresh(void)
{
    fake_start((struct fake_wire){0});
    for (int i = 0; i < MANY; i++)
        many[i] = (struct request){0};
    return fake_rank(0);
}

static void ticket_zero_names_nothing(void **state)
{
    (void)state;
    struct rank *r = fresh();
    assert_null(mpico_ticket_find(r, 0));
    assert_int_equal(mpico_ticket_take(r, &many[0]), 0);
    assert_null(mpico_ticket_find(r, 0));
    assert_ptr_equal(mpico_ticket_find(r, many[0].ticket), &many[0]);
}

static void ticket_table_grows_and_keeps_names(void **state)
{
    (void)state;
    struct rank *r = fresh();
    for (int i = 0; i < MANY; i++)
        assert_int_equal(mpico_ticket_take(r, &many[i]), 0);
    for (int i = 0; i < MANY; i++)
        assert_ptr_equal(mpico_ticket_find(r, many[i].ticket), &many[i]);
    for (int i = 0; i < MANY; i += 2)
        mpico_ticket_drop(r, &many[i]);
    for (int i = 1; i < MANY; i += 2)
        assert_ptr_equal(mpico_ticket_find(r, many[i].ticket), &many[i]);
    assert_int_equal(r->tickets.size, 1024);
}

static void ticket_of_an_old_generation_is_refused(void **state)
{
    (void)state;
    struct rank *r = fresh();
    mpico_ticket_take(r, &many[0]);
    uint64_t old = many[0].ticket;
    mpico_ticket_drop(r, &many[0]);
    assert_int_equal(many[0].ticket, 0);
    assert_null(mpico_ticket_find(r, old));
    mpico_ticket_take(r, &many[1]);
    assert_int_equal((uint32_t)many[1].ticket, (uint32_t)old); /* the same entry */
    assert_null(mpico_ticket_find(r, old));
    mpico_ticket_drop(r, &many[1]);
    mpico_ticket_drop(r, &many[1]); /* twice is harmless */
    assert_null(mpico_ticket_find(r, old));
}

static void ticket_generation_skips_zero(void **state)
{
    (void)state;
    struct rank *r = fresh();
    mpico_ticket_take(r, &many[0]);
    uint32_t index = (uint32_t)many[0].ticket;
    mpico_ticket_drop(r, &many[0]);
    r->tickets.table[index].generation = UINT32_MAX;
    mpico_ticket_take(r, &many[0]);
    mpico_ticket_drop(r, &many[0]);
    mpico_ticket_take(r, &many[0]);
    assert_int_equal(many[0].ticket >> 32, 1);
}

static void ticket_outside_the_table_is_refused(void **state)
{
    (void)state;
    struct rank *r = fresh();
    mpico_ticket_take(r, &many[0]);
    assert_null(mpico_ticket_find(r, (uint64_t)1 << 32 | 1u << 30));
    assert_null(mpico_ticket_find(r, UINT64_MAX));
}

static void ticket_without_memory_is_an_error(void **state)
{
    (void)state;
    struct rank *r = fresh();
    while (mpico_heap_alloc(&r->heap, 64)) {
    }
    assert_true(mpico_ticket_take(r, &many[0]) < 0);
    assert_int_equal(many[0].ticket, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticket_zero_names_nothing),
        cmocka_unit_test(ticket_table_grows_and_keeps_names),
        cmocka_unit_test(ticket_of_an_old_generation_is_refused),
        cmocka_unit_test(ticket_generation_skips_zero),
        cmocka_unit_test(ticket_outside_the_table_is_refused),
        cmocka_unit_test(ticket_without_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
