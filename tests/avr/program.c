/* program.c: the eleven functions of the ring paper on a processor with an int of 16 bits and 8 KB of memory: a rank alone, whose messages to itself
 * wait in a short queue. Says on the serial line what came out. It is its own port (src/port.h).
 */
#include <avr/io.h>
#include <avr/sleep.h>
#include <mpi.h>
#include <string.h>

#include "core/rank.h"
#include "port.h"

enum { ARENA_BYTES = 3072, MTU = 64, SLOTS = 2, BLOCK = 40 };

struct queue {
    struct link link; /* first */
    uint8_t sent, taken;
    struct {
        struct packet packet;
        size_t len;
        char payload[MTU];
    } slot[SLOTS];
};

struct rank mpico_the_rank;
static struct queue queue;
static unsigned char arena[ARENA_BYTES] __attribute__((aligned(8)));

static void say(const char *text)
{
    for (; *text; text++) {
        while (!(UCSR0A & (1 << UDRE0)))
            continue;
        UDR0 = (uint8_t)*text;
    }
}

__attribute__((noreturn)) static void halt(struct rank *r, int code, const char *why)
{
    (void)r;
    say(why ? why : "");
    say(code ? "\nfailed\n" : "\nends\n");
    for (;;)
        sleep_mode();
}

static int queue_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len)
{
    struct queue *q = (struct queue *)link;
    uint8_t at = q->sent % SLOTS;
    (void)dest;
    if ((uint8_t)(q->sent - q->taken) == SLOTS)
        return MPICO_AGAIN;
    q->slot[at].packet = *packet;
    q->slot[at].len = len;
    if (len)
        memcpy(q->slot[at].payload, payload, len);
    q->sent++;
    return 0;
}

static int queue_poll(struct link *link, int from, int budget)
{
    struct queue *q = (struct queue *)link;
    (void)from, (void)budget;
    uint8_t at = q->taken % SLOTS;
    if (q->taken == q->sent ||
        mpico_arrive(link->rank, 0, &q->slot[at].packet, q->slot[at].payload, q->slot[at].len) == MPICO_AGAIN)
        return 0;
    q->taken++;
    return 1;
}

static const struct link_ops queue_ops = {.send = queue_send, .poll = queue_poll};

static int start(struct rank *r, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (mpico_rank_place(r, 0, 1, arena, sizeof arena))
        return -1;
    queue.link = (struct link){.ops = &queue_ops, .mtu = MTU, .eager_max_bytes = MTU, .get_min_bytes = SIZE_MAX};
    mpico_rank_attach(r, &queue.link, 0, 0);
    return 0;
}

static void stop(struct rank *r) { (void)r; }
static uint64_t now(void) { return 0; }

static void wait(struct rank *r, uint32_t idle)
{
    if (idle > 100)
        halt(r, 1, "the only rank waits for itself");
}

const struct machine mpico_machine = {
    .name = "avr", .start = start, .stop = stop, .now = now, .wait = wait, .halt = halt};

static int cell(int i) { return i * 811 - 16000; } /* up to 16 bits, and of both signs */

static void expect(const char *what, const int *got, int count)
{
    for (int i = 0; i < count; i++)
        if (got[i] != cell(i))
            halt(&mpico_the_rank, 1, what);
    say(what);
    say("\n");
}

/* A tag that an int holds, and a message of several packets. */
static void message(int *out, int *in, int count, int tag)
{
    MPI_Status status;
    memset(in, 0, (size_t)count * sizeof *in);
    MPI_Send(out, count, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Recv(in, count, MPI_INT, 0, tag, MPI_COMM_WORLD, &status);
    expect(status.MPI_TAG == tag && status.MPI_SOURCE == 0 ? "send and recv" : "", in, count);
}

int main(void)
{
    int rank = -1, size = -1, out[BLOCK], in[BLOCK];
    UCSR0B = 1 << TXEN0;
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0 || size != 1)
        halt(&mpico_the_rank, 1, "rank or size");
    for (int i = 0; i < BLOCK; i++)
        out[i] = cell(i);
    message(out, in, 1, 0);
    message(out, in, MTU / (int)sizeof(int), 32767);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(out, BLOCK, MPI_INT, 0, MPI_COMM_WORLD);
    expect("bcast", out, BLOCK);
    memset(in, 0, sizeof in);
    MPI_Gather(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, 0, MPI_COMM_WORLD);
    expect("gather", in, BLOCK);
    memset(in, 0, sizeof in);
    MPI_Scatter(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, 0, MPI_COMM_WORLD);
    expect("scatter", in, BLOCK);
    memset(in, 0, sizeof in);
    MPI_Allgather(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, MPI_COMM_WORLD);
    expect("allgather", in, BLOCK);
    MPI_Finalize();
    halt(&mpico_the_rank, 0, "MPI_Finalize");
}
