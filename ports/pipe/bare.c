/* bare.c: a process as a node of a bare ring (src/bare/bare.h), in place of machine.c in programs linked with mpicc --bare. */
#include "bare/bare.h"
#include "arena.h"
#include "node.h"

enum { SLOTS = 8, SLOT_BYTES = 4096 + BARE_HEAD, TICK_MS = 20, OPEN_TICKS = 10000, SLEEP_MS = 20 };

/* As in machine.c. */
static const struct hop_times times = {.resend = 300, .heartbeat = 20, .dead = 8000};
static struct pipe_lane left, right;

uint64_t mpico_bare_now_ns(void) { return mpico_sys_now(); }
uint32_t mpico_bare_ticks(void) { return (uint32_t)(mpico_sys_now() >> 20); }

int mpico_bare_identify(struct bare_node *n)
{
    if (mpico_pipe_identity(&n->rank, &n->size) || mpico_pipe_lanes(&left, &right, n->rank, n->size))
        return -1;
    n->left = &left.lane;
    n->right = &right.lane;
    n->nonce = (uint32_t)mpico_sys_now() | 1;
    n->slots = SLOTS;
    n->slot_bytes = SLOT_BYTES;
    n->open_ticks = OPEN_TICKS;
    n->times = &times;
    n->arena = mpico_arena;
    n->arena_bytes = mpico_arena_bytes;
    return n->size > 1 ? mpico_sys_tick(TICK_MS, mpico_bare_turn) : 0;
}

static uint32_t hop_sleep(const struct hop *h)
{
    uint32_t most = h->state == HOP_CUT ? SLEEP_MS : mpico_hop_sleep(h, mpico_bare_ticks());
    return most < SLEEP_MS ? most : SLEEP_MS;
}

void mpico_bare_idle(void)
{
    const struct sys_wire wires[2] = {left.wire, right.wire};
    uint32_t a = hop_sleep(&mpico_bare.left), b = hop_sleep(&mpico_bare.right);
    mpico_sys_sleep(wires, a < b ? a : b);
}

void mpico_bare_halt(int code, const char *line)
{
    if (line)
        mpico_pipe_print("mpico: rank %d: %s\n", mpico_bare.world.rank, line);
    mpico_sys_exit(code & 0xff ? code & 0xff : 1);
}
