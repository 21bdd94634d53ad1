/* Programs of several files, loaded many times: libraries belong to the copy as if they were part of it, those of the
 * C++ compiler are there once for all and serve every copy. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_images.h"
#include "fake_program.h"

/* ---- libraries of the program ---- */

static const char LIBRARY[] = "int library_value = 20, library_made; static int secret = 30;\n"
                              "const char *library_name = \"tool\"; const char **library_self = &library_name;\n"
                              "__thread int library_thread = 50;\n"
                              "extern int program_value; int program_function(int);\n"
                              "__attribute__((constructor)) static void before(void) { library_made += 1 + secret; }\n"
                              "int library_step(void) { library_value++; library_thread++; return ++secret * 1000 + "
                              "program_function(program_value); }\n"
                              "int *library_value_here(void) { return &library_value; }\n"
                              "int library_thread_now(void) { return library_thread; }\n";

static const char DEEPER[] =
    "int deeper_made, deeper = 1; int library_value_of_deeper(void) { return ++deeper; }\n"
    "__attribute__((constructor)) static void before(void) { deeper_made = deeper; deeper = 10; }\n";

static const char USER[] =
    "#include <string.h>\n"
    "extern int library_value, library_made, deeper_made; extern const char *library_name, **library_self;\n"
    "int library_step(void), *library_value_here(void), library_thread_now(void), library_value_of_deeper(void);\n"
    "int program_value = 7, made_before;\n"
    "int program_function(int x) { return x + 1; }\n"
    "int (*step)(void) = library_step;\n"
    "__attribute__((constructor)) static void before(void) { made_before = library_made + deeper_made; }\n"
    "int next(void) { return step(); }\n"
    "int thread_now(void) { return library_thread_now(); }\n"
    "int deep(void) { return library_value_of_deeper(); }\n"
    "int value(void) { return library_value; }\n"
    "int agree(void) { return &library_value == library_value_here() && step == library_step && "
    "!strcmp(library_name, \"tool\") && library_self == &library_name; }\n"
    "int main(void) { return next(); }\n";

static void build_libraries(const char *program)
{
    /* One without a name of its own, found by path; one by name and the program's search path. */
    assert_int_equal(program_build("libdeeper.so", DEEPER, "-shared -fPIC"), 0);
    assert_int_equal(program_build("libtool.so.1", LIBRARY, "-shared -fPIC -O2 -Wl,-soname,libtool.so.1"), 0);
    assert_int_equal(
        program_build(program, USER, "-rdynamic -O2 ./libtool.so.1 $PWD/libdeeper.so '-Wl,-rpath,$ORIGIN'"), 0);
}

static void use_libraries(struct images *s, int copies)
{
    char save[8][64];
    assert_int_equal(images_tls_bytes(s), 4);
    for (int i = 0; i < copies; i++) {
        images_made(s, i);
        images_tls_init(s, i, save[i]);
        assert_int_equal(images_call(s, i, "agree"), 1);
        assert_int_equal(*images_variable(s, i, "made_before"), 32);
    }
    for (int i = 0; i < copies; i++) {
        images_tls_swap(s, NULL, save[i]);
        *images_variable(s, i, "program_value") = 10 * i;
        for (int turn = 1; turn <= i + 1; turn++)
            assert_int_equal(images_call(s, i, "next"), (30 + turn) * 1000 + 10 * i + 1);
        assert_int_equal(images_call(s, i, "deep"), 11);
        images_tls_swap(s, save[i], NULL);
    }
    for (int i = 0; i < copies; i++) {
        images_tls_swap(s, NULL, save[i]);
        assert_int_equal(images_call(s, i, "value"), 20 + i + 1);
        assert_int_equal(images_call(s, i, "thread_now"), 50 + i + 1);
        assert_int_equal(images_owner(s, *(void **)images_symbol(s, i, "step")), i);
    }
}

static void libraries_are_private(void **unused)
{
    (void)unused;
    build_libraries("user");
    use_libraries(images_loaded("user", 4), 4);
}

static void second_program_has_its_own_libraries(void **unused)
{
    (void)unused;
    build_libraries("user_a");
    build_libraries("user_b");
    struct images *a = images_loaded("user_a", 2), *b = images_loaded("user_b", 3);
    use_libraries(a, 2);
    use_libraries(b, 3);
    assert_int_equal(images_call(a, 1, "value"), 22);
    assert_int_equal(images_owner(b, *(void **)images_symbol(a, 0, "step")), -1);
}

