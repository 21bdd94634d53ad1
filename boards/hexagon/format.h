/* format.h: the conversions of printf, apart from where the text goes. */
#ifndef MPICO_HEXAGON_FORMAT_H
#define MPICO_HEXAGON_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Takes the text piece by piece. */
struct sink {
    void (*put)(struct sink *, const char *text, size_t len);
};

enum { DOUBLE_ROOM = 64, DIGITS_MAX = 17 };

/* How many characters went into the sink. */
int mpico_format(struct sink *, const char *format, va_list);

/* A number of 0 or more as %f, %e or %g show it, without sign; at most DIGITS_MAX digits of fraction. Its length; out holds
 * DOUBLE_ROOM. What %f cannot show exactly, numbers above 10^18, comes as %e. */
size_t mpico_format_double(char *out, double value, char conversion, int precision);

#endif
