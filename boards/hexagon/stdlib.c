/* stdlib.c: the end of a program, its environment, numbers from text, random numbers, sorting, clocks. */
#include <stdlib.h>

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "call.h"

extern char **environ; /* start.c */

/* ---- The end ---- */

void exit(int code)
{
    fflush(NULL);
    for (;;)
        call(CALL_EXIT_GROUP, code, 0, 0, 0, 0, 0);
}

void abort(void)
{
    enum { AS_A_SHELL_SHOWS_SIGABRT = 134 };
    exit(AS_A_SHELL_SHOWS_SIGABRT);
}

void mpico_assert_fail(const char *condition, const char *file, int line);
void mpico_assert_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

char *getenv(const char *name)
{
    size_t n = strlen(name);
    for (char **e = environ; e && *e; e++) {
        if (!strncmp(*e, name, n) && (*e)[n] == '=')
            return *e + n + 1;
    }
    return NULL;
}

/* ---- Numbers ---- */

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 32) >= 'a' && (c | 32) <= 'z')
        return (c | 32) - 'a' + 10;
    return INT_MAX;
}

/* Too large a number becomes the nearest there is. */
long strtol(const char *restrict text, char **restrict end, int base)
{
    const char *c = text, *after = text;
    uint64_t n = 0;
    while (*c == ' ' || (*c >= '\t' && *c <= '\r'))
        c++;
    int negative = *c == '-';
    c += *c == '-' || *c == '+';
    if ((base == 0 || base == 16) && c[0] == '0' && (c[1] | 32) == 'x' && digit(c[2]) < 16) {
        base = 16;
        c += 2;
    } else if (base == 0) {
        base = *c == '0' ? 8 : 10;
    }
    for (; digit(*c) < base; after = ++c)
        n = n <= LONG_MAX ? n * (unsigned)base + (unsigned)digit(*c) : n;
    if (end)
        *end = (char *)(uintptr_t)after;
    if (negative)
        return n > LONG_MAX ? LONG_MIN : -(long)n;
    return n > LONG_MAX ? LONG_MAX : (long)n;
}

int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }

static uint64_t random_state = 1;

void srand(unsigned seed) { random_state = seed; }

/* The upper bits of a linear congruence modulo 2^64 (Knuth's multiplier). */
int rand(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1;
    return (int)(random_state >> 33);
}

/* ---- Sorting ---- */

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (; size; size--, a++, b++) {
        unsigned char c = *a;
        *a = *b;
        *b = c;
    }
}

/* Let the element at `root` of a heap of `count` sink to its place. */
static void sink(unsigned char *base, size_t root, size_t count, size_t size,
                 int (*compare)(const void *, const void *))
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0)
            child++;
        if (compare(base + root * size, base + child * size) >= 0)
            break;
        swap(base + root * size, base + child * size, size);
    }
}

/* Heap sort: no recursion, no memory, no bad case. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t i = count / 2; i-- > 0;)
        sink(base, i, count, size, compare);
    for (size_t i = count; i-- > 1;) {
        swap(base, (unsigned char *)base + i * size, size);
        sink(base, 0, i, size, compare);
    }
}

/* ---- Time ---- */

int clock_gettime(clockid_t clock, struct timespec *t)
{
    return call(CALL_CLOCK_GETTIME, clock, (long)t, 0, 0, 0, 0) ? -1 : 0;
}

/* The port's interrupt is a signal, which must not cut a sleep short. */
int nanosleep(const struct timespec *time, struct timespec *rest)
{
    struct timespec left = *time;
    long e;
    while ((e = call(CALL_CLOCK_NANOSLEEP, CLOCK_MONOTONIC, 0, (long)&left, (long)&left, 0, 0)) == -CALL_EINTR) {
    }
    if (e && rest)
        *rest = left;
    return e ? -1 : 0;
}

time_t time(time_t *to)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (to)
        *to = t.tv_sec;
    return t.tv_sec;
}
