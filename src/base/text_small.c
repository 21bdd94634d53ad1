/* text_small.c: in place of text.c in small builds: numbers of 32 bits, and no base but ten. */
#include "text.h"

#include <stdint.h>

enum { DIGITS_MAX = 11 }; /* and a sign */

/* The digits of a number, from where it returns up to `end`. */
static char *digits(char *end, uint32_t n, int negative)
{
    n = negative ? 0 - n : n;
    do
        *--end = (char)('0' + n % 10);
    while (n /= 10);
    if (negative)
        *--end = '-';
    return end;
}

size_t mpico_text_vformat(char *out, size_t size, const char *format, va_list args)
{
    char number[DIGITS_MAX], *at = out;
    if (size == 0)
        return 0;
    for (; *format; format++) {
        char kind = *format == '%' && format[1] ? *++format : 0;
        const char *from = format, *to = format + 1; /* what is put: the character itself */
        if (kind == 's') {
            for (from = to = va_arg(args, const char *); *to; to++)
                ;
        } else if (kind >= 'a') { /* not '%' */
            int32_t n = kind == 'l'   ? (int32_t)va_arg(args, long long)
                        : kind == 'z' ? (int32_t)va_arg(args, size_t)
                                      : va_arg(args, int);
            to = number + DIGITS_MAX;
            from = digits(number + DIGITS_MAX, (uint32_t)n, (n < 0) & (kind < 'u')); /* one &: a branch less */
        }
        for (; from < to && size > 1; size--)
            *at++ = *from++;
    }
    *at = 0;
    return (size_t)(at - out);
}

size_t mpico_text_format(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t len = mpico_text_vformat(out, size, format, args);
    va_end(args);
    return len;
}
