/* Classes of pauses: which are alike, and the distance at which they come back. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "pauses/classes.h"

enum { MOST = 20000 };

static struct pause pauses[MOST];

static int by_time(const void *a, const void *b)
{
    double x = ((const struct pause *)a)->at_s, y = ((const struct pause *)b)->at_s;
    return (x > y) - (x < y);
}

/* Between 0 and 1; the same in every run. */
static double some(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (double)state / 4294967296.0;
}

static long add(long n, double every_s, double length_s, double seconds)
{
    for (double at = every_s / 3; at < seconds && n < MOST; at += every_s)
        pauses[n++] = (struct pause){at * (1 + 1e-6 * some()), length_s * (0.95 + 0.1 * some())};
    return n;
}

/* What OSF/1 did in the report: a timer each 10 ms, and rarer, longer ones. */
static void test_each_source_is_found(void **state)
{
    (void)state;
    struct pause_class c[CLASSES];
    const double seconds = 100;
    long n = add(add(add(add(0, 0.01, 112e-6, seconds), 1, 200e-6, seconds), 2, 350e-6, seconds), 13, 1e-3, seconds);
    qsort(pauses, (size_t)n, sizeof pauses[0], by_time);
    const double expected[][3] = {{10000, 112e-6, 0.01}, {100, 200e-6, 1}, {50, 350e-6, 2}, {8, 1e-3, 13}};
    assert_int_equal(classes_find(pauses, n, c), 4);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs((double)c[i].count - expected[i][0]) <= 1);
        assert_true(fabs(c[i].median_s / expected[i][1] - 1) < 0.05);
        assert_true(fabs(c[i].distance_s / expected[i][2] - 1) < 0.01);
        assert_true(c[i].regular > 0.99);
    }
}

static void test_random_moments_have_no_period(void **state)
{
    (void)state;
    struct pause_class c[CLASSES];
    double at = 0;
    for (int i = 0; i < 5000; i++) {
        at -= 0.01 * log(1 - some());
        pauses[i] = (struct pause){at, 100e-6};
    }
    assert_int_equal(classes_find(pauses, 5000, c), 1);
    assert_true(c[0].regular < 0.06);
}

/* Lengths on both sides of a class that was taken out are not one class with what was taken in between. */
static void test_a_pause_is_in_one_class(void **state)
{
    (void)state;
    struct pause_class c[CLASSES];
    long n = add(add(add(0, 0.01, 100e-6, 1), 0.1, 85e-6, 1), 0.1, 118e-6, 1), all = 0;
    qsort(pauses, (size_t)n, sizeof pauses[0], by_time);
    int found = classes_find(pauses, n, c);
    for (int i = 0; i < found; i++)
        all += c[i].count;
    assert_true(found >= 1 && all <= n);
}

static void test_few_make_no_class(void **state)
{
    (void)state;
    struct pause_class c[CLASSES];
    long n = add(0, 1, 1e-3, 3);
    assert_int_equal(classes_find(pauses, n, c), 0);
    assert_int_equal(classes_find(pauses, 0, c), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_source_is_found),
        cmocka_unit_test(test_random_moments_have_no_period),
        cmocka_unit_test(test_a_pause_is_in_one_class),
        cmocka_unit_test(test_few_make_no_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
