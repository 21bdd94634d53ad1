/* exit.c: a rank's exit is the end of its fiber. What it asked to be called at its end is kept in a list of its own,
 * youngest first. exit() calls destructors of thread-local objects, the handlers, the program's destructors;
 * _exit() calls nothing.
 */
#include <stdlib.h>
#include <unistd.h>

#include "image.h"
#include "own.h"
#include "take.h"

static int remember(struct farewell **list, enum farewell_kind kind, void *function, void *argument)
{
    struct farewell *w = malloc(sizeof *w);
    if (!w)
        return -1;
    *w = (struct farewell){.next = *list, .kind = kind, .function = function, .argument = argument};
    *list = w;
    return 0;
}

static void call(const struct farewell *w, int code)
{
    if (w->kind == FAREWELL_EXIT_STATUS)
        ((void (*)(int, void *))w->function)(code, w->argument);
    else
        ((void (*)(void *))w->function)(w->argument);
}

/* One that calls exit() itself, or adds others: they come next. */
static void call_all(struct farewell **list, int quick, int code)
{
    while (*list) {
        struct farewell *w = *list, one = *w;
        *list = w->next;
        free(w);
        if ((one.kind == FAREWELL_QUICK) == quick)
            call(&one, code);
    }
}

/* A library that is there once for all ranks says goodbye to the process. */
static struct fiber *owner_of(const void *library)
{
    struct fiber *f = fiber_self();
    if (!f || !library)
        return f;
    const char *file;
    uintptr_t offset;
    return images_find(f->own->images, (uintptr_t)library, &file, &offset) >= 0 ? f : NULL;
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    struct fiber *f = owner_of(library);
    if (f)
        return remember(&f->own->exits, FAREWELL_EXIT, (void *)function, argument);
    int (*real)(void (*)(void *), void *, void *) = fiber_real("__cxa_atexit");
    return real(function, argument, library);
}

int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *library)
{
    struct fiber *f = fiber_self();
    if (f)
        return remember(&f->own->thread_exits, FAREWELL_EXIT, (void *)function, argument);
    int (*real)(void (*)(void *), void *, void *) = fiber_real("__cxa_thread_atexit_impl");
    return real(function, argument, library);
}

int __cxa_at_quick_exit(void (*function)(void *), void *library)
{
    struct fiber *f = owner_of(library);
    if (f)
        return remember(&f->own->exits, FAREWELL_QUICK, (void *)function, NULL);
    int (*real)(void (*)(void *), void *) = fiber_real("__cxa_at_quick_exit");
    return real(function, library);
}

int on_exit(void (*function)(int, void *), void *argument)
{
    struct fiber *f = fiber_self();
    if (f)
        return remember(&f->own->exits, FAREWELL_EXIT_STATUS, (void *)function, argument);
    int (*real)(void (*)(int, void *), void *) = fiber_real("on_exit");
    return real(function, argument);
}

void _exit(int code)
{
    if (fiber_self())
        fiber_leave(code);
    void (*real)(int) __attribute__((noreturn)) = fiber_real("_exit");
    real(code);
}

void _Exit(int code) { _exit(code); }

void exit(int code)
{
    struct fiber *f = fiber_self();
    if (!f) {
        void (*real)(int) __attribute__((noreturn)) = fiber_real("exit");
        real(code);
    }
    call_all(&f->own->thread_exits, 0, code);
    call_all(&f->own->exits, 0, code);
    images_destruct(f->own->images, f->own->copy);
    fflush(NULL); /* the files that the program has left open */
    fiber_leave(code);
}

void quick_exit(int code)
{
    struct fiber *f = fiber_self();
    if (!f) {
        void (*real)(int) __attribute__((noreturn)) = fiber_real("quick_exit");
        real(code);
    }
    call_all(&f->own->exits, 1, code);
    fiber_leave(code);
}

/* err(), error() and their like exit from inside the C library: its own list of handlers brings the rank here. */
static void leave_from_within(int code, void *unused)
{
    (void)unused;
    if (!fiber_self())
        return;
    struct fiber *f = fiber_step_out();
    on_exit(leave_from_within, NULL); /* for the next one: this entry has been used up */
    fiber_step_in(f);
    exit(code);
}

void exit_start(void) { on_exit(leave_from_within, NULL); }
