/* Programs as the loader of images finds them: what it refuses, what it takes out, and that no damage to a file makes
 * it read or write outside (a sanitizer or an unmapped page tells). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../ports/fiber/image.h"
#include "../../ports/fiber/image_elf.h"
#include "fake_program.h"

static const char SOURCE[] = "#include <stdio.h>\n"
                             "int value = 3, *pointer = &value;\n"
                             "__thread int mine = 4;\n"
                             "__attribute__((constructor)) void before(void) { value++; }\n"
                             "int main(void) { mine++; return printf(\"%d\\n\", value) < 0; }\n";

static char why[512];

/* The file's last byte is the last before a page that cannot be touched. */
static uint8_t *at_a_cliff(const uint8_t *bytes, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) & -page;
    uint8_t *map = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(map != MAP_FAILED);
    assert_int_equal(mprotect(map + whole, page, PROT_NONE), 0);
    memcpy(map + whole - size, bytes, size);
    return map + whole - size;
}

static void leave_cliff(uint8_t *bytes, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) & -page;
    munmap(bytes + size - whole, whole + page);
}

/* All that is done with a file before it is loaded. */
static int use(uint8_t *bytes, size_t size, enum elf_role role)
{
    struct elf e;
    Elf64_Sym symbol;
    const char *name;
    why[0] = 0;
    if (elf_read(&e, bytes, size, role, why, sizeof why)) {
        assert_true(strlen(why) > 5);
        return -1;
    }
    for (size_t k = 0; k < 10000 && (name = elf_needed(&e, k)); k++)
        if (strlen(name) > 4)
            elf_rename_needed(&e, name, "./77");
    for (uint64_t k = 0; k < 100; k++)
        if (!elf_symbol(&e, k, &symbol))
            elf_string(&e, symbol.st_name);
    elf_quiet(&e);
    return 0;
}

static void whole_program_is_read(void **unused)
{
    (void)unused;
    size_t size;
    struct elf e;
    uint8_t *bytes = program_read("prog", &size);
    assert_int_equal(elf_read(&e, bytes, size, ELF_PROGRAM, why, sizeof why), 0);
    assert_int_equal(e.tls.bytes, 4);
    assert_true(e.entry > e.low && e.entry < e.high);
    assert_true(e.init_array.bytes >= 8);
    assert_non_null(elf_at(&e, e.init_array.at, e.init_array.bytes));
    assert_string_equal(elf_needed(&e, 0), "libc.so.6");
    assert_null(elf_needed(&e, 1));
    free(bytes);
}

static void quiet_program_has_nothing_to_run(void **unused)
{
    (void)unused;
    size_t size;
    struct elf before, after;
    uint8_t *bytes = program_read("prog", &size);
    assert_int_equal(elf_read(&before, bytes, size, ELF_PROGRAM, why, sizeof why), 0);
    elf_quiet(&before);
    assert_true(before.init && before.fini && before.init_array.bytes && before.fini_array.bytes);
    assert_int_equal(elf_read(&after, bytes, size, ELF_PROGRAM, why, sizeof why), 0);
    assert_true(!after.init && !after.fini && !after.init_array.bytes && !after.fini_array.bytes);
    assert_true(after.rela.bytes == before.rela.bytes && after.strings.at == before.strings.at);
    free(bytes);
}

static void needed_library_is_renamed(void **unused)
{
    (void)unused;
    size_t size;
    struct elf e;
    uint8_t *bytes = program_read("prog", &size);
    assert_int_equal(elf_read(&e, bytes, size, ELF_PROGRAM, why, sizeof why), 0);
    assert_int_equal(elf_rename_needed(&e, "libc.so.6", "./12345678"), -1);
    assert_string_equal(elf_needed(&e, 0), "libc.so.6");
    assert_int_equal(elf_rename_needed(&e, "libc.so", "./7"), 0);
    assert_string_equal(elf_needed(&e, 0), "libc.so.6");
    assert_int_equal(elf_rename_needed(&e, "libc.so.6", "./7"), 0);
    assert_string_equal(elf_needed(&e, 0), "./7");
    free(bytes);
}

static void refused(const char *name, const char *because)
{
    assert_null(images_load(program_path(name), 2, 4096, why, sizeof why));
    assert_non_null(strstr(why, program_path(name)));
    if (!strstr(why, because))
        fail_msg("'%s' does not say '%s'", why, because);
}

