/* The command line of mpiexec: what it means, and what it refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "../../ports/process/mpiexec/options.h"

static struct options o;
static char why[256], words[512];
static char *argv[64];

/* Words separated by single spaces; the result stays valid until the next call. */
static enum options_result parse(const char *line)
{
    int argc = 1;
    argv[0] = words;
    strcpy(words, "mpiexec");
    strcpy(words + 8, line);
    memset(why, 0, sizeof why);
    for (char *w = strtok(words + 8, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    return options_parse(&o, argc, argv, why, sizeof why);
}

static void plain(void **unused)
{
    (void)unused;
    assert_int_equal(parse("-n 4 prog -n x --help"), OPTIONS_RUN);
    assert_int_equal(o.parts, 1);
    assert_int_equal(o.ranks, 4);
    assert_string_equal(o.part[0].argv[0], "prog");
    assert_string_equal(o.part[0].argv[3], "--help");
    assert_null(o.part[0].argv[4]);
    assert_int_equal(parse("prog"), OPTIONS_RUN);
    assert_int_equal(o.ranks, 1);
}

static void parts(void **unused)
{
    (void)unused;
    assert_int_equal(parse("-np 2 -wdir /d a 1 : -n 3 b : c"), OPTIONS_RUN);
    assert_int_equal(o.parts, 3);
    assert_int_equal(o.ranks, 6);
    assert_string_equal(o.part[0].wdir, "/d");
    assert_null(o.part[0].argv[2]);
    assert_null(o.part[1].wdir);
    assert_int_equal(o.part[2].ranks, 1);
}

static void values(void **unused)
{
    (void)unused;
    assert_int_equal(parse("-l -q -x A=1 -env B= --stdin none --timeout 2.5 --hang-timeout=3 p"), OPTIONS_RUN);
    assert_true(o.prefix && o.quiet && o.no_stdin);
    assert_int_equal(o.envs, 2);
    assert_string_equal(o.env[1], "B=");
    assert_true(o.timeout_s > 2.4 && o.timeout_s < 2.6 && o.hang_timeout_s > 2.9);
    assert_int_equal(parse("--help"), OPTIONS_HELP);
    assert_int_equal(parse("--version"), OPTIONS_VERSION);
}

static void fibers(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--fibers --threads 3 --stack 2M --spin-timeout 0 -n 5000 p"), OPTIONS_RUN);
    assert_true(o.fibers && !o.machine && o.threads == 3 && o.stack_bytes == 2 << 20 && o.spin_timeout_s == 0);
    assert_int_equal(o.ranks, 5000);
    assert_int_equal(parse("-n 2000 p --fibers : --fibers -n 2000 q"), OPTIONS_RUN);
    assert_int_equal(o.ranks, 4000);
    assert_int_equal(parse("--machine ring --discipline stop-and-wait --host-time --stack=64k -n 2 p"), OPTIONS_RUN);
    assert_true(o.fibers && o.host_time && o.stack_bytes == 64 << 10 && o.spin_timeout_s < 0);
    assert_string_equal(o.machine, "ring");
    assert_string_equal(o.discipline, "stop-and-wait");
}

static void refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *line, *why;
    } wrong[] = {
        {"", "no program to start"},
        {"-n 2", "no program to start"},
        {"-n", "-n needs a value"},
        {"-n two p", "-n needs a number, not 'two'"},
        {"-n 0 p", "-n 0: between 1 and 1024 ranks"},
        {"-n 99999999999999999999 p", "between 1 and 1024"},
        {"-n 1000 p : -n 1000 p", "2000 ranks: at most 1024"},
        {"--frobnicate p", "unknown option '--frobnicate'"},
        {"--fibers -n 100001 p", "between 1 and"},
        {"--fibers -n 99999 p : -n 2 p", "100001 ranks: at most 100000"},
        {"--threads 2 p", "--threads is for --fibers"},
        {"--machine m --threads 2 p", "--threads is for --fibers, not for --machine"},
        {"--machine -n 2 p", "--machine needs a machine's name or file, not '-n'"},
        {"--trace -n 2 p", "--trace needs a file to write, not '-n'"},
        {"--fibers --threads 0 p", "--threads needs a number"},
        {"--stack 1M p", "--stack and --spin-timeout are for"},
        {"--fibers --stack 1K p", "--stack needs a size"},
        {"--fibers --stack 1MB p", "--stack needs a size"},
        {"--fibers --spin-timeout -1 p", "--spin-timeout needs a number of seconds"},
        {"--fibers --host-time p", "--discipline and --host-time are for --machine"},
        {"p :", "no program after ':'"},
        {"p : -n 2", "no program after ':'"},
        {": p", "a program is missing before ':'"},
        {"-x A p", "-x needs NAME=VALUE, not 'A'"},
        {"--stdin 3 p", "--stdin is 'none' or '0', not '3'"},
        {"--timeout nan p", "--timeout needs a number of seconds"},
        {"--timeout -1 p", "--timeout needs a number of seconds"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(parse(wrong[i].line), OPTIONS_WRONG);
        assert_non_null(strstr(why, wrong[i].why));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),  cmocka_unit_test(parts),   cmocka_unit_test(values),
        cmocka_unit_test(fibers), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
