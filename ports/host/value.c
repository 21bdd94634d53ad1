/* value.c: see value.h. */
#include "value.h"

#include <strings.h>

/* The power of two that a letter stands for, -1: none. */
static int shift_of(char letter)
{
    switch (letter) {
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    default:
        return -1;
    }
}

int mpico_value_bytes(const char *text, size_t *out)
{
    size_t n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, (size_t)10, &n) || __builtin_add_overflow(n, (size_t)(*at - '0'), &n))
            return -1;
    int shift = *at ? shift_of(*at) : 0;
    if (at == text || shift < 0 || (*at && at[1]) || __builtin_mul_overflow(n, (size_t)1 << shift, &n))
        return -1;
    *out = n;
    return 0;
}

int mpico_value_switch(const char *text, uint8_t *out)
{
    static const char words[][6] = {"0", "1", "no", "yes", "off", "on", "false", "true"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *out = i % 2;
            return 0;
        }
    return -1;
}