static void what_cannot_be_copied_is_refused(void **unused)
{
    (void)unused;
    static const char script[] = "#!/bin/sh\nexit 0\n", text[] = "hello";
    program_write("script", script, sizeof script - 1);
    program_write("text", text, sizeof text - 1);
    program_write("nothing", "", 0);
    refused("script", "Permission denied");
    char command[512];
    snprintf(command, sizeof command, "chmod +x %s %s %s", program_path("script"), program_path("text"),
             program_path("nothing"));
    assert_int_equal(system(command), 0);
    refused("script", "script");
    refused("text", "no ELF");
    refused("nothing", "cannot be read");
    refused("absent", "No such file");
    assert_int_equal(program_build("fixed", SOURCE, "-no-pie -fno-pie"), 0);
    refused("fixed", "-fPIE -pie");
    if (!program_build("static", SOURCE, "-static"))
        refused("static", "-fPIE -pie");
    if (!program_build("static_pie", SOURCE, "-static-pie"))
        refused("static_pie", "statically linked");
    assert_int_equal(program_build("library", SOURCE, "-shared -fPIC"), 0);
    refused("library", "library");
    assert_int_equal(program_build("trampoline", SOURCE, "-Wl,-z,execstack"), 0);
    refused("trampoline", "stack");
}

static void text_relocations_are_refused(void **unused)
{
    (void)unused;
    static const char *const source = "int value; __asm__(\".text\\n.globl place\\nplace: .quad value\\n\");\n"
                                      "int main(void) { return 0; }\n";
    if (!program_build("textrel", source, "-fPIE -pie -Wl,-z,notext"))
        refused("textrel", "its code holds addresses");
    else
        skip();
}

static void every_shorter_file_is_refused_or_read(void **unused)
{
    (void)unused;
    size_t size;
    uint8_t *bytes = program_read("prog", &size);
    int refusals = 0;
    for (size_t n = 1; n < size; n += n < 1200 ? 1 : 97) {
        uint8_t *cut = at_a_cliff(bytes, n);
        refusals += use(cut, n, ELF_PROGRAM) < 0;
        leave_cliff(cut, n);
    }
    assert_true(refusals > 1200);
    free(bytes);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* One to four bytes among the headers and the dynamic section, or anywhere. */
static void damage(uint8_t *bytes, size_t size, const struct elf *e, uint64_t *state)
{
    const uint8_t *dynamic = elf_at(e, e->dynamic.at, e->dynamic.bytes);
    size_t start = (size_t)(dynamic - e->bytes);
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (uint64_t k = 1 + next_random(state) % 4; k > 0; k--) {
        uint64_t r = next_random(state);
        size_t at = r % 3 == 0 ? (r >> 8) % 900 : r % 3 == 1 ? start + (r >> 8) % e->dynamic.bytes : (r >> 8) % size;
        bytes[at] = next_random(state) % 2 ? values[next_random(state) % 5] : (uint8_t)next_random(state);
    }
}

static void no_damage_leads_outside_the_file(void **unused)
{
    (void)unused;
    size_t size;
    struct elf good;
    uint64_t state = 12345;
    uint8_t *bytes = program_read("prog", &size);
    assert_int_equal(elf_read(&good, bytes, size, ELF_PROGRAM, why, sizeof why), 0);
    uint8_t *spoilt = at_a_cliff(bytes, size);
    int read = 0, refusals = 0;
    for (int i = 0; i < 20000; i++) {
        memcpy(spoilt, bytes, size);
        damage(spoilt, size, &good, &state);
        if (use(spoilt, size, i % 2 ? ELF_PROGRAM : ELF_LIBRARY))
            refusals++;
        else
            read++;
    }
    assert_true(read > 1000 && refusals > 1000);
    leave_cliff(spoilt, size);
    free(bytes);
}

static int setup(void **unused)
{
    (void)unused;
    return program_folder_open() || program_build("prog", SOURCE, "-O2 -fPIE -pie");
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
        cmocka_unit_test(whole_program_is_read),
        cmocka_unit_test(quiet_program_has_nothing_to_run),
        cmocka_unit_test(needed_library_is_renamed),
        cmocka_unit_test(what_cannot_be_copied_is_refused),
        cmocka_unit_test(text_relocations_are_refused),
        cmocka_unit_test(every_shorter_file_is_refused_or_read),
        cmocka_unit_test(no_damage_leads_outside_the_file),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
