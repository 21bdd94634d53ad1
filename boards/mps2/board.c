/* board.c: Arm's MPS2 boards as nodes of a ring. Console on UART0, the right neighbour on UART1, the left one on UART2. The boards
 * with the images AN385 (Cortex-M3), AN386 (M4) and AN500 (M7) have all of this at the same addresses.
 */
#include "../../ports/board/board.h"

#include "../cortex-m/cortex_m.h"
#include "uart.h"

#define UART0 0x40004000u
#define UART1 0x40005000u
#define UART2 0x40006000u
#define COUNTER 0x40028018u /* FPGAIO: counts at 25 MHz, since the prescaler is 0 */

enum { CLOCK_HZ = 25000000, NS_PER_COUNT = 40, DRAIN_COUNTS = CLOCK_HZ / 10 };
enum { CONSOLE_RX = 0, RIGHT_RX = 2, RIGHT_TX = 3, LEFT_RX = 4, LEFT_TX = 5 };
enum { APPLICATION_EXIT = 0x20026 };

/* Rank, size, nonce, written by whoever loads the program; where, the board's linker script says. */
extern volatile uint32_t mpico_identity[3];

static struct uart right, left;
struct lane *const board_left = &left.lane, *const board_right = &right.lane;

static void console_received(void)
{
    REG(UART0 + 0x0C) = 2;
    (void)REG(UART0);
    if (mpico_board_asked)
        mpico_board_asked();
}

void board_irq(unsigned irq)
{
    switch (irq) {
    case CONSOLE_RX:
        console_received();
        break;
    case RIGHT_RX:
        uart_received(&right);
        break;
    case RIGHT_TX:
        uart_sent(&right);
        break;
    case LEFT_RX:
        uart_received(&left);
        break;
    case LEFT_TX:
        uart_sent(&left);
        break;
    }
}

void board_start(void)
{
    REG(UART0 + 0x10) = 16;
    REG(UART0 + 0x08) = 1 | 2 | 8; /* both ways; an interrupt when somebody asks */
    uart_start(&right, UART1, RIGHT_RX, RIGHT_TX);
    uart_start(&left, UART2, LEFT_RX, LEFT_TX);
    cortex_m_irq_enable(CONSOLE_RX);
    cortex_m_irq_enable(RIGHT_RX);
    cortex_m_irq_enable(RIGHT_TX);
    cortex_m_irq_enable(LEFT_RX);
    cortex_m_irq_enable(LEFT_TX);
    cortex_m_tick_start(CLOCK_HZ);
}

int board_identity(int *rank, int *size)
{
    uint32_t r = mpico_identity[0], n = mpico_identity[1];
    if (n == 0 || n > 0x7fff || r >= n)
        return -1;
    *rank = (int)r;
    *size = (int)n;
    return 0;
}

uint32_t board_nonce(void) { return mpico_identity[2]; }

/* The counter has 32 bits, which is 171 s: the tick looks at it often enough. */
uint64_t board_now_ns(void)
{
    static uint32_t low, high;
    uint32_t was = cortex_m_lock();
    uint32_t now = REG(COUNTER);
    high += now < low;
    low = now;
    uint64_t count = (uint64_t)high << 32 | now;
    cortex_m_unlock(was);
    return count * NS_PER_COUNT;
}

void board_sleep(void) { cortex_m_sleep(); }

void board_write(const char *bytes, size_t len)
{
    while (len--)
        uart_write_now(UART0, *bytes++);
}

/* The last acknowledgements: the neighbours wait for them. No interrupt is needed, so this works in a fault as well. */
static void drain(void)
{
    uint32_t since = REG(COUNTER);
    while ((uart_sending(&right) || uart_sending(&left)) && REG(COUNTER) - since < DRAIN_COUNTS) {
        uart_sent(&right);
        uart_sent(&left);
    }
}

_Noreturn void board_exit(int code)
{
    const uint32_t why[2] = {APPLICATION_EXIT, (uint32_t)code};
    cortex_m_lock();
    drain();
    semihost_call(SEMIHOST_EXIT_EXTENDED, why);
    for (;;) /* a debugger that does not end the program */
        __asm__ volatile("wfi");
}

/* The first word is the program's name. */
void board_arguments(char *text, size_t room)
{
    uint32_t block[2] = {(uint32_t)(uintptr_t)text, (uint32_t)room};
    if (semihost_call(SEMIHOST_GET_CMDLINE, block))
        text[0] = 0;
}
