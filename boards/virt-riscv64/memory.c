/* memory.c: memcpy(), memmove() and memset() by words. The library that comes with the compiler is built for size and
 * moves bytes.
 *
 * A word is written whole to an aligned address; if the source is not aligned alike, it is put together from the two
 * words around it, which never reads a word that does not hold a byte of the source.
 */
#include <stdint.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) word;
typedef uint32_t __attribute__((may_alias)) half;

enum { WORD = sizeof(word), BLOCK = 8 * WORD, WORD_BITS = 64 };

/* The compiler must not make calls of memcpy() of these loops. */
#define PLAIN __attribute__((optimize("no-tree-loop-distribute-patterns")))

PLAIN static void copy_bytes(unsigned char *to, const unsigned char *from, size_t n)
{
    for (; n; n--)
        *to++ = *from++;
}

PLAIN static size_t copy_aligned(unsigned char *to, const unsigned char *from, size_t n)
{
    word *t = (word *)(void *)to;
    const word *f = (const word *)(const void *)from;
    size_t left = n;
    for (; left >= BLOCK; left -= BLOCK, t += 8, f += 8) {
        word a = f[0], b = f[1], c = f[2], d = f[3], e = f[4], g = f[5], h = f[6], i = f[7];
        t[0] = a, t[1] = b, t[2] = c, t[3] = d, t[4] = e, t[5] = g, t[6] = h, t[7] = i;
    }
    for (; left >= WORD; left -= WORD)
        *t++ = *f++;
    return n - left;
}

/* `to` is aligned, `from` is not. */
PLAIN static size_t copy_shifted(unsigned char *to, const unsigned char *from, size_t n)
{
    unsigned shift = (unsigned)((uintptr_t)from % WORD) * 8;
    word *t = (word *)(void *)to;
    const word *f = (const word *)((uintptr_t)from & ~(uintptr_t)(WORD - 1));
    word low = *f++;
    size_t left = n;
    for (; left >= WORD; left -= WORD) {
        word high = *f++;
        *t++ = low >> shift | high << (WORD_BITS - shift);
        low = high;
    }
    return n - left;
}

/* Never writes a word before it has read what it overwrites, if `to` is at least a word below `from`. */
PLAIN static inline void copy_upwards(unsigned char *to, const unsigned char *from, size_t n)
{
    if (n >= 2 * WORD) {
        size_t head = -(uintptr_t)to % WORD;
        copy_bytes(to, from, head);
        to += head, from += head, n -= head;
        size_t done = (uintptr_t)from % WORD ? copy_shifted(to, from, n) : copy_aligned(to, from, n);
        to += done, from += done, n -= done;
    }
    copy_bytes(to, from, n);
}

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    if (n == sizeof(half) && (((uintptr_t)to | (uintptr_t)from) & (sizeof(half) - 1)) == 0)
        *(half *)to = *(const half *)from;
    else
        copy_upwards(to, from, n);
    return to;
}

PLAIN void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t - (uintptr_t)f < n)
        while (n--)
            t[n] = f[n];
    else if ((uintptr_t)f - (uintptr_t)t < WORD)
        copy_bytes(t, f, n);
    else
        copy_upwards(t, f, n);
    return to;
}

PLAIN void *memset(void *to, int value, size_t n)
{
    unsigned char *t = to;
    word all = (unsigned char)value * (UINT64_MAX / 255);
    for (; n && (uintptr_t)t % WORD; n--)
        *t++ = (unsigned char)value;
    for (; n >= BLOCK; n -= BLOCK, t += BLOCK) {
        word *w = (word *)(void *)t;
        w[0] = all, w[1] = all, w[2] = all, w[3] = all, w[4] = all, w[5] = all, w[6] = all, w[7] = all;
    }
    for (; n >= WORD; n -= WORD, t += WORD)
        *(word *)(void *)t = all;
    for (; n; n--)
        *t++ = (unsigned char)value;
    return to;
}
