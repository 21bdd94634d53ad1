/* link.c: shared-memory rings between all ranks of a host. A ring for each ordered pair, so that a sender
 * writes without locks. A short packet is one cache line, header and payload together; the receiver knows
 * from `turn` that it is complete. Longer payloads lie in the ring's data area, whole (never wrapped).
 *
 * Invariant: the sender writes a cell or a data byte only if the receiver's published counters say it has
 * been taken. The receiver publishes each quarter of a ring; a packet takes at most a quarter of the data
 * area (mtu), and skipping to its start wastes less than a quarter: so there is room again in any case.
 */
#include <sched.h>
#include <string.h>

#include "core/line.h"
#include "process.h"

enum {
    FAVOURS_MAX = 32,    /* polls that may serve the waited-for peer alone: then the others have their turn */
    EMPTY_POLLS_MAX = 16 /* fruitless looks before the CPU is given away: together about what that costs */
};

int mpico_process_link_start(struct process *p, struct rank *r)
{
    struct job *job = p->job;
    uint32_t size = job->size, me = (uint32_t)r->world_rank;
    p->out = mpico_heap_alloc(&r->heap, size * sizeof *p->out);
    p->in = mpico_heap_alloc(&r->heap, size * sizeof *p->in);
    if (!p->out || !p->in)
        return -1;
    p->mask = job->cells - 1;
    p->data_mask = job->data_bytes - 1;
    for (uint32_t i = 0; i < size; i++) {
        struct ring *out = job_ring(job, me, i), *in = job_ring(job, i, me);
        p->out[i] = (struct ring_out){.ring = out, .data = (char *)&out->cell[job->cells]};
        p->in[i] = (struct ring_in){.ring = in, .data = (char *)&in->cell[job->cells]};
    }
    p->link = (struct link){.ops = &mpico_process_link_ops,
                            .mtu = job->data_bytes / 4,
                            .eager_max_bytes = job->data_bytes / 4,
                            .get_min_bytes = job->data_bytes / 4};
    mpico_rank_attach(r, &p->link, 0, r->world_size - 1);
    return 0;
}

static void look_at_taken(struct ring_out *o)
{
    uint64_t taken = atomic_load_explicit(&o->ring->taken, memory_order_acquire);
    o->cell_taken = (uint32_t)taken;
    o->data_taken = (uint32_t)(taken >> 32);
}

/* Where `len` bytes can lie whole, counted in the endless sequence: here, or at the next start of the area. */
static uint32_t place(const struct process *p, const struct ring_out *o, uint32_t len)
{
    uint32_t at = o->data_head & p->data_mask;
    return at + len <= p->job->data_bytes ? o->data_head : o->data_head + (p->job->data_bytes - at);
}

static int fits(const struct process *p, const struct ring_out *o, uint32_t len)
{
    if (o->cell - o->cell_taken > p->mask)
        return 0;
    return len <= CELL_BYTES || place(p, o, len) + len - o->data_taken <= p->job->data_bytes;
}

static int room(const struct process *p, struct ring_out *o, uint32_t len)
{
    if (fits(p, o, len))
        return 1;
    look_at_taken(o);
    return fits(p, o, len);
}

/* The sleeper runs a barrier on all CPUs between raising its flag and its last look (machine.c), so a
 * compiler barrier is enough here. */
static inline void wake(struct process *p, int dest)
{
    atomic_signal_fence(memory_order_seq_cst);
    struct slot *slot = job_slot(p->job, (uint32_t)dest);
    if (__builtin_expect(atomic_load_explicit(&slot->sleeping, memory_order_relaxed) != 0, 0))
        mpico_process_ring_bell(slot);
}

static inline void publish(struct process *p, struct ring_out *o, struct cell *c, int dest)
{
    atomic_store_explicit(&c->turn, ++o->cell, memory_order_release);
    wake(p, dest);
}

typedef uint64_t __attribute__((may_alias)) word;

