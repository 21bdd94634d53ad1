/* libc.c: what picolibc asks of the system below it. Output goes to the console in whole lines; there are no files
 * and no input; the heap is the rest of the hart's memory, and malloc() fails when that is used up.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "boot.h"
#include "chip_port.h"

int nanosleep(const struct timespec *for_time, struct timespec *rest); /* picolibc does not say */

enum { LINE_MAX = 512, NS_PER_S = 1000000000 };

/* ---- Streams ---- */

struct line {
    size_t len;
    char text[LINE_MAX];
};
static struct line out_line, error_line;

static void put_out(struct line *l)
{
    if (l->len)
        mpico_chip_print(l->text, l->len);
    l->len = 0;
}

static void put(struct line *l, char c)
{
    l->text[l->len++] = c;
    if (c == '\n' || l->len == LINE_MAX)
        put_out(l);
}

static int out_put(char c, FILE *f)
{
    (void)f;
    put(&out_line, c);
    return (unsigned char)c;
}

static int error_put(char c, FILE *f)
{
    (void)f;
    put(&error_line, c);
    return (unsigned char)c;
}

static int out_flush(FILE *f)
{
    (void)f;
    put_out(&out_line);
    return 0;
}

static int no_input(FILE *f)
{
    (void)f;
    return _FDEV_EOF;
}

static FILE out = FDEV_SETUP_STREAM(out_put, NULL, out_flush, _FDEV_SETUP_WRITE);
static FILE error = FDEV_SETUP_STREAM(error_put, NULL, NULL, _FDEV_SETUP_WRITE);
static FILE in = FDEV_SETUP_STREAM(NULL, no_input, NULL, _FDEV_SETUP_READ);
FILE *const stdout = &out;
FILE *const stderr = &error;
FILE *const stdin = &in;

void mpico_chip_flush(void)
{
    put_out(&out_line);
    put_out(&error_line);
}

/* ---- The rest ---- */

static char *no_environment[1];
char **environ = no_environment;

void *sbrk(ptrdiff_t more)
{
    static uintptr_t end;
    uintptr_t first = (uintptr_t)mpico_chip_arena_end, last = private_address + mpico_chip.private_bytes;
    if (!end)
        end = first;
    if (more > (ptrdiff_t)(last - end) || more < (ptrdiff_t)(first - end)) {
        errno = ENOMEM;
        return (void *)(intptr_t)-1;
    }
    end += (uintptr_t)more;
    return (void *)(end - (uintptr_t)more);
}

int nanosleep(const struct timespec *for_time, struct timespec *rest)
{
    uint64_t ns = (uint64_t)for_time->tv_sec * NS_PER_S + (uint64_t)for_time->tv_nsec;
    uint64_t until = hart_ticks() + ns / mpico_chip.tick_ns + 1;
    for (uint64_t now; (now = hart_ticks()) < until;)
        mpico_hart_nap(until - now);
    if (rest)
        *rest = (struct timespec){0};
    return 0;
}

_Noreturn void _exit(int code)
{
    mpico_chip_flush();
    mpico_chip_leave(code);
}

/* abort() comes here. */
int kill(pid_t pid, int signal)
{
    (void)pid;
    (void)signal;
    mpico_machine.halt(NULL, 134, "the program has called abort()");
}

pid_t getpid(void) { return 1; }
