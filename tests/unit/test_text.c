/* The small formatter: each conversion, its extremes, and cutting at the end of the buffer. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void check(const char *got, size_t len, const char *wanted)
{
    assert_string_equal(got, wanted);
    assert_int_equal(len, strlen(wanted));
}

static void test_conversions(void **state)
{
    char out[200];
    (void)state;
    check(out, mpico_text_format(out, sizeof out, "plain"), "plain");
    check(out, mpico_text_format(out, sizeof out, "%s: %d of %u", "dest", -9, 4u), "dest: -9 of 4");
    check(out, mpico_text_format(out, sizeof out, "%z bytes, %x", (size_t)1 << 40, 0xdeadbeefu),
          "1099511627776 bytes, deadbeef");
    check(out, mpico_text_format(out, sizeof out, "%s", (const char *)NULL), "(null)");
    check(out, mpico_text_format(out, sizeof out, "100%%"), "100%");
    check(out, mpico_text_format(out, sizeof out, ""), "");
}

static void test_extremes(void **state)
{
    char out[100];
    (void)state;
    check(out, mpico_text_format(out, sizeof out, "%d %d", INT_MIN, INT_MAX), "-2147483648 2147483647");
    check(out, mpico_text_format(out, sizeof out, "%l %l", (long long)INT64_MIN, (long long)INT64_MAX),
          "-9223372036854775808 9223372036854775807");
    check(out, mpico_text_format(out, sizeof out, "%d %u %x %l %z", 0, 0u, 0u, 0LL, (size_t)0), "0 0 0 0 0");
    check(out, mpico_text_format(out, sizeof out, "%u %x", UINT_MAX, UINT_MAX), "4294967295 ffffffff");
}

static void test_odd_formats(void **state)
{
    char out[100];
    (void)state;
    check(out, mpico_text_format(out, sizeof out, "at the end %"), "at the end %");
    check(out, mpico_text_format(out, sizeof out, "%q?"), "q?");
}

static void test_cut(void **state)
{
    char out[8];
    (void)state;
    memset(out, 'x', sizeof out);
    check(out, mpico_text_format(out, 5, "%d", -123456), "-123");
    assert_int_equal(out[5], 'x');
    check(out, mpico_text_format(out, 1, "abc"), "");
    check(out, mpico_text_format(out, 4, "abc"), "abc");
    out[0] = 'y';
    assert_int_equal(mpico_text_format(out, 0, "abc"), 0);
    assert_int_equal(out[0], 'y');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_odd_formats),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
