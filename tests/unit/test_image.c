/* Programs loaded many times: every copy has globals, statics and thread-local variables of its own, starts from the
 * values in the file however late it is made, and runs its constructors once. The programs are compiled here; their
 * functions are called where the copy has them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake_images.h"
#include "fake_program.h"

enum { COPIES = 4 };

/* ---- one program, linked in many ways ---- */

static const char PLAIN[] =
    "#include <stdio.h>\n#include <string.h>\n#include <math.h>\n"
    "int counter = 5, constructed, destructed;\n"
    "int *pointer = &counter;\n"
    "const char *text = \"hello\";\n"
    "static int hidden = 7;\n"
    "char big[100000], *past = big + sizeof big;\n"
    "struct node { struct node *next; int value; };\n"
    "extern struct node second;\n"
    "struct node first = {&second, 1}, second = {&first, 2};\n"
    "int twice(int x) { return 2 * x; }\n"
    "int thrice(int x) { return 3 * x; }\n"
    "int (*const table[])(int) = {twice, thrice};\n"
    "static int square(int x) { return x * x; }\n"
    "int (*chosen)(int) = square;\n"
    "double (*outside)(double) = sin;\n"
    "extern int absent(void) __attribute__((weak));\n"
    "int (*maybe)(void) = absent;\n"
    "struct __attribute__((packed)) { char c; int *p; } crooked = {1, &counter};\n"
    "_Alignas(8192) int apart[2048] = {1};\n"
    "FILE **stream = &stdout;\n"
    "__attribute__((constructor)) static void before(void) { constructed += counter; }\n"
    "__attribute__((destructor)) static void after(void) { destructed++; }\n"
    "int step(void) { static int calls = 10; hidden++; return ++calls * 100 + hidden; }\n"
    "FILE *out(void) { return stdout; }\n"
    "int check(void)\n"
    "{\n"
    "    if (pointer != &counter || strcmp(text, \"hello\") || past != big + sizeof big) return 1;\n"
    "    if (first.next != &second || second.next != &first || second.value != 2) return 2;\n"
    "    if (table[0] != twice || table[1](4) != 12 || chosen != square || chosen(5) != 25) return 3;\n"
    "    if (outside != sin || maybe || crooked.p != &counter || crooked.c != 1) return 4;\n"
    "    if ((unsigned long)apart % 8192 || apart[0] != 1 || apart[2047]) return 5;\n"
    "    if (*stream != stdout || big[0] || big[99999]) return 6;\n"
    "    return 0;\n"
    "}\n"
    "int main(void) { return check(); }\n";

/* What copies of PLAIN must do. Copy 3 is made when all others have run. */
static void plain_copies(struct images *s)
{
    for (int i = 0; i < COPIES; i++) {
        if (i == 3)
            assert_int_equal(images_call(s, 0, "step"), 1209);
        images_made(s, i);
        assert_int_equal(images_call(s, i, "check"), 0);
        assert_int_equal(*images_variable(s, i, "constructed"), 5);
        assert_int_equal(*images_variable(s, i, "counter"), 5);
        assert_int_equal(images_call(s, i, "step"), 1108);
        *images_variable(s, i, "counter") = 100 + i;
        memset(images_symbol(s, i, "big"), 'x', 100000);
    }
    for (int i = 0; i < COPIES; i++) {
        assert_int_equal(*images_variable(s, i, "counter"), 100 + i);
        assert_int_equal(**(int **)images_symbol(s, i, "pointer"), 100 + i);
        assert_int_equal(images_owner(s, images_variable(s, i, "counter")), i);
        assert_int_equal(images_owner(s, images_symbol(s, i, "check")), i);
        assert_int_equal(images_owner(s, *(void **)images_symbol(s, i, "chosen")), i);
        assert_int_equal(images_owner(s, images_entry(s, i)), i);
        assert_ptr_equal(((FILE * (*)(void)) images_symbol(s, i, "out"))(), stdout);
        assert_int_equal(images_call(s, i, "step"), i == 0 ? 1310 : 1209);
        images_destruct(s, i);
        assert_int_equal(*images_variable(s, i, "destructed"), 1);
    }
    assert_int_equal(images_owner(s, stdout), -1);
    assert_int_equal(images_owner(s, &s), -1);
}

static void globals_are_private_however_linked(void **unused)
{
    (void)unused;
    static const struct {
        const char *flags;
        int optional;
    } way[] = {
        {"-O0", 0},
        {"-O2", 0},
        {"-O2 -fPIC -pie", 0},
        {"-O2 -Wl,-z,now", 0},
        {"-O2 -Wl,-z,lazy", 0},
        {"-O2 -Wl,-z,norelro", 0},
        {"-O2 -Wl,-z,noseparate-code", 0},
        {"-O2 -Wl,-z,max-page-size=2097152", 0},
        {"-O2 -Wl,-z,pack-relative-relocs", 1},
        {"-O2 -Wl,--hash-style=sysv", 0},
        {"-O2 -fuse-ld=gold", 1},
        {"-O2 -fuse-ld=lld", 1},
        {"-O2 -fuse-ld=mold", 1},
    };
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        char name[16], flags[128];
        snprintf(name, sizeof name, "plain%zu", k);
        snprintf(flags, sizeof flags, "-rdynamic %s -lm", way[k].flags);
        if (program_build(name, PLAIN, flags)) {
            if (!way[k].optional)
                fail_msg("cannot compile with %s", way[k].flags);
            continue;
        }
        print_message("%s\n", way[k].flags);
        plain_copies(images_loaded(name, COPIES));
    }
}

