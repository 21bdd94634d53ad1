/* text.h: a small bounded formatter, so that errors can speak where there is no printf. */
#ifndef MPICO_TEXT_H
#define MPICO_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Write `format` into out[size], always terminated when size > 0, cut when too long; returns the
 * length written. Conversions: %d int, %u unsigned, %x unsigned in hexadecimal, %l long long,
 * %z size_t, %s string (NULL: "(null)"), %%. No widths, no flags. Small builds have no %x, no NULL as a string, and print the
 * lower 32 bits of %l and %z. Never blocks. */
size_t mpico_text_format(char *out, size_t size, const char *format, ...);
size_t mpico_text_vformat(char *out, size_t size, const char *format, va_list);

#endif
