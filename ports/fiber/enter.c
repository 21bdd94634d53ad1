/* enter.c: a rank's program begins as if the kernel had started it: arguments, environment and auxiliary vector on
 * the stack (System V ABI, "Process Initialization"), then its _start, which calls __libc_start_main: ours.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "image.h"
#include "own.h"
#include "switch.h"
#include "take.h"

enum { AUX_WORDS = 8, SPARE_BYTES = 64 };

static size_t strings_bytes(char *const *argv, int argc)
{
    size_t bytes = 0;
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    return bytes;
}

static size_t count_of(char *const *list)
{
    size_t n = 0;
    while (list[n])
        n++;
    return n;
}

size_t fiber_enter_bytes(const struct fiber *f)
{
    const struct fiber_own *own = f->own;
    size_t words = 1 + (size_t)own->argc + 1 + count_of(own->envp) + 1 + AUX_WORDS;
    return (words * sizeof(uintptr_t) + strings_bytes(own->argv, own->argc) + SPARE_BYTES + 15) / 16 * 16;
}

/* The arguments are the rank's own to write to; the environment is the process's. */
static void *lay_out(struct fiber *f)
{
    struct fiber_own *own = f->own;
    char *text = own->stack_high - strings_bytes(own->argv, own->argc);
    uintptr_t *base = (uintptr_t *)(void *)(own->stack_high - fiber_enter_bytes(f)), *p = base;
    *p++ = (uintptr_t)own->argc;
    for (int i = 0; i < own->argc; i++) {
        *p++ = (uintptr_t)text;
        text = stpcpy(text, own->argv[i]) + 1;
    }
    *p++ = 0;
    for (char **e = own->envp; *e; e++)
        *p++ = (uintptr_t)*e;
    *p++ = 0;
    const uintptr_t aux[AUX_WORDS] = {AT_PAGESZ, getauxval(AT_PAGESZ), AT_RANDOM, getauxval(AT_RANDOM),
                                      AT_HWCAP,  getauxval(AT_HWCAP),  AT_NULL,   0};
    memcpy(p, aux, sizeof aux);
    return base;
}

void fiber_enter(struct fiber *f)
{
    void *sp = lay_out(f);
    mpico_fiber_jump(sp, images_entry(f->own->images, f->own->copy));
}

void *fiber_real(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f) {
        static const char why[] = "mpico: the C library lacks a function that --fibers needs\n";
        ssize_t ignored = write(2, why, sizeof why - 1);
        (void)ignored;
        _exit(1);
    }
    return f;
}

/* Variables that the C library sets for a process that begins. */
static void begin_variables(const struct fiber_own *own, char **argv, char **envp)
{
    char *slash = argv[0] ? strrchr(argv[0], '/') : NULL;
    *(char ***)images_private(own->images, own->copy, "environ") = envp;
    *(char **)images_private(own->images, own->copy, "program_invocation_name") = argv[0];
    *(char **)images_private(own->images, own->copy, "program_invocation_short_name") = slash ? slash + 1 : argv[0];
}

/* The C library's function of this name starts the runner itself; for a rank, its constructors, main and exit. */
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *stack)
{
    struct fiber *f = fiber_self();
    if (!f) {
        int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                    void *) = fiber_real("__libc_start_main");
        return real(program, argc, argv, init, fini, loader, stack);
    }
    char **envp = argv + argc + 1;
    begin_variables(f->own, argv, envp);
    images_construct(f->own->images, f->own->copy, argc, argv, envp);
    exit(program(argc, argv, envp));
}
