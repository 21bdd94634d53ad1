/* board.c: what the ring paper's eleven functions cost a node of a ring of boards, in instructions.
 *
 * In the emulator, run with -icount shift=7, an instruction takes 128 ns of the board's clock, which are 3.2 counts of its 25 MHz
 * counter: two readings tell the instructions between them exactly. But the nodes of a ring are processes of their own, and
 * when a byte comes is the host's affair. So the nodes go in step here: this program stands between the library and the wires,
 * collects what the library writes until it sleeps, then gives each neighbour all of it (two bytes of length first) and takes
 * what both have for this node. That is a round, and the library's clock counts rounds. So what a node does depends on
 * nothing but the program, and two runs give the same.
 *
 * Counted is what the node executes in the call while it does not sleep: arguments, protocol, frames and their check sums. Not
 * counted are looks around that found nothing and sent nothing, and the interrupts of the serial ports. One line a
 * result: name, ranks, node, instructions.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "../ports/board/board.h"

enum {
    REPEATS = 4,
    BYTES = 4,
    NODES_MAX = 16,
    TAG = 1,
    ROUND_NS = 200000,
    ROUNDS_A_TICK = 20, /* a sleep ends after so many, as on the board */
    OUT_ROOM = 256,
    IN_ROOM = 4096,
    LEN_BYTES = 2,
    OUT_OF_STEP = 0xffff /* in place of a length: this node is not in step any more */
};

static int me, np;
static char in[NODES_MAX * BYTES], out[NODES_MAX * BYTES];

/* The library's and the board's functions that the linker has redirected (--wrap). */
void __real_board_sleep(void);
void __wrap_board_sleep(void);
void __wrap_mpico_board_turn(void);
uint64_t __wrap_board_now_ns(void);

/* ---- Between the library and the wires ---- */

struct side {
    struct lane *lane;
    struct lane wire; /* the lane's own functions */
    unsigned out_len, in_put, in_taken;
    uint8_t apart; /* the neighbour is */
    uint8_t out[OUT_ROOM], in[IN_ROOM];
};
static struct side left, right;
static uint64_t rounds;

static struct side *side_of(const struct lane *lane) { return lane == left.lane ? &left : &right; }

static size_t side_put(struct lane *lane, const void *bytes, size_t len)
{
    struct side *s = side_of(lane);
    const uint8_t *from = bytes;
    size_t n = 0;
    while (n < len && s->out_len < OUT_ROOM)
        s->out[s->out_len++] = from[n++];
    return n;
}

static size_t side_get(struct lane *lane, void *bytes, size_t len)
{
    struct side *s = side_of(lane);
    uint8_t *to = bytes;
    size_t n = 0;
    while (n < len && s->in_taken != s->in_put)
        to[n++] = s->in[s->in_taken++ % IN_ROOM];
    return n;
}

static void take_lane(struct side *s, struct lane *lane)
{
    s->lane = lane;
    s->wire = *lane;
    lane->put = side_put;
    lane->get = side_get;
}

static void write_all(struct side *s, const uint8_t *bytes, size_t len)
{
    while (len) {
        size_t n = s->wire.put(s->lane, bytes, len);
        bytes += n;
        len -= n;
        if (len)
            __real_board_sleep();
    }
}

static uint8_t read_byte(struct side *s)
{
    uint8_t byte;
    while (s->wire.get(s->lane, &byte, 1) == 0)
        __real_board_sleep();
    return byte;
}

static void give(struct side *s, unsigned len)
{
    uint8_t head[LEN_BYTES] = {(uint8_t)len, (uint8_t)(len >> 8)};
    write_all(s, head, sizeof head);
    write_all(s, s->out, s->out_len);
    s->out_len = 0;
}

/* How many bytes. */
static unsigned take(struct side *s)
{
    if (s->apart)
        return 0;
    unsigned len = read_byte(s);
    len |= (unsigned)read_byte(s) << 8;
    if (len == OUT_OF_STEP) {
        s->apart = 1;
        return 0;
    }
    for (unsigned i = 0; i < len; i++)
        s->in[s->in_put++ % IN_ROOM] = read_byte(s);
    return len;
}

