/* string.c: memory and strings. Copies go by words where both ends allow it; the processor faults on other addresses. */
#include <string.h>

#include <stdint.h>

/* May stand for objects of any type. */
typedef uint64_t __attribute__((may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((((uintptr_t)t | (uintptr_t)f) & (sizeof(word) - 1)) == 0) {
        for (; n >= sizeof(word); n -= sizeof(word), t += sizeof(word), f += sizeof(word))
            *(word *)(void *)t = *(const word *)(const void *)f;
    }
    for (; n; n--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t - (uintptr_t)f >= n) /* the beginning is not inside the source */
        return memcpy(to, from, n);
    while (n) {
        n--;
        t[n] = f[n];
    }
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    unsigned char *t = to;
    for (; n; n--)
        *t++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n; n--, x++, y++) {
        if (*x != *y)
            return *x < *y ? -1 : 1;
    }
    return 0;
}

void *memchr(const void *in, int byte, size_t n)
{
    const unsigned char *c = in;
    for (; n; n--, c++) {
        if (*c == (unsigned char)byte)
            return (void *)(uintptr_t)c;
    }
    return NULL;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++) {
        if (*a != *b)
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, SIZE_MAX); }

char *strchr(const char *s, int c)
{
    for (; *s != (char)c; s++) {
        if (!*s)
            return NULL;
    }
    return (char *)(uintptr_t)s;
}

char *strstr(const char *in, const char *what)
{
    size_t n = strlen(what);
    for (; strncmp(in, what, n) != 0; in++) {
        if (!*in)
            return NULL;
    }
    return (char *)(uintptr_t)in;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    memcpy(to, from, strlen(from) + 1);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    memset(to + i, 0, n - i);
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    strcpy(to + strlen(to), from);
    return to;
}
