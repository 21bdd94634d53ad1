/* uart.c: see uart.h.
 *
 * Nothing that has come is lost: when the ring is full the interrupt is switched off and the byte stays in the port, which then takes no
 * other; the sender's side waits. The interrupt is acknowledged before the data register is read: reading makes room for the next byte,
 * whose interrupt would otherwise be acknowledged with the first one's.
 */
#include "uart.h"

#include "../cortex-m/cortex_m.h"

enum { DATA = 0x00, STATE = 0x04, CTRL = 0x08, INT = 0x0C, BAUD = 0x10 };
enum { TX_FULL = 1, RX_FULL = 2 };                           /* STATE */
enum { TX_ON = 1, RX_ON = 2, TX_INT_ON = 4, RX_INT_ON = 8 }; /* CTRL */
enum { TX_INT = 1, RX_INT = 2 };                             /* INT */
enum { RX_HURRY = UART_RX_ROOM / 2 };                        /* with so much in it the ring is looked after at once */

static volatile uint32_t *reg(const struct uart *u, unsigned offset) { return (volatile uint32_t *)(u->base + offset); }

/* ---- Receiving ---- */

static unsigned rx_held(const struct uart *u) { return (uint16_t)(u->rx_put - u->rx_taken); }

void uart_received(struct uart *u)
{
    cortex_m_wake();
    for (;;) {
        *reg(u, INT) = RX_INT;
        if (!(*reg(u, STATE) & RX_FULL))
            break;
        if (rx_held(u) == UART_RX_ROOM) {
            *reg(u, CTRL) &= ~(uint32_t)RX_INT_ON;
            u->stalled = 1;
            break;
        }
        u->rx[u->rx_put % UART_RX_ROOM] = (uint8_t)*reg(u, DATA);
        u->rx_put++;
    }
    if (rx_held(u) >= RX_HURRY)
        cortex_m_hurry();
}

static size_t lane_get(struct lane *lane, void *bytes, size_t len)
{
    struct uart *u = (struct uart *)lane;
    uint8_t *to = bytes;
    size_t n = 0;
    for (; n < len && u->rx_taken != u->rx_put; n++) {
        to[n] = u->rx[u->rx_taken % UART_RX_ROOM];
        u->rx_taken++;
    }
    if (u->stalled && n) {
        u->stalled = 0; /* before the interrupt may come and set it again */
        *reg(u, CTRL) |= RX_INT_ON;
        cortex_m_irq_pend(u->rx_irq); /* for the byte that has waited */
    }
    return n;
}

/* ---- Sending ---- */

void uart_sent(struct uart *u)
{
    *reg(u, INT) = TX_INT;
    while (u->tx_taken != u->tx_put && !(*reg(u, STATE) & TX_FULL)) {
        *reg(u, DATA) = u->tx[u->tx_taken % UART_TX_ROOM];
        u->tx_taken++;
    }
    if (u->tx_taken == u->tx_put) {
        cortex_m_wake();
        cortex_m_hurry();
    }
}

static size_t lane_put(struct lane *lane, const void *bytes, size_t len)
{
    struct uart *u = (struct uart *)lane;
    const uint8_t *from = bytes;
    size_t n = 0;
    for (; n < len && (uint16_t)(u->tx_put - u->tx_taken) < UART_TX_ROOM; n++) {
        u->tx[u->tx_put % UART_TX_ROOM] = from[n];
        u->tx_put++;
    }
    if (n)
        cortex_m_irq_pend(u->tx_irq); /* the handler is the only one that writes to the port */
    return n;
}

/* ---- */

void uart_start(struct uart *u, uintptr_t base, uint8_t rx_irq, uint8_t tx_irq)
{
    *u = (struct uart){.lane = {.put = lane_put, .get = lane_get}, .base = base, .rx_irq = rx_irq, .tx_irq = tx_irq};
    *reg(u, BAUD) = 16; /* the fastest */
    *reg(u, CTRL) = TX_ON | RX_ON | TX_INT_ON | RX_INT_ON;
}

void uart_write_now(uintptr_t base, char byte)
{
    while (REG(base + STATE) & TX_FULL)
        continue;
    REG(base + DATA) = (uint8_t)byte;
}
