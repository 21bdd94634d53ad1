/* take.h: the C library's functions that this library defines itself, since a rank that calls them means its own
 * process. They stand before the C library's in the order of symbol lookup.
 */
#ifndef MPICO_FIBER_TAKE_H
#define MPICO_FIBER_TAKE_H

/* No header declares it. */
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *stack);
void (*__sysv_signal(int, void (*)(int)))(int);
void (*bsd_signal(int, void (*)(int)))(int);
int __cxa_atexit(void (*)(void *), void *argument, void *library);
int __cxa_at_quick_exit(void (*)(void *), void *library);
int __cxa_thread_atexit_impl(void (*)(void *), void *argument, void *library);

#endif
