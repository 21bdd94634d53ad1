/* format.c: printf's conversions. Each is brought into the form sign, zeros, body, and then put into its field. */
#include "format.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { BODY_ROOM = 72, WIDTH_MAX = 4096 };

/* One conversion of a format: %-08.3lf */
struct spec {
    int left, zeros, alternate;
    char plus;            /* what a positive number begins with, 0: nothing */
    int width, precision; /* precision -1: not given */
    int size;             /* of the integer, in bytes */
    char conversion;
};

struct output {
    struct sink *sink;
    size_t length;
};

static void put(struct output *o, const char *text, size_t len)
{
    o->sink->put(o->sink, text, len);
    o->length += len;
}

static void put_many(struct output *o, char c, long count)
{
    for (; count > 0; count--)
        put(o, &c, 1);
}

/* prefix (sign, 0x), `zeros` times '0', body; in a field of the width. */
static void put_field(struct output *o, const struct spec *s, const char *prefix, long zeros, const char *body,
                      size_t len)
{
    long blank = s->width - (long)strlen(prefix) - (long)len - zeros;
    if (!s->left)
        put_many(o, ' ', blank);
    put(o, prefix, strlen(prefix));
    put_many(o, '0', zeros);
    put(o, body, len);
    if (s->left)
        put_many(o, ' ', blank);
}

/* ---- Reading the format ---- */

static int read_number(const char **f, va_list *values)
{
    int n = 0;
    if (**f == '*') {
        (*f)++;
        return va_arg(*values, int);
    }
    for (; **f >= '0' && **f <= '9'; (*f)++)
        n = n < WIDTH_MAX ? n * 10 + **f - '0' : n;
    return n;
}

static const char *read_flags(const char *f, struct spec *s)
{
    for (;; f++) {
        if (*f == '-')
            s->left = 1;
        else if (*f == '0')
            s->zeros = 1;
        else if (*f == '#')
            s->alternate = 1;
        else if (*f == '+' || (*f == ' ' && !s->plus))
            s->plus = *f;
        else if (*f != ' ')
            return f;
    }
}

static const char *read_size(const char *f, struct spec *s)
{
    s->size = (int)sizeof(int);
    for (;; f++) {
        if (*f == 'h')
            s->size /= 2;
        else if (*f == 'l')
            s->size = f[1] == 'l' || f[-1] == 'l' ? (int)sizeof(long long) : (int)sizeof(long);
        else if (*f == 'z' || *f == 't')
            s->size = (int)sizeof(size_t);
        else if (*f == 'j')
            s->size = (int)sizeof(intmax_t);
        else if (*f != 'L') /* a long double is a double */
            return f;
    }
}

static const char *read_spec(const char *f, struct spec *s, va_list *values)
{
    *s = (struct spec){.precision = -1};
    f = read_flags(f, s);
    s->width = read_number(&f, values);
    if (s->width < 0) {
        s->left = 1;
        s->width = s->width < -WIDTH_MAX ? WIDTH_MAX : -s->width;
    }
    if (*f == '.') {
        f++;
        s->precision = read_number(&f, values);
        s->precision = s->precision < 0 ? -1 : s->precision;
    }
    f = read_size(f, s);
    s->conversion = *f;
    return *f ? f + 1 : f;
}

/* ---- One kind of value each ---- */

/* Small integers come as int. */
static uint64_t integer(const struct spec *s, va_list *values, int is_signed)
{
    if (s->size == (int)sizeof(long long))
        return va_arg(*values, unsigned long long);
    unsigned n = va_arg(*values, unsigned);
    if (!is_signed)
        return s->size == 1 ? (unsigned char)n : s->size == 2 ? (unsigned short)n : n;
    return (uint64_t)(int64_t)(s->size == 1 ? (signed char)n : s->size == 2 ? (short)n : (int)n);
}

static void put_integer(struct output *o, const struct spec *s, uint64_t n, unsigned base, const char *prefix)
{
    char body[BODY_ROOM];
    size_t at = sizeof body;
    const char *digits = s->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    for (; n; n /= base)
        body[--at] = digits[n % base];
    long len = (long)(sizeof body - at), least = s->precision < 0 ? 1 : s->precision;
    if (s->zeros && !s->left && s->precision < 0)
        least = s->width - (long)strlen(prefix) > 1 ? s->width - (long)strlen(prefix) : 1;
    put_field(o, s, prefix, least > len ? least - len : 0, body + at, (size_t)len);
}

static void put_signed(struct output *o, const struct spec *s, va_list *values)
{
    int64_t n = (int64_t)integer(s, values, 1);
    const char plus[2] = {s->plus, 0};
    put_integer(o, s, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, 10, n < 0 ? "-" : plus);
}

static void put_unsigned(struct output *o, const struct spec *s, va_list *values)
{
    uint64_t n = integer(s, values, 0);
    unsigned base = s->conversion == 'u' ? 10 : s->conversion == 'o' ? 8 : 16;
    int mark = s->alternate && n;
    put_integer(o, s, n, base, !mark || base == 10 ? "" : base == 8 ? "0" : s->conversion == 'x' ? "0x" : "0X");
}

static void put_pointer(struct output *o, struct spec *s, va_list *values)
{
    s->conversion = 'x';
    put_integer(o, s, (uintptr_t)va_arg(*values, void *), 16, "0x");
}

static void put_text(struct output *o, const struct spec *s, const char *text)
{
    size_t len = 0, most = s->precision < 0 ? SIZE_MAX : (size_t)s->precision;
    text = text ? text : "(null)";
    while (len < most && text[len])
        len++;
    put_field(o, s, "", 0, text, len);
}

static void put_character(struct output *o, const struct spec *s, char c) { put_field(o, s, "", 0, &c, 1); }

static void put_double(struct output *o, const struct spec *s, double value)
{
    char body[DOUBLE_ROOM];
    int negative = __builtin_signbit(value) != 0;
    const char plus[2] = {s->plus, 0}, *sign = negative ? "-" : plus;
    size_t len = mpico_format_double(body, negative ? -value : value, s->conversion, s->precision);
    long zeros = s->zeros && !s->left ? s->width - (long)strlen(sign) - (long)len : 0;
    put_field(o, s, sign, zeros > 0 ? zeros : 0, body, len);
}

static void put_value(struct output *o, struct spec *s, va_list *values)
{
    switch (s->conversion) {
    case 'd':
    case 'i':
        put_signed(o, s, values);
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_unsigned(o, s, values);
        break;
    case 'p':
        put_pointer(o, s, values);
        break;
    case 'c':
        put_character(o, s, (char)va_arg(*values, int));
        break;
    case 's':
        put_text(o, s, va_arg(*values, const char *));
        break;
    case 'f':
    case 'e':
    case 'g':
        put_double(o, s, va_arg(*values, double));
        break;
    default:
        put_character(o, s, s->conversion);
        break; /* %% */
    }
}

int mpico_format(struct sink *sink, const char *format, va_list values)
{
    struct output o = {.sink = sink};
    va_list rest;
    va_copy(rest, values);
    while (*format) {
        size_t plain = 0;
        while (format[plain] && format[plain] != '%')
            plain++;
        put(&o, format, plain);
        format += plain;
        if (*format == '%') {
            struct spec s;
            format = read_spec(format + 1, &s, &rest);
            put_value(&o, &s, &rest);
        }
    }
    va_end(rest);
    return (int)o.length;
}
