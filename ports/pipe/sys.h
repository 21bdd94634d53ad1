/* sys.h: what this port asks of the system below it. Each board that uses the port implements it in a few lines:
 * boards/host-ring over a C library, boards/hexagon with the system calls alone.
 */
#ifndef MPICO_PIPE_SYS_H
#define MPICO_PIPE_SYS_H

#include <stddef.h>
#include <stdint.h>

/* A descriptor to sleep for. */
struct sys_wire {
    int fd;         /* -1: none */
    int wants_room; /* 1: also until it takes bytes */
};

/* Make a descriptor's reads and writes return at once. 0; negative: it is not open. */
int mpico_sys_open(int fd);
/* How many bytes came or were taken, 0 for none now; negative: the other end is closed. Never blocks after mpico_sys_open(),
 * never raises a signal. Any context. */
long mpico_sys_read(int fd, void *bytes, size_t len);
long mpico_sys_write(int fd, const void *bytes, size_t len);
/* Write a text to the error output. May block. Any context. */
void mpico_sys_print(const char *text, size_t len);
/* Sleep until one of two wires has something, `ms` have passed. */
void mpico_sys_sleep(const struct sys_wire wires[2], uint32_t ms);
/* Nanoseconds of a steady clock. Any context. */
uint64_t mpico_sys_now(void);
/* The value of an environment variable, or NULL. */
const char *mpico_sys_variable(const char *name);
/* Call a function about every `ms` while the program does something else, as a timer's interrupt does; not between lock
 * and unlock. 0: no more calls once this has returned. Negative: impossible. */
int mpico_sys_tick(uint32_t ms, void (*function)(void));
/* Keep that function out. Not to be nested. */
void mpico_sys_lock(void);
void mpico_sys_unlock(void);
/* End the process. */
__attribute__((noreturn)) void mpico_sys_exit(int code);

#endif