static void place_in_the_file_is_told(void **unused)
{
    (void)unused;
    assert_int_equal(program_build("plain", PLAIN, "-rdynamic -O2 -lm"), 0);
    struct images *s = images_loaded("plain", 2);
    uintptr_t offset[2];
    const char *file[2];
    images_made(s, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(images_find(s, (uintptr_t)images_symbol(s, i, "check"), &file[i], &offset[i]), i);
    assert_string_equal(file[0], program_path("plain"));
    assert_string_equal(file[1], program_path("plain"));
    assert_true(offset[0] == offset[1] && offset[0] < 1 << 20);
    assert_ptr_not_equal(images_entry(s, 0), images_entry(s, 1));
}

static void one_copy_is_enough(void **unused)
{
    (void)unused;
    assert_int_equal(program_build("single", PLAIN, "-rdynamic -O2 -lm"), 0);
    struct images *s = images_loaded("single", 1);
    images_made(s, 0);
    assert_int_equal(images_call(s, 0, "check"), 0);
    assert_int_equal(images_tls_bytes(s), 0);
}

static void resolver_of_a_function_runs(void **unused)
{
    (void)unused;
    static const char source[] = "static int fast(void) { return 11; }\n"
                                 "static int (*resolve(void))(void) { return fast; }\n"
                                 "int chosen(void) __attribute__((ifunc(\"resolve\")));\n"
                                 "int (*where)(void) = chosen;\n"
                                 "int run(void) { return chosen() + where(); }\n"
                                 "int main(void) { return run(); }\n";
    if (program_build("ifunc", source, "-rdynamic -O1"))
        skip();
    struct images *s = images_loaded("ifunc", 3);
    for (int i = 0; i < 3; i++) {
        images_made(s, i);
        assert_int_equal(images_call(s, i, "run"), 22);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(images_owner(s, *(void **)images_symbol(s, i, "where")), i);
}

/* ---- thread-local variables ---- */

#if defined(__x86_64__)
static const char THREADS[] =
    "int global = 3;\n"
    "__thread int number = 41, *place = &global;\n"
    "__thread char zero[100];\n"
    "_Alignas(32) __thread int even = 8;\n"
    "int next(void) { zero[7]++; return number += zero[7] + zero[99]; }\n"
    "int good(void) { return place == &global && (unsigned long)&even % 32 == 0 && even == 8; }\n"
    "int main(void) { return next(); }\n";

static void thread_locals_are_private(void **unused)
{
    (void)unused;
    assert_int_equal(program_build("threads", THREADS, "-rdynamic -O2"), 0);
    struct images *s = images_loaded("threads", 3);
    size_t bytes = images_tls_bytes(s);
    assert_true(bytes >= 116 && bytes < 300);
    char save[3][512];
    for (int i = 0; i < 3; i++) {
        images_made(s, i);
        images_tls_init(s, i, save[i]);
    }
    images_tls_swap(s, NULL, save[0]);
    for (int turn = 0; turn < 9; turn++) {
        int sum = 41 + (turn / 3 + 1) * (turn / 3 + 2) / 2;
        assert_int_equal(images_call(s, turn % 3, "next"), sum);
        assert_int_equal(images_call(s, turn % 3, "good"), 1);
        images_tls_swap(s, save[turn % 3], save[(turn + 1) % 3]);
    }
    for (size_t k = 0; k < WINDOW - 512; k++)
        assert_int_equal(images_window[k], 0);
}

static void too_many_thread_locals_are_refused(void **unused)
{
    (void)unused;
    static const char source[] = "__thread char much[9000]; int main(void) { return much[1]; }\n";
    static const char aligned[] = "_Alignas(128) __thread char far; int main(void) { return far; }\n";
    assert_int_equal(program_build("much", source, ""), 0);
    images_refused("much", "it has 90");
    assert_int_equal(program_build("aligned", aligned, ""), 0);
    images_refused("aligned", "128");
}
#endif

/* ---- many ---- */

static int mappings(void)
{
    int lines = 0, c;
    FILE *f = fopen("/proc/self/maps", "r");
    assert_non_null(f);
    while ((c = getc(f)) != EOF)
        lines += c == '\n';
    fclose(f);
    return lines;
}

static void thousands_of_copies_cost_two_mappings_each(void **unused)
{
    (void)unused;
    enum { MANY = 3000 };
    assert_int_equal(program_build("many", PLAIN, "-rdynamic -O2 -lm"), 0);
    struct images *s = images_loaded("many", MANY);
    struct timespec a, b;
    int before = mappings();
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(images_make(s, i), 0);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) * 1e-6;
    print_message("%d copies in %.1f ms, %d mappings\n", MANY, ms, mappings() - before);
    assert_true(mappings() - before <= 2 * MANY + 10);
    assert_true(ms < 10000);
    for (int i = 0; i < MANY; i += 7) {
        images_construct(s, i, 0, images_no_words, images_no_words);
        assert_int_equal(images_call(s, i, "step"), 1108);
        assert_int_equal(images_call(s, i, "check"), 0);
        assert_int_equal(images_owner(s, images_variable(s, i, "counter")), i);
    }
}

static void more_than_the_kernel_maps_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(program_build("crowd", "int v = 1; int main(void) { return v; }", ""), 0);
    assert_null(images_load(program_path("crowd"), 2000000000, WINDOW, images_why, sizeof images_why));
    assert_non_null(strstr(images_why, "vm.max_map_count"));
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globals_are_private_however_linked),
        cmocka_unit_test(place_in_the_file_is_told),
        cmocka_unit_test(one_copy_is_enough),
        cmocka_unit_test(resolver_of_a_function_runs),
#if defined(__x86_64__)
        cmocka_unit_test(thread_locals_are_private),
        cmocka_unit_test(too_many_thread_locals_are_refused),
#endif
        cmocka_unit_test(thousands_of_copies_cost_two_mappings_each),
        cmocka_unit_test(more_than_the_kernel_maps_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
