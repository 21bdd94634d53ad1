/* The command line of mpiexec: what it means, and what it refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../../ports/process/mpiexec/options.h"

static struct options o;
static char why[256], words[512 + 16];
static char *argv[64];

/* Words separated by single spaces; the result stays valid until the next call. */
static enum options_result parse(const char *line)
{
    int argc = 1;
    argv[0] = words;
    strcpy(words, "mpiexec");
    strcpy(words + 8, line);
    memset(why, 0, sizeof why);
    options_release(&o);
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
        {"-x =A p", "-x needs NAME or NAME=VALUE, not '=A'"},
        {"-x -n 2 p", "-x needs NAME or NAME=VALUE, not '-n'"},
        {"-genv A", "-genv needs a value"},
        {"-env =1 p", "-env needs NAME=VALUE or NAME VALUE, not '=1'"},
        {"--fibers -n 1 -env A 1 p : q", "all ranks have one environment; use -genv"},
        {"--fibers -path /d p", "-path is for processes"},
        {"--prefix=/opt/mpi p", "--prefix takes no value"},
        {"--bable 1 p", "unknown option '--bable'; did you mean --babble?"},
        {"--cut 1 p", "--cut needs RANK-RANK or RANK-RANK@SECONDS, not '1'"},
        {"-kill 1-2 p", "-kill needs RANK or RANK@SECONDS, not '1-2'"},
        {"--trace-limit 0 p", "--trace-limit needs a number of MiB from 1 to 1048576, not '0'"},
        {"--stdin 3 p", "--stdin is 'none' or '0', not '3'"},
        {"--timeout nan p", "--timeout needs a number of seconds"},
        {"--timeout -1 p", "--timeout needs a number of seconds"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(parse(wrong[i].line), OPTIONS_WRONG);
        assert_non_null(strstr(why, wrong[i].why));
    }
}

/* ---- What scripts pass to other launchers ---- */

static void dashes_are_one_or_two(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--np 2 --x A=1 -hang-timeout 3 -tag-output p"), OPTIONS_RUN);
    assert_true(o.ranks == 2 && o.envs == 1 && o.prefix && o.hang_timeout_s > 2.9);
    assert_int_equal(parse("-V"), OPTIONS_VERSION);
    assert_int_equal(parse("-version"), OPTIONS_VERSION);
    assert_int_equal(parse("-help"), OPTIONS_HELP);
    assert_int_equal(parse("--help-env"), OPTIONS_HELP_ENV);
}

static void environment_of_all_and_of_one(void **unused)
{
    (void)unused;
    assert_int_equal(parse("-genv A 1 -x A=2 -genv B=3 -genvall -envall -env C 4 p : -env C 5 -env C 6 q"),
                     OPTIONS_RUN);
    assert_int_equal(o.envs, 2);
    assert_string_equal(o.env[0], "A=2"); /* the later one */
    assert_string_equal(o.env[1], "B=3");
    assert_int_equal(o.owns, 2);
    assert_int_equal(o.own[0].part, 0);
    assert_string_equal(o.own[0].text, "C=4");
    assert_int_equal(o.own[1].part, 1);
    assert_string_equal(o.own[1].text, "C=6");
    /* A program alone: its own are those of all, and come before them. */
    assert_int_equal(parse("-env A own -genv A all -genv B b p"), OPTIONS_RUN);
    assert_int_equal(o.owns, 0);
    assert_int_equal(o.envs, 2);
    assert_string_equal(o.env[0], "A=own");
}

static void passed_variables(void **unused)
{
    (void)unused;
    unsetenv("NOT_THERE");
    setenv("THERE", "1", 1);
    assert_int_equal(parse("-x THERE -x NOT_THERE p"), OPTIONS_RUN);
    assert_int_equal(o.envs, 0);
    assert_string_equal(o.notices, "-x NOT_THERE: there is no such variable to pass on\n");
}

static void notices_name_what_has_no_effect(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--bind-to none --oversubscribe --allow-run-as-root p"), OPTIONS_RUN);
    assert_string_equal(o.notices, "");
    assert_int_equal(parse("--bind-to core -map-by node --mca btl tcp,self --report-bindings p --mca x y"),
                     OPTIONS_RUN);
    assert_string_equal(o.notices,
                        "no effect here: --bind-to core, -map-by node, --mca btl tcp,self, --report-bindings\n");
    assert_string_equal(o.part[0].argv[1], "--mca");
    assert_int_equal(parse("--mca btl"), OPTIONS_WRONG);
    assert_non_null(strstr(why, "--mca needs a value"));
    assert_int_equal(parse("--genvnone p"), OPTIONS_WRONG);
    assert_non_null(strstr(why, "env -i"));
}

