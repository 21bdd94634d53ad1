/* Which file a machine's name means. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../ports/process/mpiexec/runner.h"

static char folder[] = "/tmp/mpico-machines-XXXXXX", path[300], why[300];

static const char *const names[] = {"mesh.toml", "ring.toml", "notes.txt", ".toml"};
enum { NAMES = sizeof names / sizeof names[0] };

static const char *in_folder(const char *name)
{
    static char text[300];
    snprintf(text, sizeof text, "%s/%s", folder, name);
    return text;
}

static int make(void **unused)
{
    (void)unused;
    if (!mkdtemp(folder))
        return -1;
    for (int i = 0; i < NAMES; i++)
        fclose(fopen(in_folder(names[i]), "w"));
    return 0;
}

static int clear(void **unused)
{
    (void)unused;
    for (int i = 0; i < NAMES; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

static int find(const char *name) { return runner_machine(name, folder, path, sizeof path, why, sizeof why); }

static void known(void **unused)
{
    (void)unused;
    assert_int_equal(find("ring"), 0);
    assert_string_equal(path, in_folder("ring.toml"));
    char file[300];
    snprintf(file, sizeof file, "%s", in_folder("mesh.toml"));
    assert_int_equal(find(file), 0);
    assert_string_equal(path, file);
}

static void unknown(void **unused)
{
    (void)unused;
    assert_true(find("torus") < 0);
    assert_non_null(strstr(why, "there is no machine 'torus'; there are: mesh, ring (or"));
    assert_true(find("torus.toml") < 0);
    assert_string_equal(why, "there is no machine file 'torus.toml'");
    assert_true(find("./ring") < 0);
    assert_string_equal(why, "there is no machine file './ring'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known), cmocka_unit_test(unknown)};
    return cmocka_run_group_tests(tests, make, clear);
}
