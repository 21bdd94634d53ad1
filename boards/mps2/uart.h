/* uart.h: a serial port of Arm's MPS2 boards (CMSDK APB UART) as a lane, driven by interrupts. */
#ifndef MPICO_MPS2_UART_H
#define MPICO_MPS2_UART_H

#include <stdint.h>

#include "net/lane.h"

enum { UART_RX_ROOM = 256, UART_TX_ROOM = 64 }; /* powers of two */

/* Bytes [taken, put) modulo the room are in a ring. One side writes `put`, the other `taken`; of the two one is an interrupt. */
struct uart {
    struct lane lane; /* first: a struct lane * is a struct uart * */
    uintptr_t base;
    uint8_t rx_irq, tx_irq;
    volatile uint8_t stalled; /* the ring was full: the receive interrupt is off and a byte waits in the port */
    volatile uint16_t rx_put, rx_taken, tx_put, tx_taken;
    uint8_t rx[UART_RX_ROOM], tx[UART_TX_ROOM];
};

/* Interrupts are not allowed yet in the core. */
void uart_start(struct uart *, uintptr_t base, uint8_t rx_irq, uint8_t tx_irq);
/* Its interrupts. */
void uart_received(struct uart *);
void uart_sent(struct uart *);
/* Is there something left to send? */
static inline int uart_sending(const struct uart *u) { return u->tx_taken != u->tx_put; }
/* Without interrupts: wait until the port takes the byte. For the console. */
void uart_write_now(uintptr_t base, char byte);

#endif
