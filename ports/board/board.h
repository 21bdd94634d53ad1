/* board.h: what a board gives ports/board: two lanes, a clock, sleep, a console, the end, and who this node is. A new board is these
 * functions, a linker script and start-up code; docs/boards.md says how to bring one up.
 *
 * Interrupts only move bytes between the lanes' rings and the wires, and note that something has happened, which ends board_sleep().
 */
#ifndef MPICO_BOARD_H
#define MPICO_BOARD_H

#include <stddef.h>
#include <stdint.h>

#include "base/optional.h"
#include "net/lane.h"

/* Clock, console, lanes and their interrupts. Called once, before the program's main(). */
void board_start(void);

/* The lanes to the neighbours: both carry bytes both ways. Called from one context at a time. */
extern struct lane *const board_left, *const board_right;

/* Who this node is. 0, or negative when nobody has told. */
int board_identity(int *rank, int *size);

/* A number that this node has not had at its last start, and no other node of the ring has: noise, a counter that survives, or from
 * whoever loads the program. A board that has none leaves it out: it is made of rank and clock then, which may repeat themselves. */
OPTIONAL uint32_t board_nonce(void);

/* Nanoseconds since the start. Any context. */
uint64_t board_now_ns(void);

/* Sleep until an interrupt: at the latest after BOARD_TICK_MS. Returns at once when one has come since the last call, so that what
 * came between a look at the lanes and this call is not slept over. */
void board_sleep(void);

/* Write to the console; returns when the last byte is with the device. Any context. */
void board_write(const char *bytes, size_t len);

/* End: what is left in the lanes' rings goes out, for at most a moment, then the node stands still, with `code` for whoever watches. Any
 * context. */
_Noreturn void board_exit(int code);

/* The words of the program's command line, separated by blanks, in text[room]; empty where a board has none. */
void board_arguments(char *text, size_t room);

enum {
    BOARD_TICK_MS = 4 /* the board calls mpico_board_turn() at least so often */
};

/* ports/board: move frames between the lanes. The board calls it from its lowest interrupt: after each tick, and when a lane's ring
 * is about to be full or has become empty. So a node that computes still forwards what passes through it. Does nothing while
 * the program itself is in the network. */
void mpico_board_turn(void);

/* ports/board: say on the console what the program waits for. The board calls it when a byte comes over the console, if it is there: it is
 * linked unless the program is bare (board.conf: comfort). */
OPTIONAL void mpico_board_asked(void);

#endif
