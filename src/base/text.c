/* text.c: see text.h. Digits are made from the right into a buffer of 20, the length of 2^64 - 1. */
#include "text.h"

#include <stdint.h>

enum { DIGITS_MAX = 20 };

struct text {
    char *at, *end; /* end: where the terminator must fit */
};

static void put(struct text *t, char c)
{
    if (t->at < t->end)
        *t->at++ = c;
}

static void put_string(struct text *t, const char *s)
{
    for (s = s ? s : "(null)"; *s; s++)
        put(t, *s);
}

/* n / base in place, and the remainder: by 16 bits, so that a small processor needs no division of 64. */
static unsigned divide(uint64_t *n, unsigned base)
{
    uint32_t rest = 0;
    uint64_t quotient = 0;
    for (int shift = 48; shift >= 0; shift -= 16) {
        rest = rest << 16 | (uint16_t)(*n >> shift);
        quotient = quotient << 16 | rest / base;
        rest %= base;
    }
    *n = quotient;
    return (unsigned)rest;
}

static void put_number(struct text *t, uint64_t n, unsigned base)
{
    char digits[DIGITS_MAX];
    int len = 0;
    do
        digits[len++] = "0123456789abcdef"[divide(&n, base)];
    while (n);
    while (len)
        put(t, digits[--len]);
}

static void put_signed(struct text *t, int64_t n)
{
    if (n < 0)
        put(t, '-');
    /* Unsigned negation: -INT64_MIN has no int64_t. */
    put_number(t, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, 10);
}

size_t mpico_text_vformat(char *out, size_t size, const char *format, va_list args)
{
    if (size == 0)
        return 0;
    struct text t = {out, out + size - 1};
    for (; *format; format++) {
        if (*format != '%' || format[1] == 0) {
            put(&t, *format);
            continue;
        }
        switch (*++format) {
        case 'd':
            put_signed(&t, va_arg(args, int));
            break;
        case 'l':
            put_signed(&t, va_arg(args, long long));
            break;
        case 'u':
            put_number(&t, va_arg(args, unsigned), 10);
            break;
        case 'x':
            put_number(&t, va_arg(args, unsigned), 16);
            break;
        case 'z':
            put_number(&t, va_arg(args, size_t), 10);
            break;
        case 's':
            put_string(&t, va_arg(args, const char *));
            break;
        default:
            put(&t, *format);
            break;
        }
    }
    *t.at = 0;
    return (size_t)(t.at - out);
}

size_t mpico_text_format(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t len = mpico_text_vformat(out, size, format, args);
    va_end(args);
    return len;
}
