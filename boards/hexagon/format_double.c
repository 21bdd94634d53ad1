/* format_double.c: doubles in decimal. The digits come from one multiplication or division by a power of ten, so that the last
 * of seventeen may be off by a few: enough to read, not to write a number and read the same one back.
 */
#include <stdint.h>
#include <string.h>

#include "format.h"

enum { EXACT_POWERS = 18 };

static double power_of_ten(int n)
{
    double p = 1;
    for (; n > 0; n--)
        p *= 10;
    return p;
}

/* At least `least` digits. */
static size_t put_whole(char *out, uint64_t n, int least)
{
    char digits[24];
    int i = (int)sizeof digits;
    for (; n || least > 0; n /= 10, least--)
        digits[--i] = (char)('0' + (char)(n % 10));
    memcpy(out, digits + i, sizeof digits - (size_t)i);
    return sizeof digits - (size_t)i;
}

/* `whole` tenths to the power `precision`, with the point where it belongs. */
static size_t put_point(char *out, uint64_t whole, int precision)
{
    size_t n = put_whole(out, whole, precision + 1), before = n - (size_t)precision;
    if (precision == 0)
        return n;
    memmove(out + before + 1, out + before, (size_t)precision);
    out[before] = '.';
    return n + 1;
}

static size_t drop_zeros(const char *out, size_t n)
{
    if (memchr(out, '.', n)) {
        while (out[n - 1] == '0')
            n--;
        n -= out[n - 1] == '.';
    }
    return n;
}

/* A value > 0 as m * 10^e with 1 <= m < 10. One division by an exact power suffices between 1 and 10^22. */
static double scale(double value, int *exponent)
{
    int far = 0, near = 0;
    for (; value >= 1e22; far += 16)
        value /= 1e16;
    for (; value < 1e-6; far -= 16)
        value *= 1e16;
    while (value >= power_of_ten(near + 1))
        near++;
    while (value * power_of_ten(-near) < 1)
        near--;
    *exponent = far + near;
    return near >= 0 ? value / power_of_ten(near) : value * power_of_ten(-near);
}

/* The digits of value * 10^precision, rounded, ties to even. Both are small enough for 64 bits. */
static uint64_t rounded(double value, int precision)
{
    double all = value * power_of_ten(precision);
    uint64_t n = (uint64_t)all;
    double rest = all - (double)n;
    return n + (rest > 0.5 || (rest == 0.5 && n & 1));
}

static size_t put_exponent(char *out, double value, int precision, int short_form)
{
    int exponent = 0;
    double m = value > 0 ? scale(value, &exponent) : 0;
    uint64_t digits = rounded(m, precision);
    if (digits >= rounded(10, precision)) {
        digits /= 10;
        exponent++;
    }
    size_t n = put_point(out, digits, precision);
    if (short_form)
        n = drop_zeros(out, n);
    out[n++] = 'e';
    out[n++] = exponent < 0 ? '-' : '+';
    return n + put_whole(out + n, (uint64_t)(exponent < 0 ? -exponent : exponent), 2);
}

static int fits(double value, int precision) { return value * power_of_ten(precision) < 1e18; }

/* %g: as many digits as asked for, as %e when the exponent of the rounded number is out of range. */
static size_t put_short(char *out, double value, int precision)
{
    int exponent = 0, p = precision ? precision : 1;
    double m = value > 0 ? scale(value, &exponent) : 0;
    if (rounded(m, p - 1) >= rounded(10, p - 1))
        exponent++;
    int after = p - 1 - exponent;
    if (exponent < -4 || exponent >= p || after > EXACT_POWERS || !fits(value, after))
        return put_exponent(out, value, p - 1, 1);
    return drop_zeros(out, put_point(out, rounded(value, after), after));
}

size_t mpico_format_double(char *out, double value, char conversion, int precision)
{
    int p = precision < 0 ? 6 : precision < DIGITS_MAX ? precision : DIGITS_MAX;
    if (value != value || value > 1.7976931348623157e308) {
        memcpy(out, value != value ? "nan" : "inf", 3);
        return 3;
    }
    if (conversion == 'g')
        return put_short(out, value, p);
    if (conversion == 'e' || !fits(value, p))
        return put_exponent(out, value, p, 0);
    return put_point(out, rounded(value, p), p);
}