static void long_lists_of_ignored_options_are_cut(void **unused)
{
    char line[512] = "";
    (void)unused;
    for (int i = 0; i < 30; i++)
        strcat(line, "--map-by abcdef ");
    strcat(line, "p");
    assert_int_equal(parse(line), OPTIONS_RUN);
    assert_int_equal(o.notices[strlen(o.notices) - 1], '\n');
}

static void notices_without_room_are_left_out(void **unused)
{
    static const char each[] = "-x NOT_THERE: there is no such variable to pass on\n";
    char line[512] = "";
    (void)unused;
    unsetenv("NOT_THERE");
    for (int i = 0; i < 28; i++)
        strcat(line, "-x NOT_THERE ");
    strcat(line, "p");
    assert_int_equal(parse(line), OPTIONS_RUN);
    assert_int_equal(strlen(o.notices), (sizeof o.notices - 1) / (sizeof each - 1) * (sizeof each - 1));
    assert_string_equal(o.notices + strlen(o.notices) - (sizeof each - 1), each);
    assert_int_equal(o.pool[0], 0);
}

/* The expected number of ranks; 0: refused. */
static void check_ranks(const char *line, int ranks)
{
    assert_int_equal(parse(line), ranks ? OPTIONS_RUN : OPTIONS_WRONG);
    if (ranks)
        assert_int_equal(o.ranks, ranks);
}

static void ranks_a_host(void **unused)
{
    (void)unused;
    check_ranks("-N 3 p", 3);
    check_ranks("-npernode 2 -n 2 p", 2);
    check_ranks("-pernode p", 1);
    check_ranks("-pernode -n 2 p", 0); /* on two hosts */
    check_ranks("-N 2 -n 4 p", 0);
    check_ranks("-ppn 2 -n 4 p", 4); /* what other launchers do with one host */
    check_ranks("-perhost 2 p", 2);
    check_ranks("-c 5 p", 5);
    check_ranks("-N x p", 0);
    assert_non_null(strstr(why, "-N needs a number of ranks a host, not 'x'"));
    /* Said of all programs, as -n is not. */
    check_ranks("-N 2 p : q", 4);
    check_ranks("-N 2 p : -n 1 q", 3);
}

static void soft_numbers(void **unused)
{
    (void)unused;
    check_ranks("-n 10 -soft 2:8:2 p", 8);
    check_ranks("-n 10 -soft 2:8:2,9 p", 9);
    check_ranks("-n 5 -soft 8:1:-2 p", 4);
    check_ranks("-n 5 -soft 1:9 p : q", 6);
    check_ranks("-n 5 -soft -3,11 p", 0);
    assert_non_null(strstr(why, "none of these numbers"));
    static const char *const wrong[] = {"-soft , p",      "-soft 1: p", "-soft 1:2:0 p",       "-soft 2:1 p",
                                        "-soft 1:2:-1 p", "-soft 1, p", "-soft 99999999999 p", "-soft a p"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_ranks(wrong[i], 0);
        assert_non_null(strstr(why, "-soft needs numbers"));
    }
}

static void hosts_are_this_one(void **unused)
{
    char line[256];
    struct utsname names;
    (void)unused;
    uname(&names);
    snprintf(line, sizeof line, "-hosts %s,localhost:3,127.0.0.1,::1 p", names.nodename);
    check_ranks(line, 6);
    check_ranks("-host localhost:3 -n 2 p", 2);
    check_ranks("-H elsewhere.example -n 2 p", 0);
    assert_non_null(strstr(why, "'elsewhere.example' is another host"));
    check_ranks("-host 192.0.2.1 p", 0); /* of no host's: for documentation */
    check_ranks("-host localhost:0 p", 0);
    check_ranks("-host localhost, p", 0);
    snprintf(line, sizeof line, "-arch %s p", names.machine);
    check_ranks(line, 1);
    check_ranks("-arch linux p", 1);
    check_ranks("-arch pdp11 p", 0);
}

/* A file with this text; the name, until the next call. */
static const char *file_of(const char *text)
{
    static char name[] = "options-test-XXXXXX";
    strcpy(name, "options-test-XXXXXX");
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return name;
}

