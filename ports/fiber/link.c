/* link.c: one link from a rank to all others of the process. Each rank has an inbox; a send copies header and
 * payload into the destination's. Payloads lie whole in memory: a record that would wrap is put at the start,
 * behind a filler.
 *
 * Invariant: [head, head + len) of the ring, taken modulo its length, is a sequence of records, each a multiple of
 * RECORD_UNIT, oldest first; those marked `taken` were delivered already, past older ones for which the rank had
 * no memory. Whoever found no room has its bit in `refused`, and is rung when half of the ring is free again.
 */
#include <string.h>
#include <sys/mman.h>

#include "fiber_port.h"

enum { RECORD_UNIT = 16, FILLER = -1, BUSY_POLLS = 64 };

struct record {
    uint32_t bytes; /* with this header, rounded up */
    int32_t origin; /* world rank, or FILLER */
    uint32_t len;   /* of the payload */
    uint32_t taken;
    struct packet packet;
};
_Static_assert(sizeof(struct record) % RECORD_UNIT == 0, "payloads are aligned");
/* Behind a filler of less than one record, half of the ring still takes any packet. */
_Static_assert(2 * (INBOX_MTU + sizeof(struct record)) < INBOX_BYTES / 2,
               "an empty half takes two of the largest packets");

static void lock(struct inbox *in)
{
    if (several_threads())
        pthread_mutex_lock(&in->lock);
}

static void unlock(struct inbox *in)
{
    if (several_threads())
        pthread_mutex_unlock(&in->lock);
}

static struct record *record_at(const struct inbox *in, uint32_t at)
{
    return (struct record *)(void *)(in->ring + at % INBOX_BYTES);
}

static uint32_t record_bytes(size_t len)
{
    return (uint32_t)((sizeof(struct record) + len + RECORD_UNIT - 1) / RECORD_UNIT * RECORD_UNIT);
}

/* ---- Sending ---- */

/* Where a record of so many bytes goes, behind a filler if need be; NULL: no room. */
static struct record *room_for(struct inbox *in, uint32_t bytes)
{
    if (in->len == 0)
        in->head = 0; /* the same few cache lines again */
    uint32_t tail = (in->head + in->len) % INBOX_BYTES, to_end = INBOX_BYTES - tail;
    uint32_t filler = to_end < bytes ? to_end : 0;
    if (in->len + filler + bytes > INBOX_BYTES)
        return NULL;
    if (filler) {
        struct record *r = record_at(in, tail);
        r->bytes = filler; /* the first words of a record fit: both are multiples of RECORD_UNIT */
        r->origin = FILLER;
        in->len += filler;
        tail = 0;
    }
    in->len += bytes;
    return record_at(in, tail);
}

static void refuse(struct inbox *in, int origin)
{
    in->refused[origin / 64] |= (uint64_t)1 << origin % 64;
    in->any_refused = 1;
}

/* The inbox stays locked until commit(): what comes between is the packing of a datatype, which calls nobody. */
static void *link_reserve(struct link *link, int dest, const struct packet *packet, size_t len)
{
    (void)packet;
    struct inbox *in = &mpico_crews.seat[dest].inbox;
    int origin = link->rank->world_rank;
    lock(in);
    struct record *r = room_for(in, record_bytes(len));
    if (!r) {
        refuse(in, origin);
        unlock(in);
        return NULL;
    }
    r->bytes = record_bytes(len);
    r->origin = origin;
    r->taken = 0;
    in->reserved = r;
    return r + 1;
}

static void link_commit(struct link *link, int dest, const struct packet *packet, size_t len)
{
    struct seat *to = &mpico_crews.seat[dest];
    (void)link;
    to->inbox.reserved->len = (uint32_t)len;
    to->inbox.reserved->packet = *packet;
    unlock(&to->inbox);
    mpico_fiber_ring(to);
}

static int link_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t len)
{
    void *room = link_reserve(link, dest, packet, len);
    if (!room)
        return MPICO_AGAIN;
    if (len)
        memcpy(room, payload, len);
    link_commit(link, dest, packet, len);
    return 0;
}

/* ---- Receiving ---- */