static void missing_library_is_named(void **unused)
{
    (void)unused;
    build_libraries("lost");
    assert_int_equal(remove(program_path("libtool.so.1")), 0);
    images_refused("lost", "libtool.so.1");
}

static void other_mpi_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(program_build("libmpi.so.40", "int other;", "-shared -fPIC -Wl,-soname,libmpi.so.40"), 0);
    assert_int_equal(program_build("foreign", "extern int other; int main(void) { return other; }", "./libmpi.so.40"),
                     0);
    images_refused("foreign", "libmpi.so.40");
}

static void undefined_symbol_is_named_with_the_file(void **unused)
{
    (void)unused;
    static const char now[] = "int still_here = 1;";
    assert_int_equal(program_build("libold.so", "int gone_since(void) { return 1; }", "-shared -fPIC"), 0);
    assert_int_equal(
        program_build("undefined", "int gone_since(void); int main(void) { return gone_since(); }", "./libold.so"), 0);
    assert_int_equal(program_build("libold.so", now, "-shared -fPIC"), 0);
    char cwd[4096];
    assert_non_null(getcwd(cwd, sizeof cwd));
    assert_int_equal(chdir(program_path("")), 0);
    images_refused("undefined", "undefined symbol: gone_since");
    assert_int_equal(access("libold.so", R_OK), 0); /* the loader works elsewhere and comes back */
    assert_int_equal(chdir(cwd), 0);
    assert_non_null(strstr(images_why, program_path("undefined")));
    assert_null(strstr(images_why, "/proc/"));
}

/* `index` and `error` are names of the C library too. */
static void own_functions_come_before_the_c_library(void **unused)
{
    (void)unused;
    static const char library[] = "int index(int x) { return x + 1; } int error(int);\n"
                                  "int (*by_address)(int) = index;\n"
                                  "int library_sum(void) { return index(1) + error(10) + by_address(100); }\n";
    static const char program[] = "int library_sum(void); int index(int); int error(int x) { return x + 2; }\n"
                                  "int sum(void) { return library_sum() + index(1000); }\n"
                                  "int main(void) { return sum(); }\n";
    assert_int_equal(program_build("libnames.so", library, "-shared -fPIC -fno-builtin -w"), 0);
    assert_int_equal(program_build("names", program, "-rdynamic -fno-builtin -w $PWD/libnames.so"), 0);
    struct images *s = images_loaded("names", 3);
    for (int i = 0; i < 3; i++) {
        images_made(s, i);
        assert_int_equal(images_call(s, i, "sum"), 2 + 12 + 101 + 1001);
    }
}

#if defined(__x86_64__)
static void thread_local_of_the_program_used_by_a_library_is_refused(void **unused)
{
    (void)unused;
    static const char library[] = "extern __thread int shared; int library_get(void) { return shared; }\n";
    static const char program[] =
        "__thread int shared = 4; int library_get(void); int main(void) { return library_get(); }\n";
    assert_int_equal(program_build("libuses.so", library, "-shared -fPIC"), 0);
    assert_int_equal(program_build("gives", program, "$PWD/libuses.so"), 0);
    images_refused("gives", "thread-local variable of the program, shared");
}
#endif

static void own_malloc_is_refused(void **unused)
{
    (void)unused;
    static const char source[] = "#include <stddef.h>\nstatic char heap[100];\n"
                                 "void *malloc(size_t n) { (void)n; return heap; }\nvoid free(void *p) { (void)p; }\n"
                                 "int main(void) { return malloc(1) == NULL; }\n";
    assert_int_equal(program_build("heap", source, "-fno-builtin"), 0);
    images_refused("heap", "malloc");
}

/* ---- C++ ---- */

