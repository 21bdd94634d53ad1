/* test_model_file.c: mpiexec reads parameter files, and says what is wrong with one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../ports/process/mpiexec/model.h"
#include "model/model.h"

static const char machine[] =
    "format = 1\nkind = \"loggp\"\n\n[loggp] # of two\nprocessors = 2\ng_us = 0.5\nstep_us = 0.01\n"
    "switch_us = 1.5\nhop_us = 0.0\ncopy_us_per_byte = 1e-4\ncombine_us_per_byte = 2e-4\n";
static const char first[] =
    "[[loggp.segment]]\nfrom_bytes = 0\nrendezvous = false\nL_us = 0.1\no_s_us = 0.2\n"
    "o_s_us_per_byte = 0.0\no_r_us = 0.3\no_r_us_per_byte = 0.0\nG_us_per_byte = 0.001\ncopiers = 2\n";
static const char second[] =
    "[[loggp.segment]]\nfrom_bytes = 8192\nrendezvous = true\nL_us = 1\no_s_us = 0.2\n"
    "o_s_us_per_byte = 0.0\no_r_us = 0.3\no_r_us_per_byte = 0.0\nG_us_per_byte = 0.001\ncopiers = 2\n";
static const char interval[] = "[interval.loggp]\ng_us = [0.4, 0.6]\n";

static char numbers[1024], why[512];

/* Read a file of these texts, one behind the other. */
static int read_texts(int processors, const char *a, const char *b, const char *c, const char *d)
{
    char path[] = "/tmp/mpico-model-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    fprintf(out, "%s%s%s%s", a, b, c, d);
    fclose(out);
    why[0] = 0;
    int e = model_read(path, processors, numbers, sizeof numbers, why, sizeof why);
    unlink(path);
    return e;
}

static void a_whole_file(void **state)
{
    (void)state;
    struct model m;
    assert_int_equal(read_texts(0, machine, first, second, interval), 0);
    assert_string_equal(why, "");
    assert_int_equal(mpico_model_read(&m, numbers), 0);
    assert_int_equal(m.processors, 2);
    assert_int_equal(m.gap, 500000000);
    assert_int_equal(m.copy_byte, 100000);
    assert_int_equal(m.segments, 2);
    assert_int_equal(m.segment[1].from, 8192);
    assert_int_equal(m.segment[1].rendezvous, 1);
    assert_int_equal(m.segment[0].recv, 300000000);
    assert_int_equal(m.segment[0].way_byte, 1000000);
}

static void the_place_knows_its_processors(void **state)
{
    (void)state;
    struct model m;
    assert_int_equal(read_texts(16, machine, first, "", ""), 0);
    assert_int_equal(mpico_model_read(&m, numbers), 0);
    assert_int_equal(m.processors, 16);
}

static void refused(const char *sentence, const char *a, const char *b, const char *c)
{
    assert_int_equal(read_texts(0, a, b, c, ""), -1);
    if (!strstr(why, sentence))
        fail_msg("'%s' is not in '%s'", sentence, why);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    refused("no [[loggp.segment]]", machine, "", "");
    refused("[loggp] has no processors", first, "", "");
    refused("[[loggp.segment]] has no rendezvous", machine, "[[loggp.segment]]\nfrom_bytes = 0\n", "");
    refused("begin at 0 and grow", machine, second, first);
    refused("the model has no 'latency'", machine, "latency = 3\n", first);
    refused("not negative, not '-1'", machine, "g_us = -1\n", first);
    refused("not negative, not 'nan'", machine, "g_us = nan\n", first);
    refused("not negative, not 'inf'", machine, "g_us = inf\n", first);
    refused("not negative, not '1 2'", machine, "g_us = 1 2\n", first);
    refused("is too large", machine, "g_us = 1e12\n", first);
    refused("processors must be at least 1", machine, "processors = 0\n", first);
    refused("neither a table nor 'key = number'", machine, "what\n", first);
    assert_int_equal(model_read("/nowhere/model.toml", 0, numbers, sizeof numbers, why, sizeof why), -1);
    assert_non_null(strstr(why, "cannot read the model /nowhere/model.toml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_file),
        cmocka_unit_test(the_place_knows_its_processors),
        cmocka_unit_test(wrong_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
