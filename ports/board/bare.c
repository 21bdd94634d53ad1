/* bare.c: a board as a node of a bare ring (src/bare/bare.h), in place of machine.c in programs linked with mpicc --bare. */
#include "bare/bare.h"
#include "board.h"
#include "board_port.h"
#include "settings.h"

static const struct hop_times times = {.resend = RESEND_TICKS, .heartbeat = HEARTBEAT_TICKS, .dead = DEAD_TICKS};

uint32_t mpico_bare_ticks(void) { return (uint32_t)(board_now_ns() >> 20); }

uint64_t mpico_bare_now_ns(void) { return board_now_ns(); }

void mpico_bare_idle(void) { board_sleep(); }

void mpico_board_turn(void) { mpico_bare_turn(); }

int mpico_board_in_job(void) { return mpico_bare.state == BARE_RUNNING; }

int mpico_bare_identify(struct bare_node *n)
{
    n->left = board_left;
    n->right = board_right;
    n->slots = (uint8_t)(uintptr_t)mpico_slots;
    n->slot_bytes = (uint16_t)(uintptr_t)mpico_slot_bytes;
    n->open_ticks = OPEN_TICKS;
    n->times = &times;
    n->arena = mpico_arena;
    n->arena_bytes = (size_t)mpico_arena_bytes;
    if (board_identity(&n->rank, &n->size)) {
        mpico_board_say("MPI_Init: nobody has told this node its rank and the size of the ring");
        return -1;
    }
    n->nonce = ((uint32_t)n->rank << 24 ^ (uint32_t)board_now_ns()) | 1;
    if (board_nonce)
        n->nonce = board_nonce();
    return 0;
}

void mpico_bare_halt(int code, const char *line)
{
    if (line)
        mpico_board_say(line);
    board_exit(code);
}
