/* frame.c: the check sums of a frame, four bits at a time. */
#include "frame.h"

#include "../cost.h"

uint16_t mpico_frame_crc16(const void *bytes, size_t len)
{
    static const uint16_t table[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
                                       0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef};
    const uint8_t *b = bytes;
    unsigned crc = 0xffff;
    cost(COST_CRC, len);
    for (size_t i = 0; i < len; i++) {
        crc = (crc << 4 & 0xffff) ^ table[crc >> 12 ^ b[i] >> 4];
        crc = (crc << 4 & 0xffff) ^ table[crc >> 12 ^ (b[i] & 15)];
    }
    return (uint16_t)crc;
}

uint32_t mpico_frame_crc32(const void *bytes, size_t len)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const uint8_t *b = bytes;
    uint32_t crc = 0xffffffff;
    cost(COST_CRC, len);
    for (size_t i = 0; i < len; i++) {
        crc = crc >> 4 ^ table[(crc ^ b[i]) & 15];
        crc = crc >> 4 ^ table[(crc ^ (uint32_t)b[i] >> 4) & 15];
    }
    return ~crc;
}
