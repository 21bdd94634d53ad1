/* value.c: see value.h. */
#include "value.h"

#include <string.h>
#include <strings.h>

int mpico_value_bytes(const char *text, size_t *out)
{
    size_t n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, (size_t)10, &n) || __builtin_add_overflow(n, (size_t)(*at - '0'), &n))
            return -1;
    static const char units[] = "KMG";
    const char *unit = *at > 0x20 ? strchr(units, *at & ~0x20) : NULL; /* in capitals */
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (at == text || at[unit != NULL] || __builtin_mul_overflow(n, (size_t)1 << shift, &n))
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