static enum options_result parse_file(const char *format, const char *text)
{
    char line[128];
    const char *name = file_of(text);
    snprintf(line, sizeof line, format, name);
    enum options_result result = parse(line);
    unlink(name);
    return result;
}

static void hostfiles(void **unused)
{
    (void)unused;
    const char *good = "# a comment\n\nlocalhost slots=2 max_slots=9\n127.0.0.1:3 # two\nlocalhost\n";
    assert_int_equal(parse_file("-hostfile %s p", good), OPTIONS_RUN);
    assert_int_equal(o.ranks, 6);
    assert_int_equal(parse_file("--machinefile=%s p", "localhost\nelsewhere.example\n"), OPTIONS_WRONG);
    assert_non_null(strstr(why, "another host"));
    assert_int_equal(parse_file("-f %s p", "localhost slots=many\n"), OPTIONS_WRONG);
    assert_int_equal(parse("-f not-there p"), OPTIONS_WRONG);
    assert_non_null(strstr(why, "cannot read 'not-there'"));
}

static void configfiles(void **unused)
{
    (void)unused;
    const char *good =
        "# two programs\n-n 2 -wdir /d prog \"a b\" 'c' \\\n  d\n\n   # and\n-n 3 other -configfile x #y\n";
    assert_int_equal(parse_file("-l -configfile %s", good), OPTIONS_RUN);
    assert_true(o.prefix && o.parts == 2 && o.ranks == 5);
    assert_string_equal(o.part[0].wdir, "/d");
    assert_string_equal(o.part[0].argv[1], "a b");
    assert_string_equal(o.part[0].argv[3], "d");
    assert_null(o.part[0].argv[4]);
    assert_string_equal(o.part[1].argv[1], "-configfile");
    assert_string_equal(o.part[1].argv[3], "#y");
    static const struct {
        const char *line, *text, *why;
    } wrong[] = {
        {"-configfile %s", "", "no program to start"},
        {"-configfile %s", "# nothing", "no program to start"},
        {"-configfile %s", "p 'a", "a quote does not end"},
        {"-configfile %s", "-configfile x", "one such file is enough"},
        {"-configfile %s p", "q", "the end of the command line"},
        {"p : -configfile %s", "q", "no other programs"},
        {"-configfile %s.not", "q", "cannot read"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(parse_file(wrong[i].line, wrong[i].text), OPTIONS_WRONG);
        assert_non_null(strstr(why, wrong[i].why));
    }
    assert_int_equal(parse("-configfile /dev"), OPTIONS_WRONG);
}

static void initial_errhandler(void **unused)
{
    (void)unused;
    assert_int_equal(parse("-initial-errhandler mpi_errors_return p"), OPTIONS_RUN);
    assert_string_equal(o.env[0], "MPICO_ERRORS_RETURN=1");
    assert_int_equal(parse("-initial-errhandler mpi_errors_abort p"), OPTIONS_RUN);
    assert_string_equal(o.env[0], "MPICO_ERRORS_RETURN=0");
    assert_int_equal(parse("-initial-errhandler none p"), OPTIONS_WRONG);
}

static void too_many_ranks_say_how_more_run(void **unused)
{
    (void)unused;
    assert_int_equal(parse("-n 2000 p"), OPTIONS_WRONG);
    assert_string_equal(why, "-n 2000: between 1 and 1024 ranks; --fibers and --machine run more");
    assert_int_equal(parse("-n 100001 p"), OPTIONS_WRONG);
    assert_string_equal(why, "-n 100001: between 1 and 1024 ranks, or 100000 with --fibers or --machine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(parts),
        cmocka_unit_test(values),
        cmocka_unit_test(fibers),
        cmocka_unit_test(refused),
        cmocka_unit_test(dashes_are_one_or_two),
        cmocka_unit_test(environment_of_all_and_of_one),
        cmocka_unit_test(passed_variables),
        cmocka_unit_test(notices_name_what_has_no_effect),
        cmocka_unit_test(notices_without_room_are_left_out),
        cmocka_unit_test(long_lists_of_ignored_options_are_cut),
        cmocka_unit_test(ranks_a_host),
        cmocka_unit_test(soft_numbers),
        cmocka_unit_test(hosts_are_this_one),
        cmocka_unit_test(hostfiles),
        cmocka_unit_test(configfiles),
        cmocka_unit_test(initial_errhandler),
        cmocka_unit_test(too_many_ranks_say_how_more_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