static const char CXX[] =
    "#include <iostream>\n#include <sstream>\n#include <stdexcept>\n#include <string>\n#include <vector>\n"
    "struct Counter { static int alive; int n; Counter(int v) : n(v) { alive++; } ~Counter() { alive--; } };\n"
    "int Counter::alive = 0;\n"
    "static std::vector<std::string> words{\"one\", \"two\"};\n"
    "static Counter global(9);\n"
    "struct Base { virtual int id() { return 1; } virtual ~Base() {} };\n"
    "struct Derived : Base { int id() override { return 2; } };\n"
    "struct Own : std::runtime_error { int code; Own(int c) : std::runtime_error(\"own\"), code(c) {} };\n"
    "static int thrower(int depth) { Counter c(depth); if (depth == 0) throw Own(77); return thrower(depth - 1) + 1; "
    "}\n"
    "extern \"C\" int thrown(void) {\n"
    "    try { return thrower(5); } catch (const std::exception &e) {\n"
    "        const Own *own = dynamic_cast<const Own *>(&e);\n"
    "        return own && e.what() == std::string(\"own\") && Counter::alive == 1 ? own->code : -1;\n"
    "    }\n"
    "}\n"
    "extern \"C\" int standard(void) { try { return std::vector<int>().at(3); } catch (const std::out_of_range &) { "
    "return 5; } }\n"
    "extern \"C\" int add(void) { static Counter once(1); words.push_back(\"more\"); return (int)words.size() * 10 + "
    "Counter::alive; }\n"
    "extern \"C\" int kind(void) { Base *b = new Derived; int k = dynamic_cast<Derived *>(b) ? b->id() : 0; delete b; "
    "return k; }\n"
    "extern \"C\" int print(void) { std::ios::sync_with_stdio(false); std::ostringstream o; o << 1.5 << ' ' << "
    "words[0]; std::cout << o.str() << "
    "std::endl;\n"
    "    return std::cout.good() && o.str() == \"1.5 one\"; }\n"
    "extern \"C\" int hold(int (*other)(void)) { try { throw Own(3); } catch (Own &) { return other(); } }\n"
    "extern \"C\" int pending(void) { return std::current_exception() ? 1 : 0; }\n"
    "int main() { return add(); }\n";

static void cxx_copies(struct images *s)
{
    for (int i = 0; i < 3; i++)
        images_made(s, i);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(images_call(s, i, "thrown"), 77);
        assert_int_equal(images_call(s, i, "standard"), 5);
        assert_int_equal(images_call(s, i, "kind"), 2);
        assert_int_equal(images_call(s, i, "print"), 1);
        assert_int_equal(images_call(s, i, "add"), 32);
        assert_int_equal(images_call(s, i, "add"), 42);
    }
}

static struct images *held;
static char held_save[2][64];

/* A switch to copy 1 and back while copy 0 handles an exception. */
static int other_copy(void)
{
    images_tls_swap(held, held_save[0], held_save[1]);
    int inside = images_call(held, 1, "pending") * 100 + images_call(held, 1, "thrown");
    images_tls_swap(held, held_save[1], held_save[0]);
    return images_call(held, 0, "pending") * 1000 + inside;
}

static void exceptions_and_streams_of_cxx_work(void **unused)
{
    (void)unused;
    static const char *const flags[] = {"-rdynamic -O2 -fPIE -pie", "-rdynamic -O0", "-rdynamic -fPIC -pie -O1"};
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "cxx%d", k);
        if (program_build_cxx(name, CXX, flags[k]))
            skip();
        cxx_copies(images_loaded(name, 3));
    }
}

static void exception_in_flight_belongs_to_its_copy(void **unused)
{
    (void)unused;
    if (program_build_cxx("flight", CXX, "-rdynamic -O2"))
        skip();
    held = images_loaded("flight", 2);
    assert_true(images_tls_bytes(held) <= sizeof held_save[0]);
    for (int i = 0; i < 2; i++) {
        images_made(held, i);
        images_tls_init(held, i, held_save[i]);
    }
    images_tls_swap(held, NULL, held_save[0]);
    assert_int_equal(((int (*)(int (*)(void)))images_symbol(held, 0, "hold"))(other_copy), 1077);
    assert_int_equal(images_call(held, 0, "pending"), 0);
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
        cmocka_unit_test(libraries_are_private),
        cmocka_unit_test(second_program_has_its_own_libraries),
        cmocka_unit_test(missing_library_is_named),
        cmocka_unit_test(other_mpi_is_refused),
        cmocka_unit_test(undefined_symbol_is_named_with_the_file),
        cmocka_unit_test(own_functions_come_before_the_c_library),
#if defined(__x86_64__)
        cmocka_unit_test(thread_local_of_the_program_used_by_a_library_is_refused),
#endif
        cmocka_unit_test(own_malloc_is_refused),
        cmocka_unit_test(exceptions_and_streams_of_cxx_work),
        cmocka_unit_test(exception_in_flight_belongs_to_its_copy),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
