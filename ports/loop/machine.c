/* machine.c: a job of one rank whose only wire is a short queue in memory back to itself. Needs nothing of
 * the platform beyond standard C, so it serves as the smallest complete port and as the first bring-up
 * of the library on something new.
 *
 * Invariant: slot[taken % LOOP_SLOTS] .. slot[sent % LOOP_SLOTS] (exclusive) hold the packets under way,
 * oldest first; sent - taken <= LOOP_SLOTS.
 */
#include "../arch.h"
#include "loop.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/rank.h"
#include "port.h"

enum {
    LOOP_SLOTS = 8,
    LOOP_MTU = 1024,
    HOPELESS = 1000 /* fruitless turns after which nothing can change: nobody else exists */
};

struct loop {
    struct link link; /* first: a struct link * of this port is a struct loop * */
    unsigned sent, taken;
    struct {
        struct packet packet;
        size_t len;
        alignas(8) char payload[LOOP_MTU];
    } slot[LOOP_SLOTS];
};

struct rank mpico_the_rank; /* MPICO_ONE_RANK: a program is a rank */
static struct loop loop;
static alignas(64) unsigned char own_arena[LOOP_ARENA_BYTES];
static void *arena = own_arena;
static size_t arena_bytes = sizeof own_arena;


void mpico_loop_arena(void *memory, size_t bytes)
{
    arena = memory;
    arena_bytes = bytes;
}

static void *loop_reserve(struct link *link, int dest, const struct packet *packet, size_t len)
{
    struct loop *l = (struct loop *)link;
    unsigned at = l->sent % LOOP_SLOTS;
    (void)dest;
    if (l->sent - l->taken == LOOP_SLOTS)
        return NULL;
    l->slot[at].packet = *packet;
    l->slot[at].len = len;
    return l->slot[at].payload;
}

static void loop_commit(struct link *link, int dest, const struct packet *packet, size_t len)
{
    struct loop *l = (struct loop *)link;
    (void)dest;
    (void)packet;
    (void)len;
    l->sent++;
}

static int loop_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len)
{
    void *room = loop_reserve(link, dest, packet, len);
    if (!room)
        return MPICO_AGAIN;
    if (len)
        memcpy(room, payload, len);
    loop_commit(link, dest, packet, len);
    return 0;
}

static int loop_poll(struct link *link, int from, int budget)
{
    struct loop *l = (struct loop *)link;
    int n = 0;
    (void)from;
    for (; n < budget && l->taken != l->sent; n++) {
        unsigned at = l->taken % LOOP_SLOTS;
        int e = mpico_arrive(link->rank, 0, &l->slot[at].packet, l->slot[at].payload, l->slot[at].len);
        if (e < 0)
            link->rank->machine->halt(link->rank, 1, "a packet to ourselves makes no sense: memory was overwritten");
        if (e)
            break;
        l->taken++; /* only now: an answer that mpico_arrive() sends must not overwrite the packet it reads */
    }
    return n;
}

static const struct link_ops loop_ops = {
    .send = loop_send, .reserve = loop_reserve, .commit = loop_commit, .poll = loop_poll};

static int loop_start(struct rank *r, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (mpico_rank_place(r, 0, 1, arena, arena_bytes)) {
        fprintf(stderr, "mpico: MPI_Init: an arena of %lu bytes is too small\n", (unsigned long)arena_bytes);
        return -1;
    }
    loop.link =
        (struct link){.ops = &loop_ops, .mtu = LOOP_MTU, .eager_max_bytes = LOOP_MTU, .get_min_bytes = SIZE_MAX};
    mpico_rank_attach(r, &loop.link, 0, 0);
    return 0;
}

static void loop_stop(struct rank *r) { (void)r; }
static uint64_t loop_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC); /* standard C has no steady clock */
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((noreturn)) static void loop_halt(struct rank *r, int code, const char *why)
{
    (void)r;
    if (why)
        fprintf(stderr, "mpico: %s\n", why);
    exit(code);
}

static void loop_wait(struct rank *r, uint32_t idle)
{
    if (idle > HOPELESS)
        loop_halt(r, 1,
                  loop.taken != loop.sent ? "the arena is full and the message that waits for memory is our own"
                                          : "deadlock: the only rank of the job waits for itself");
}

const struct machine mpico_machine = {.name = "loop",
                                      .arch = MPICO_ARCH,
                                      .start = loop_start,
                                      .stop = loop_stop,
                                      .now = loop_now,
                                      .wait = loop_wait,
                                      .halt = loop_halt};
