/* machine.c: a node of a ring of boards as a rank. The program and the board's lowest interrupt both enter the network
 * (src/net/relay.h), which turns the interrupt away while the program is inside.
 */
#include "../arch.h"
#include "base/text.h"
#include "board.h"
#include "board_port.h"
#include "core/rank.h"
#include "net/relay.h"
#include "settings.h"
#include "starved.h"

struct rank mpico_the_rank; /* MPICO_ONE_RANK: a program is a rank */

static struct relay relay;
static const struct hop_times times = {.resend = RESEND_TICKS, .heartbeat = HEARTBEAT_TICKS, .dead = DEAD_TICKS};
static volatile uint8_t joined; /* the relay may be entered */

static uint32_t ticks(void) { return (uint32_t)(board_now_ns() >> 20); }

/* While the rank polls it moves the frames itself; and it may have read the clock already, which must not go back in the network. */
void mpico_board_turn(void)
{
    if (joined && !mpico_the_rank.polling)
        mpico_relay_turn(&relay, ticks());
}

int mpico_board_in_job(void) { return mpico_the_rank.state == RANK_RUNNING; }

static void machine_say(struct rank *r, const char *line)
{
    (void)r;
    mpico_board_say(line);
}

static int refuse_arena(size_t links, int size)
{
    char line[200];
    mpico_text_format(line, sizeof line,
                      "MPI_Init: the arena of %z bytes is too small for %d ranks: links %z + library %d = %z; "
                      "link with -Wl,--defsym=mpico_arena_bytes=%z or more",
                      (size_t)mpico_arena_bytes, size, links, (int)CORE_BYTES, links + CORE_BYTES, links + CORE_BYTES);
    mpico_board_say(line);
    return -1;
}

static int identity(struct relay_node *node)
{
    if (board_identity(&node->rank, &node->size)) {
        mpico_board_say("MPI_Init: nobody has told this node its rank and the size of the ring");
        return -1;
    }
    return 0;
}

static int machine_start(struct rank *r, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct relay_node node = {.left = board_left,
                              .right = board_right,
                              .nonce = board_nonce ? board_nonce() : 0,
                              .slots = (uint8_t)(uintptr_t)mpico_slots,
                              .spare_slots = (uint8_t)(uintptr_t)mpico_spare_slots,
                              .slot_bytes = (uint16_t)(uintptr_t)mpico_slot_bytes,
                              .open_ticks = OPEN_TICKS,
                              .times = &times};
    if (identity(&node))
        return -1;
    size_t bytes = (size_t)mpico_arena_bytes, links = mpico_relay_bytes(&node);
    if (bytes < links + CORE_BYTES)
        return refuse_arena(links, node.size);
    if (mpico_relay_start(&relay, r, &node, mpico_arena, bytes))
        return -1;
    joined = 1;
    return 0;
}

static void machine_stop(struct rank *r)
{
    (void)r;
    mpico_relay_leave(&relay, LEAVE_TICKS);
    joined = 0;
}

/* Linked with ask.c, which reads the notes. */
extern OPTIONAL void mpico_note_fill(struct rank *);

enum { NOTE_AFTER = 400 /* fruitless turns: a short wait has no time for it */ };

static void machine_wait(struct rank *r, uint32_t idle)
{
    if (idle == NOTE_AFTER && mpico_note_fill)
        mpico_note_fill(r);
    if (joined && mpico_board_check_starved)
        mpico_board_check_starved(r, &relay, ticks());
    if (idle)
        board_sleep();
}

static _Noreturn void machine_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    joined = 0;
    if (why)
        mpico_board_say(why);
    board_exit(code & 0xff ? code & 0xff : 1);
}

const struct machine mpico_machine = {.name = "board",
                                      .arch = MPICO_ARCH,
                                      .start = machine_start,
                                      .stop = machine_stop,
                                      .now = board_now_ns,
                                      .wait = machine_wait,
                                      .halt = machine_halt,
                                      .say = machine_say};
