/* text_small.c: in place of text.c in small builds: numbers of 32 bits, and no base but ten. */
#include "text.h"

#include <stdint.h>

enum { DIGITS_MAX = 10 };

size_t mpico_text_vformat(char *out, size_t size, const char *format, va_list args)
{
    char digits[DIGITS_MAX + 1], *at = out, *end = out + size - 1;
    if (size == 0)
        return 0;
    for (; *format; format++) {
        const char *from = format, *to = format + 1;
        if (*format == '%' && *++format == 's') {
            for (from = to = va_arg(args, const char *); *to; to++)
                ;
        } else if (from != format) {
            long n = *format == 'l'   ? (long)va_arg(args, long long)
                     : *format == 'z' ? (long)va_arg(args, size_t)
                                      : va_arg(args, int);
            uint32_t rest = n < 0 && *format != 'z' ? 0 - (uint32_t)n : (uint32_t)n;
            char *digit = digits + sizeof digits;
            to = digit;
            do
                *--digit = (char)('0' + rest % 10);
            while (rest /= 10);
            if (n < 0 && *format != 'z')
                *--digit = '-';
            from = digit;
        }
        while (from < to && at < end)
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