static unsigned go_round(void)
{
    rounds++;
    if (np == 1)
        return 0;
    give(&right, right.out_len);
    give(&left, left.out_len);
    return take(&left) + take(&right);
}

/* Give way to the neighbours for good, and wait until they do. */
static void step_out(void)
{
    give(&right, OUT_OF_STEP);
    give(&left, OUT_OF_STEP);
    while (!left.apart || !right.apart) {
        take(&left);
        take(&right);
    }
}

/* ---- The library's clock, and the count ---- */

static uint32_t since, active;

static uint32_t instructions(void) { return ((*(volatile uint32_t *)0x40028018u - since) * 5 + 8) / 16; }

static void go(void) { since = *(volatile uint32_t *)0x40028018u; }

static void interrupts(int on)
{
    if (on)
        __asm__ volatile("cpsie i" ::: "memory");
    else
        __asm__ volatile("cpsid i" ::: "memory");
}

/* Interrupts are on while the library sleeps, and at no other time. */
void __wrap_board_sleep(void)
{
    static uint8_t found; /* the last sleep ended because something came */
    uint32_t spent = instructions();
    if (found || left.out_len || right.out_len)
        active += spent;
    interrupts(1);
    found = 0;
    for (int i = 0; !found && i < ROUNDS_A_TICK; i++)
        found = go_round() > 0;
    interrupts(0);
    go();
}

uint64_t __wrap_board_now_ns(void) { return rounds * ROUND_NS; }

/* Frames that would move on while a program computes: no interrupt comes. */
void __wrap_mpico_board_turn(void) {}

/* ---- The calls ---- */

static void init(void) { MPI_Init(NULL, NULL); }
static void finalize(void) { MPI_Finalize(); }
static void comm_rank(void) { MPI_Comm_rank(MPI_COMM_WORLD, &me); }
static void comm_size(void) { MPI_Comm_size(MPI_COMM_WORLD, &np); }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(in, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void gather(void) { MPI_Gather(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void scatter(void) { MPI_Scatter(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void allgather(void) { MPI_Allgather(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, MPI_COMM_WORLD); }
static void send(void) { MPI_Send(out, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD); }
static void recv(void) { MPI_Recv(in, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

/* Whatever the call before has left to the wire has gone when this returns. */
static void settle(void)
{
    for (int i = 0; np > 1 && i < 2; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static uint32_t cost(void (*call)(void))
{
    active = 0;
    go();
    call();
    return active + instructions();
}

static void print(const char *name, uint32_t n)
{
    if (me < 2)
        printf("%s %d %d %lu\n", name, np, me, (unsigned long)n);
}

static void report(const char *name, void (*call)(void))
{
    uint32_t n = 0;
    for (int i = 0; i < REPEATS; i++) {
        settle();
        n += cost(call);
    }
    settle();
    print(name, n / REPEATS);
}

static void report_message(void)
{
    uint32_t n = 0;
    for (int i = 0; i < REPEATS; i++) {
        settle();
        n += me == 0 ? cost(send) : me == 1 ? cost(recv) : 0;
    }
    settle();
    print(me == 0 ? "MPI_Send" : "MPI_Recv", n / REPEATS);
}

int main(void)
{
    board_identity(&me, &np);
    interrupts(0);
    take_lane(&left, board_left);
    take_lane(&right, board_right);
    print("MPI_Init", cost(init));
    report("MPI_Comm_rank", comm_rank);
    report("MPI_Comm_size", comm_size);
    if (np > 1)
        report_message();
    report("MPI_Barrier", barrier);
    report("MPI_Bcast", bcast);
    report("MPI_Gather", gather);
    report("MPI_Scatter", scatter);
    report("MPI_Allgather", allgather);
    print("MPI_Finalize", cost(finalize));
    interrupts(1);
    if (np > 1)
        step_out();
    return 0;
}
