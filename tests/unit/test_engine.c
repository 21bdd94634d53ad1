/* test_engine.c: the queue of events against a list that is searched from end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine.h"

enum { EVENTS = 300, STEPS = 200000 };

/* The reference keeps for each event when it is due, and the number of the call that said so; 0: not queued. */
struct thing {
    struct event event;
    sim_time due;
    uint64_t call;
};
static struct thing thing[EVENTS];
static struct thing *ran;

static uint32_t seed;
static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

static void note_run(struct engine *e, struct event *ev)
{
    (void)e;
    assert_int_equal(ev->place, 0);
    ran = (struct thing *)ev;
}

static struct thing *reference_next(void)
{
    struct thing *best = NULL;
    for (int i = 0; i < EVENTS; i++) {
        struct thing *t = &thing[i];
        if (t->call && (!best || t->due < best->due || (t->due == best->due && t->call < best->call)))
            best = t;
    }
    return best;
}

static void step_both(struct engine *e)
{
    struct thing *expected = reference_next();
    assert_true(engine_next(e) == (expected ? expected->due : SIM_NEVER));
    ran = NULL;
    assert_int_equal(engine_step(e), expected != NULL);
    assert_ptr_equal(ran, expected);
    if (!expected)
        return;
    assert_true(e->now == expected->due);
    expected->call = 0;
}

static void agrees_with_a_list(void **unused)
{
    (void)unused;
    struct engine e;
    uint64_t calls = 0, run = 0;
    engine_init(&e);
    memset(thing, 0, sizeof thing);
    seed = 1;
    for (int step = 0; step < STEPS; step++) {
        struct thing *t = &thing[random_below(EVENTS)];
        uint32_t what = random_below(step / 20000 % 2 ? 12 : 7); /* sometimes fuller, sometimes emptier */
        if (what < 3 || what > 6) {
            t->event.run = note_run;
            t->due = e.now + random_below(50); /* many of the same instant */
            t->call = ++calls;
            engine_schedule(&e, &t->event, t->due);
        } else if (what == 3) {
            engine_cancel(&e, &t->event);
            t->call = 0;
        } else {
            run += e.count > 0;
            step_both(&e);
        }
    }
    while (e.count) {
        run++;
        step_both(&e);
    }
    step_both(&e);
    assert_true(e.events == run && run > STEPS / 10);
    engine_fini(&e);
}

static void same_instant_in_order_of_scheduling(void **unused)
{
    (void)unused;
    struct engine e;
    engine_init(&e);
    memset(thing, 0, sizeof thing);
    for (int i = 0; i < EVENTS; i++) {
        thing[i].event.run = note_run;
        engine_schedule(&e, &thing[i].event, 7);
    }
    engine_schedule(&e, &thing[0].event, 7); /* moves behind the others */
    for (int i = 1; i <= EVENTS; i++) {
        assert_int_equal(engine_step(&e), 1);
        assert_ptr_equal(ran, &thing[i % EVENTS]);
    }
    assert_int_equal(engine_step(&e), 0);
    engine_fini(&e);
}

struct clockwork {
    struct event event;
    int left;
};

static void tick_and_go(struct engine *e, struct event *ev)
{
    struct clockwork *c = (struct clockwork *)ev;
    if (--c->left)
        engine_schedule(e, ev, e->now + 3);
    else
        free(c);
}

static void may_schedule_itself_or_be_freed(void **unused)
{
    (void)unused;
    struct engine e;
    engine_init(&e);
    struct clockwork *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->event.run = tick_and_go;
    c->left = 5;
    engine_schedule(&e, &c->event, 0);
    while (engine_step(&e))
        ;
    assert_true(e.now == 12);
    assert_true(e.events == 5);
    engine_fini(&e);
}

static void forgotten_events_can_be_used_again(void **unused)
{
    (void)unused;
    struct engine e;
    engine_init(&e);
    memset(thing, 0, sizeof thing);
    thing[0].event.run = note_run;
    engine_schedule(&e, &thing[0].event, 5);
    engine_fini(&e);
    engine_init(&e);
    assert_true(engine_next(&e) == SIM_NEVER);
    engine_cancel(&e, &thing[0].event);
    engine_schedule(&e, &thing[0].event, 9);
    assert_true(engine_next(&e) == 9);
    assert_int_equal(engine_step(&e), 1);
    engine_fini(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_list),
        cmocka_unit_test(same_instant_in_order_of_scheduling),
        cmocka_unit_test(may_schedule_itself_or_be_freed),
        cmocka_unit_test(forgotten_events_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
