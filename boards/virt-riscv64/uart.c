/* uart.c: the console (a 16550 at its reset settings: the emulated one needs no others) and the device that ends the
 * machine. */
#include "boot.h"

enum { TRANSMIT = 0, LINE_STATUS = 5, TRANSMIT_EMPTY = 0x20 };
enum { TEST_PASS = 0x5555, TEST_FAIL = 0x3333 };

void mpico_hart_write(const char *bytes, size_t len)
{
    volatile unsigned char *uart = (volatile unsigned char *)UART;
    for (size_t i = 0; i < len; i++) {
        while (!(uart[LINE_STATUS] & TRANSMIT_EMPTY)) {
        }
        uart[TRANSMIT] = (unsigned char)bytes[i];
    }
}

_Noreturn void mpico_hart_exit(int code)
{
    code &= 0xff;
    *(volatile uint32_t *)TEST_DEVICE = code ? (uint32_t)code << 16 | TEST_FAIL : TEST_PASS;
    for (;;)
        __asm__ volatile("wfi");
}
