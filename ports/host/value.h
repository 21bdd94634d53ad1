/* value.h: values as people write them in environment variables. */
#ifndef MPICO_HOST_VALUE_H
#define MPICO_HOST_VALUE_H

#include <stddef.h>
#include <stdint.h>

#define VALUE_BYTES_WANTED "needs a number of bytes, as in 16384, 16K or 1M"
#define VALUE_SWITCH_WANTED "is 1, yes, on or true; or 0, no, off or false"

/* Digits, then nothing or K, M or G (of 1024). 0, or negative when it is anything else, or too large: then *out stays. */
int mpico_value_bytes(const char *text, size_t *out);
/* VALUE_SWITCH_WANTED, in letters of either case. 0 or negative, as above. */
int mpico_value_switch(const char *text, uint8_t *out);

#endif
