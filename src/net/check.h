/* check.h: the check sum of src/net/hop.c: CRC-32 (IEEE 802.3), continued from any value and not inverted at its end. */
#ifndef MPICO_NET_CHECK_H
#define MPICO_NET_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* `crc` after these bytes. Behind bytes whose sum is s, the four bytes of s, lowest first, make the sum 0; its two lowest
 * bytes alone make it less than 65536, and two other bytes do not. */
uint32_t mpico_check(uint32_t crc, const void *bytes, size_t len);

#endif