/* By words, as it was made: see packet_make(). */
static inline void write_packet(struct cell *c, const struct packet *packet)
{
    const word *from = (const word *)(const void *)packet;
    word *to = (word *)(void *)&c->packet;
    for (int i = 0; i < PACKET_WORDS; i++)
        __atomic_store_n(&to[i], __atomic_load_n(&from[i], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

int mpico_process_nudge(struct process *p, int dest)
{
    struct ring_out *o = &p->out[dest];
    if (!room(p, o, 0))
        return MPICO_AGAIN;
    struct cell *c = &o->ring->cell[o->cell & p->mask];
    c->packet.kind = CELL_NUDGE;
    c->len = 0;
    publish(p, o, c, dest);
    return 0;
}

static __attribute__((noinline)) int send_outside(struct process *p, int dest, const struct packet *packet,
                                                  const void *payload, uint32_t len)
{
    struct ring_out *o = &p->out[dest];
    if (!room(p, o, len))
        return MPICO_AGAIN;
    struct cell *c = &o->ring->cell[o->cell & p->mask];
    uint32_t at = place(p, o, len);
    memcpy(o->data + (at & p->data_mask), payload, len);
    write_packet(c, packet);
    c->len = len;
    c->data_at = at;
    o->data_head = at + len;
    publish(p, o, c, dest);
    return 0;
}

static int link_send(struct link *link, int dest, const struct packet *packet, const void *payload, size_t bytes)
{
    struct process *p = (struct process *)link;
    struct ring_out *o = &p->out[dest];
    if (bytes > CELL_BYTES)
        return send_outside(p, dest, packet, payload, (uint32_t)bytes);
    if (__builtin_expect(o->cell - o->cell_taken > p->mask, 0) && !room(p, o, 0))
        return MPICO_AGAIN;
    struct cell *c = &o->ring->cell[o->cell & p->mask];
    write_packet(c, packet);
    c->len = (uint32_t)bytes;
    if (bytes == 8) /* one load and one store instead of a call */
        memcpy(c->bytes, payload, 8);
    else if (bytes)
        memcpy(c->bytes, payload, bytes);
    publish(p, o, c, dest);
    return 0;
}

static void *link_reserve(struct link *link, int dest, const struct packet *packet, size_t bytes)
{
    (void)packet;
    struct process *p = (struct process *)link;
    struct ring_out *o = &p->out[dest];
    uint32_t len = (uint32_t)bytes;
    if (!room(p, o, len))
        return NULL;
    if (len <= CELL_BYTES)
        return o->ring->cell[o->cell & p->mask].bytes;
    o->reserved_at = place(p, o, len);
    return o->data + (o->reserved_at & p->data_mask);
}

static void link_commit(struct link *link, int dest, const struct packet *packet, size_t bytes)
{
    struct process *p = (struct process *)link;
    struct ring_out *o = &p->out[dest];
    uint32_t len = (uint32_t)bytes;
    struct cell *c = &o->ring->cell[o->cell & p->mask];
    write_packet(c, packet);
    c->len = len;
    if (len > CELL_BYTES) {
        c->data_at = o->reserved_at;
        o->data_head = o->reserved_at + len;
    }
    publish(p, o, c, dest);
}

/* Tell the sender what has been taken, when it is worth a cache line's journey. */
static void tell(struct process *p, struct ring_in *in, int source)
{
    if (in->cell - in->cell_told <= p->mask / 4 && in->data_head - in->data_told < p->job->data_bytes / 4)
        return;
    in->cell_told = in->cell;
    in->data_told = in->data_head;
    atomic_store_explicit(&in->ring->taken, (uint64_t)in->data_head << 32 | in->cell, memory_order_release);
    wake(p, source);
}

static int ready(const struct process *p, const struct ring_in *in)
{
    const struct cell *c = &in->ring->cell[in->cell & p->mask];
    return atomic_load_explicit(&c->turn, memory_order_acquire) == in->cell + 1;
}

static int deliver(struct process *p, int source, struct ring_in *in, struct cell *c)
{
    struct rank *r = p->link.rank;
    if (c->packet.kind == CELL_NUDGE) {
        mpico_process_help(p, source);
        return 0;
    }
    int outside = c->len > CELL_BYTES;
    const void *payload = outside ? in->data + (c->data_at & p->data_mask) : c->bytes;
    int e = mpico_arrive(r, source, &c->packet, payload, c->len);
    if (e < 0)
        r->machine->halt(r, 1, "a packet in shared memory makes no sense: memory was overwritten");
    if (e == 0 && outside)
        in->data_head = c->data_at + c->len;
    return e;
}

static int drain(struct process *p, int source, int budget)
{
    struct ring_in *in = &p->in[source];
    int n = 0;
    for (; n < budget && ready(p, in); n++) {
        if (deliver(p, source, in, &in->ring->cell[in->cell & p->mask]))
            break;
        in->cell++;
        tell(p, in, source);
    }
    return n;
}

/* A program that polls in a loop (MPI_Iprobe, MPI_Test) never comes to process_wait(): with more ranks than CPUs, the one it
 * polls for would not run before its time slice is over. With threads the rank's lock is held here: the others, who find it so,
 * give their CPUs away too. */
static void give_way(struct process *p)
{
    if (!p->link.rank->crowded || ++p->empty_polls < EMPTY_POLLS_MAX)
        return;
    p->empty_polls = 0;
    sched_yield();
}

static int link_poll(struct link *link, int from, int budget)
{
    struct process *p = (struct process *)link;
    int n = from >= 0 && p->favours < FAVOURS_MAX ? drain(p, from, budget) : 0;
    if (n) {
        p->favours++;
        return n;
    }
    p->favours = 0;
    for (int i = 0; i < p->link.rank->world_size; i++)
        if (ready(p, &p->in[i]))
            n += drain(p, i, budget);
    if (n)
        p->empty_polls = 0;
    else
        give_way(p);
    return n;
}

int mpico_process_ready(struct process *p)
{
    struct rank *r = p->link.rank;
    for (int i = 0; i < r->world_size; i++) {
        if (ready(p, &p->in[i]))
            return 1;
        struct ring_out *o = &p->out[i];
        if (!line_waits(r, i))
            continue;
        uint64_t taken = atomic_load_explicit(&o->ring->taken, memory_order_acquire);
        if (taken != ((uint64_t)o->data_taken << 32 | o->cell_taken))
            return 1;
    }
    return 0;
}

const struct link_ops mpico_process_link_ops = {
    .send = link_send,
    .reserve = link_reserve,
    .commit = link_commit,
    .poll = link_poll,
    .get = mpico_process_get,
};
