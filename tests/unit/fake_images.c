/* fake_images.c: see fake_images.h. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fake_images.h"
#include "fake_program.h"

/* The only thread-local variable of this executable, as the runner has one: it ends at the thread pointer. */
_Alignas(64) _Thread_local char images_window[WINDOW];

char images_why[512];
char *images_no_words[] = {NULL};

struct images *images_loaded(const char *name, int copies)
{
    memset(images_window, 0, sizeof images_window);
    struct images *s = images_load(program_path(name), copies, WINDOW, images_why, sizeof images_why);
    if (!s)
        fail_msg("%s", images_why);
    return s;
}

void images_refused(const char *name, const char *because)
{
    struct images *s = images_load(program_path(name), 2, WINDOW, images_why, sizeof images_why);
    if (s || !strstr(images_why, because))
        fail_msg("'%s' does not say '%s'", s ? "" : images_why, because);
}

void images_made(struct images *s, int i)
{
    assert_int_equal(images_make(s, i), 0);
    images_construct(s, i, 0, images_no_words, images_no_words);
}

int images_call(struct images *s, int i, const char *name)
{
    void *f = images_symbol(s, i, name);
    if (!f) {
        fail_msg("no %s", name);
        abort();
    }
    return ((int (*)(void))f)();
}

int *images_variable(struct images *s, int i, const char *name)
{
    int *v = images_symbol(s, i, name);
    assert_non_null(v);
    return v;
}

int images_owner(struct images *s, const void *address)
{
    const char *file;
    uintptr_t offset;
    return images_find(s, (uintptr_t)address, &file, &offset);
}