static void ring_refused(struct inbox *in)
{
    in->any_refused = 0;
    for (int w = 0; w < (mpico_crews.seats + 63) / 64; w++)
        for (uint64_t bits = in->refused[w]; bits; bits &= bits - 1)
            mpico_fiber_ring(&mpico_crews.seat[w * 64 + __builtin_ctzll(bits)]);
    memset(in->refused, 0, (size_t)(mpico_crews.seats + 63) / 64 * sizeof *in->refused);
}

/* Drop what has been taken at the old end. */
static void trim(struct inbox *in)
{
    while (in->len) {
        const struct record *r = record_at(in, in->head);
        if (r->origin != FILLER && !r->taken)
            break;
        in->head = (in->head + r->bytes) % INBOX_BYTES;
        in->len -= r->bytes;
    }
    if (in->any_refused && in->len <= INBOX_BYTES / 2)
        ring_refused(in);
}

/* Ranks whose next packet found no memory in this poll: their later ones must not overtake it. */
struct stuck {
    int count, origin[INBOX_STUCK];
};

static int is_stuck(const struct stuck *s, int origin)
{
    for (int i = 0; i < s->count; i++)
        if (s->origin[i] == origin)
            return 1;
    return 0;
}

/* The lock is not held: mpico_arrive() may send an answer, even to ourselves. Only the owner moves the old end. */
static int deliver(struct seat *seat, struct record *r, struct stuck *stuck)
{
    struct rank *rank = seat->link.rank;
    if (r->origin == FILLER || r->taken || is_stuck(stuck, r->origin))
        return 0;
    int e = mpico_arrive(rank, r->origin, &r->packet, r + 1, r->len);
    if (e < 0)
        rank->machine->halt(rank, 1, "a packet in memory makes no sense: a rank has written outside its own data");
    if (e) {
        stuck->origin[stuck->count++] = r->origin;
        return 0;
    }
    r->taken = 1;
    return 1;
}

static uint32_t bytes_now(struct inbox *in)
{
    lock(in);
    uint32_t len = in->len;
    unlock(in);
    return len;
}

static int drain(struct seat *seat, int budget)
{
    struct inbox *in = &seat->inbox;
    struct stuck stuck;
    stuck.count = 0;
    int moved = 0;
    uint32_t end = bytes_now(in);
    for (uint32_t at = 0; at < end && moved < budget && stuck.count < INBOX_STUCK;) {
        struct record *r = record_at(in, in->head + at);
        at += r->bytes;
        moved += deliver(seat, r, &stuck);
    }
    lock(in);
    trim(in);
    unlock(in);
    return moved;
}

/* A program that polls in a loop lets the others run, at every second fruitless look: the first one belongs to a
 * wait. One that always finds something, such as messages to itself, does so now and then. */
static int link_poll(struct link *link, int from, int budget)
{
    struct seat *seat = (struct seat *)link;
    (void)from;
    mpico_fiber_hear(seat);
    int moved = bytes_now(&seat->inbox) ? drain(seat, budget) : 0;
    if (moved)
        seat->empty_polls = 0;
    if (moved ? ++seat->busy_polls % BUSY_POLLS : seat->empty_polls++ == 0)
        return moved;
    mpico_fiber_pass(seat);
    return moved + (bytes_now(&seat->inbox) ? drain(seat, budget) : 0);
}

/* All ranks are in one address space. */
static int link_get(struct link *link, int source, void *local, uint64_t remote, size_t len)
{
    (void)link, (void)source;
    memcpy(local, (const void *)(uintptr_t)remote, len);
    return 0;
}

const struct link_ops mpico_fiber_link_ops = {
    .send = link_send,
    .reserve = link_reserve,
    .commit = link_commit,
    .poll = link_poll,
    .get = link_get,
};

int mpico_fiber_link_open(int ranks)
{
    size_t words = ((size_t)ranks + 63) / 64, each = INBOX_BYTES + words * sizeof(uint64_t);
    each = (each + 4095) / 4096 * 4096;
    char *all =
        mmap(NULL, each * (size_t)ranks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return -1;
    for (int i = 0; i < ranks; i++) {
        struct inbox *in = &mpico_crews.seat[i].inbox;
        in->ring = all + each * (size_t)i;
        in->refused = (uint64_t *)(void *)(in->ring + INBOX_BYTES);
        pthread_mutex_init(&in->lock, NULL);
    }
    return 0;
}
