/* machine.c: a process as a node of a ring. A DSP under an emulator runs like this, and so does a host's process that stands for a node.
 *
 * A timer's interrupt turns the links over while the program computes, so that a busy rank still forwards and is not
 * taken for dead. Whatever uses the relay while the timer runs holds the lock of sys.h.
 */
#include "../arch.h"
#include "arena.h"
#include "core/rank.h"
#include "node.h"
#include "net/relay.h"

enum {
    CORE_BYTES = 12 * 1024, /* what MPI_Init and the first collective take of the arena: src/core/rank.h */
    SLOT_BYTES = 4096 + RELAY_HEAD + 32,
    TICK_MS = 20,
    OPEN_TICKS = 10000,
    LEAVE_TICKS = 2000,
    SLEEP_MS = 20,
    BRISK = 2 /* fruitless turns before the rank sleeps */
};

/* A tick is 2^20 ns. Descriptors lose nothing: these are long, because a crowded host stops a rank for a while. */
static const struct hop_times times = {.resend = 300, .heartbeat = 20, .dead = 8000};

struct rank mpico_the_rank; /* MPICO_ONE_RANK: a program is a rank */
static int me;              /* known before the rank is placed */
static struct pipe_lane left, right;
static struct relay relay;
static const struct link_ops *bare; /* the relay's, without the lock */
static struct link_ops locked;      /* the same, with it */
static unsigned depth;              /* of enter(); the interrupt never looks at it */
static uint8_t moved_meanwhile;     /* the interrupt has moved something that poll() has not seen; under the lock */

static uint32_t ticks(void) { return (uint32_t)(mpico_sys_now() >> 20); }

/* ---- What the user reads ---- */

static void pipe_say(struct rank *r, const char *line)
{
    (void)r;
    mpico_pipe_print("mpico: rank %d: %s\n", me, line);
}

__attribute__((noreturn)) static void pipe_halt(struct rank *r, int code, const char *why)
{
    if (why)
        pipe_say(r, why);
    mpico_sys_exit(code & 0xff ? code & 0xff : 1);
}

/* ---- The interrupt, and the lock against it ---- */

static void interrupt(void)
{
    if (mpico_relay_turn(&relay, ticks()))
        moved_meanwhile = 1;
}

/* The library sends from within poll() as well, to answer what has arrived: the outermost holds the lock. */
static void enter(void)
{
    if (depth++ == 0)
        mpico_sys_lock();
}

static void leave(void)
{
    if (--depth == 0)
        mpico_sys_unlock();
}

static int locked_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len)
{
    enter();
    int e = bare->send(link, dest, packet, payload, len);
    leave();
    return e;
}

static void *locked_reserve(struct link *link, int dest, const struct packet *packet, size_t len)
{
    enter();
    void *room = bare->reserve(link, dest, packet, len);
    if (!room)
        leave();
    return room;
}

static void locked_commit(struct link *link, int dest, const struct packet *packet, size_t len)
{
    bare->commit(link, dest, packet, len);
    leave();
}

static int locked_poll(struct link *link, int from, int budget)
{
    enter();
    moved_meanwhile = 0;
    int n = bare->poll(link, from, budget);
    leave();
    return n;
}

static void lock_link(struct link *link)
{
    bare = link->ops;
    locked = *bare;
    locked.send = locked_send;
    locked.reserve = locked_reserve;
    locked.commit = locked_commit;
    locked.poll = locked_poll;
    link->ops = &locked;
}

/* ---- Start and end ---- */

static int arena_too_small(const struct relay_node *node)
{
    size_t links = mpico_relay_bytes(node), needed = links + CORE_BYTES;
    if (mpico_arena_bytes >= needed)
        return 0;
    mpico_pipe_print("mpico: rank %d: MPI_Init: the arena of %z bytes is too small: links %z + library %d = %z\n", me,
                     mpico_arena_bytes, links, CORE_BYTES, needed);
    return 1;
}

static int pipe_start(struct rank *r, int *argc, char ***argv)
{
    struct relay_node node = {.left = &left.lane,
                              .right = &right.lane,
                              .nonce = (uint32_t)mpico_sys_now() | 1,
                              .slots = 8,
                              .spare_slots = 4,
                              .slot_bytes = SLOT_BYTES,
                              .open_ticks = OPEN_TICKS,
                              .times = &times};
    (void)argc, (void)argv;
    if (mpico_pipe_identity(&node.rank, &node.size))
        return -1;
    me = node.rank;
    if (mpico_pipe_lanes(&left, &right, me, node.size) || arena_too_small(&node))
        return -1;
    if (mpico_relay_start(&relay, r, &node, mpico_arena, mpico_arena_bytes))
        return -1;
    lock_link(&relay.link);
    return node.size > 1 ? mpico_sys_tick(TICK_MS, interrupt) : 0;
}

static void pipe_stop(struct rank *r)
{
    (void)r;
    mpico_sys_tick(0, NULL);
    mpico_relay_leave(&relay, LEAVE_TICKS);
}

/* ---- Waiting ---- */

/* A cut link has nothing to do any more. */
static uint32_t hop_sleep(const struct hop *h, uint32_t now)
{
    uint32_t most = h->state == HOP_CUT ? SLEEP_MS : mpico_hop_sleep(h, now);
    return most < SLEEP_MS ? most : SLEEP_MS;
}

static uint32_t sleep_ms(uint32_t now)
{
    uint32_t a = hop_sleep(&relay.left, now), b = hop_sleep(&relay.right, now);
    return a < b ? a : b;
}

/* A last look before the sleep. What poll() has moved may let something else go on that nothing will wake us for; and what comes
 * now, be it only a neighbour's greeting, is for the caller to see. */
static int nothing_comes(void)
{
    uint32_t before = left.came + right.came;
    return !mpico_relay_turn(&relay, ticks()) && left.came + right.came == before;
}

/* The lock keeps the interrupt from moving something between the last look and the sleep. */
static void pipe_wait(struct rank *r, uint32_t idle)
{
    if (idle < BRISK)
        return;
    enter();
    if (!moved_meanwhile && nothing_comes()) {
        const struct sys_wire wires[2] = {left.wire, right.wire};
        mpico_sys_sleep(wires, r->world_size > 1 ? sleep_ms(ticks()) : SLEEP_MS);
    }
    leave();
}

const struct machine mpico_machine = {.name = "pipe",
                                      .arch = MPICO_ARCH,
                                      .start = pipe_start,
                                      .stop = pipe_stop,
                                      .now = mpico_sys_now,
                                      .wait = pipe_wait,
                                      .halt = pipe_halt,
                                      .say = pipe_say};
