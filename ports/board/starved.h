/* starved.h: a node that can never go on, because messages that nobody has asked for fill its memory and its link. */
#ifndef MPICO_BOARD_STARVED_H
#define MPICO_BOARD_STARVED_H

#include "base/optional.h"
#include "net/relay.h"

/* From machine.wait: ends the node, with the reason, when it is certain. `now` in ticks. Linked when asked for (board.conf: explain). */
OPTIONAL void mpico_board_check_starved(struct rank *, struct relay *, uint32_t now);

#endif
