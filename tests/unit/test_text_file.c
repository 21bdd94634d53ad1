/* Files that a person wrote, read whole. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text_file.h"

enum { MOST = 100000 };

static char path[64], why[512];

static void write_file(const char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void refused(const char *with)
{
    assert_null(text_load(path, MOST, "pattern", why, sizeof why));
    assert_non_null(strstr(why, path));
    assert_non_null(strstr(why, with));
}

static void test_a_text_of_any_length_below_the_most_comes_whole(void **state)
{
    (void)state;
    static char bytes[MOST];
    memset(bytes, 'a', sizeof bytes);
    static const size_t lengths[] = {0, 1, 4094, 4095, 4096, 8191, 8192, MOST - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        write_file(bytes, lengths[i]);
        char *text = text_load(path, MOST, "pattern", why, sizeof why);
        assert_non_null(text);
        assert_int_equal(strlen(text), lengths[i]);
        free(text);
    }
    write_file(bytes, MOST);
    refused("longer than 99999 bytes, which no pattern is");
}

static void test_what_is_no_text_is_refused(void **state)
{
    (void)state;
    write_file("0: \0E", 5);
    refused("this is no text; name a pattern");
    assert_int_equal(unlink(path), 0);
    refused("cannot be read (No such file or directory)");
    assert_int_equal(mkdir(path, 0700), 0);
    refused("cannot be read (Is a directory)");
    assert_int_equal(rmdir(path), 0);
}

static int name_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/text-file-%ld", (long)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_of_any_length_below_the_most_comes_whole),
        cmocka_unit_test(test_what_is_no_text_is_refused),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
