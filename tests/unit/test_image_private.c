/* Variables of the C library in copies of a program: each copy has its own, all its names and all its files lead to that one,
 * and the C library's is left alone. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#include "fake_images.h"
#include "fake_program.h"

enum { COPIES = 3 };

static const char PROGRAM[] = "#include <unistd.h>\n"
                              "extern char **environ, **__environ;\n"
                              "#ifdef HELD\n"
                              "int *held = &optind;\n"
                              "#endif\n"
                              "#ifdef NAMED\n"
                              "int *program_optind(void) { return &optind; }\n"
                              "char ***program_environ(void) { return &environ; }\n"
                              "#endif\n"
                              "int *library_optind(void);\n"
                              "char ***library_environ(void);\n"
                              "int *lent_optind(void) { return library_optind(); }\n"
                              "char ***lent_environ(void) { return library_environ(); }\n"
                              "int main(void) { return 0; }\n";

static const char LIBRARY[] = "#include <unistd.h>\n"
                              "extern char **__environ;\n"
                              "int *library_optind(void) { return &optind; }\n"
                              "char ***library_environ(void) { return &__environ; }\n";

static void *address(struct images *s, int i, const char *function)
{
    void *(*f)(void) = (void *(*)(void))images_symbol(s, i, function);
    assert_non_null(f);
    return f();
}

static void copies(struct images *s, int named, int held)
{
    optind = 77;
    for (int i = 0; i < COPIES; i++) {
        images_made(s, i);
        int *mine = images_private(s, i, "optind");
        assert_ptr_equal(address(s, i, "lent_optind"), mine);
        assert_ptr_equal(address(s, i, "lent_environ"), images_private(s, i, "environ"));
        assert_ptr_equal(images_private(s, i, "__environ"), images_private(s, i, "environ"));
        if (named) {
            assert_ptr_equal(address(s, i, "program_optind"), mine);
            assert_ptr_equal(address(s, i, "program_environ"), images_private(s, i, "_environ"));
        }
        if (held)
            assert_ptr_equal(*(int **)images_symbol(s, i, "held"), mine);
        assert_int_equal(*mine, 1);
        *mine = 100 + i;
    }
    for (int i = 0; i < COPIES; i++)
        assert_int_equal(*(int *)address(s, i, "lent_optind"), 100 + i);
    assert_int_equal(optind, 77);
    assert_null(images_private(s, 0, "nothing"));
    optind = 1;
}

static void every_copy_has_them_itself(void **unused)
{
    (void)unused;
    static const struct {
        const char *flags;
        int named, held;
    } way[] = {
        {"", 0, 0},
        {"-DNAMED", 1, 0},
        {"-DNAMED -fPIC", 1, 0},
        {"-DHELD", 0, 1},
        {"-DHELD -fPIC", 0, 1},
        {"-DNAMED -DHELD -Wl,-z,now", 1, 1},
        {"-DNAMED -DHELD -mno-direct-extern-access", 1, 1},
    };
    char flags[200];
    assert_int_equal(program_build("libprivate.so", LIBRARY, "-shared -fPIC"), 0);
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        char name[16];
        snprintf(name, sizeof name, "private%zu", k);
        snprintf(flags, sizeof flags, "-rdynamic %s -L. -lprivate '-Wl,-rpath,$ORIGIN'", way[k].flags);
        print_message("%s\n", way[k].flags);
        if (program_build(name, PROGRAM, flags) == 0)
            copies(images_loaded(name, COPIES), way[k].named, way[k].held);
        else
            assert_int_equal(k, sizeof way / sizeof *way - 1); /* an option that not all compilers know */
    }
}

static int setup(void **unused)
{
    (void)unused;
    return program_folder_open();
}

static int teardown(void **unused)
{
    (void)unused;
    program_folder_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_copy_has_them_itself)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
