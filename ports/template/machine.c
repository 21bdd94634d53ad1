/* machine.c: an empty port, to be copied as the start of a new one. It compiles and links; a program that
 * uses it stops in MPI_Init. Fill the functions in this order: start, halt, now; send, poll; wait, stop.
 * The contract of each is in src/port.h, a complete small port in ports/loop.
 */
#include "../arch.h"
#include "core/rank.h"
#include "port.h"

/* The wire: one of these for each neighbour, or one for all of them. What send() and poll() need goes here. */
struct wire {
    struct link link; /* first: a struct link * of this port is a struct wire * */
    /* For example: registers of the device, a ring that its interrupt fills. */
};

struct rank mpico_the_rank; /* MPICO_ONE_RANK: a program is a rank */
static struct wire wire;


/* Copy packet and payload into the wire, or say that there is no room. Never waits. */
static int wire_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len)
{
    (void)link;
    (void)dest;
    (void)packet;
    (void)payload;
    (void)len;
    return MPICO_AGAIN;
}

/* For each packet that has come, at most `budget`:
 *     e = mpico_arrive(link->rank, origin, &packet, payload, len);
 * 0: the packet is done with. MPICO_AGAIN: keep it, offer it again at the next poll, and nothing of the same
 * origin before it. Negative: damaged; drop it or halt, whichever suits the wire. */
static int wire_poll(struct link *link, int from, int budget)
{
    (void)link;
    (void)from;
    (void)budget;
    return 0;
}

/* The others are optional: leave them NULL and the core does without. Only small builds need reserve and commit as well. */
static const struct link_ops wire_ops = {.send = wire_send, .poll = wire_poll};

/* Who am I, of how many; which memory is the library's; what the wire can do. */
static int template_start(struct rank *r, int *argc, char ***argv)
{
    static _Alignas(64) unsigned char arena[64 * 1024];
    int world_rank = 0, world_size = 1; /* from straps, a table in flash, the launcher's environment, ... */
    (void)argc;
    (void)argv;
    if (mpico_rank_place(r, world_rank, world_size, arena, sizeof arena))
        return -1;
    wire.link = (struct link){
        .ops = &wire_ops,
        .mtu = 256,                /* largest payload of one packet */
        .eager_max_bytes = 256,    /* messages up to here travel with their header */
        .get_min_bytes = SIZE_MAX, /* no get() */
    };
    mpico_rank_attach(r, &wire.link, 0, world_size - 1);
    return -1; /* 0 once it works */
}

/* All ranks have finished with us when this returns. */
static void template_stop(struct rank *r) { (void)r; }

static uint64_t template_now(void) { return 0; }

/* Called again and again while nothing arrives; `idle` counts. First return at once, then yield, then sleep
 * until an interrupt. Look at the wire once more between deciding to sleep and sleeping. */
static void template_wait(struct rank *r, uint32_t idle)
{
    (void)r;
    (void)idle;
}

__attribute__((noreturn)) static void template_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    (void)code;
    (void)why;
    for (;;) {
    }
}

const struct machine mpico_machine = {
    .name = "template",
    .arch = MPICO_ARCH,
    .start = template_start,
    .stop = template_stop,
    .now = template_now,
    .wait = template_wait,
    .halt = template_halt,
};
