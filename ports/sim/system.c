/* system.c: machines whose system puts messages where they belong (delivery = "direct").
 *
 * A message longer than a packet goes as a stream of two pieces: one packet, and the rest. When that packet has come, the
 * system of the receiver knows where the rest goes, straight to the posted receive or else to the library's heap, and
 * tells the sender's system, which only now sends it. That is decided once: a receive which comes later copies it all from
 * there, when it is complete. The rank that sends waits until its interface has all of the message; nobody copies it there.
 *
 * Invariant: a stream_out stands in its sender's list until its last piece has been launched, a stream_in in its receiver's
 * from its first piece to its last. Its `base` is memory that the library has given by place(), and has not freed.
 */
#include <stdlib.h>
#include <string.h>

#include "parcel.h"

enum { PIECE_MAX = 16 << 20, PIECE_WITHOUT_PACKETS = 64, PIECE_LEAST = 16 };

struct loan {
    struct loan *next;
    void *token;
};

struct stream_out {
    struct stream_out *next;
    int to;
    uint64_t name;
    size_t total, gone;
    int granted;
    struct parcel *first, **last; /* pieces that wait for the grant */
};

struct stream_in {
    struct stream_in *next;
    int from;
    uint64_t name;
    size_t total, got;
    char *base; /* NULL: through the library's hands */
    size_t end;
};

static int is_stream(const struct packet *p) { return p->flags & PACKET_STREAM; }
static int is_first(const struct packet *p) { return p->kind == PACKET_EAGER && is_stream(p); }

static void *memory(const struct node *n, size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p)
        mpico_machine.halt(n->fiber->state, 1, "the host has no memory for a message of the simulated machine");
    return p;
}

/* ---- The sender ---- */

static struct stream_out **out_called(struct node *n, int to, uint64_t name)
{
    struct stream_out **at = &n->parcels.streams_out;
    while (*at && ((*at)->to != to || (*at)->name != name))
        at = &(*at)->next;
    return at;
}

static void out_begin(struct node *n, int to, const struct packet *p, size_t len)
{
    struct stream_out *s = memory(n, sizeof *s);
    *s = (struct stream_out){
        .next = n->parcels.streams_out, .to = to, .name = p->cookie, .total = p->length, .gone = len};
    s->last = &s->first;
    n->parcels.streams_out = s;
}

static void out_launch(struct node *n, struct stream_out **at, struct parcel *p)
{
    struct stream_out *s = *at;
    s->gone += p->len;
    sim_parcel_launch(n, p);
    if (s->gone < s->total)
        return;
    *at = s->next;
    free(s);
}

/* The receiver has told where: what waited goes now. */
static void granted(struct engine *e, struct transfer *t)
{
    struct node *n = &sim.node[t->to];
    struct stream_out **at = out_called(n, t->from, ((struct parcel *)t->owner)->packet.cookie), *s = *at;
    (void)e;
    free(t->owner);
    s->granted = 1;
    for (struct parcel *p = s->first, *next; p; p = next) {
        next = p->next;
        out_launch(n, at, p);
    }
}

/* A piece behind the first. */
static void out_continue(struct node *n, struct parcel *p)
{
    struct stream_out **at = out_called(n, p->transfer.to, p->packet.cookie), *s = *at;
    if (s->granted) {
        out_launch(n, at, p);
        return;
    }
    *s->last = p;
    s->last = &p->next;
}

static struct parcel *parcel_for(struct node *n, int dest, const struct packet *packet, const void *payload, size_t len)
{
    sim_sync(n);
    if (n->parcels.under_way < PARCEL_QUEUE || dest == n->id)
        return sim_parcel_make(n, dest, packet, payload, len);
    n->parcels.starved = 1;
    return NULL;
}

/* The interface takes it; a loan to another node, if `lends`. */
static struct loan *submit(struct node *n, int dest, struct parcel *p, int lends)
{
    mpico_cost(COST_SEND, 1);
    if (dest == n->id) {
        sim_parcel_append(n, p);
        return NULL;
    }
    struct loan *loan = p->loan = lends ? memory(n, sizeof *loan) : NULL;
    sim_sync(n);
    if (is_first(&p->packet))
        out_begin(n, dest, &p->packet, p->len);
    if (p->packet.kind == PACKET_DATA && is_stream(&p->packet))
        out_continue(n, p);
    else
        sim_parcel_launch(n, p);
    return loan;
}

static int system_lend(struct link *l, int dest, const struct packet *packet, const void *payload, size_t len,
                       void *token)
{
    struct node *n = parcel_node(l);
    struct parcel *p = parcel_for(n, dest, packet, payload, len);
    if (!p)
        return MPICO_AGAIN;
    if (dest == n->id)
        mpico_cost(COST_COPY, len);
    struct loan *loan = submit(n, dest, p, token != NULL);
    if (loan)
        loan->token = token;
    return loan ? MPICO_LENT : 0;
}

static int system_send(struct link *l, int dest, const struct packet *packet, const void *payload, size_t len)
{
    return system_lend(l, dest, packet, payload, len, NULL);
}

static void *system_reserve(struct link *l, int dest, const struct packet *packet, size_t len)
{
    struct node *n = parcel_node(l);
    n->parcels.filling = parcel_for(n, dest, packet, NULL, len);
    return n->parcels.filling ? n->parcels.filling->payload : NULL;
}

static void system_commit(struct link *l, int dest, const struct packet *packet, size_t len)
{
    struct node *n = parcel_node(l);
    (void)packet;
    (void)len;
    submit(n, dest, n->parcels.filling, 0);
}

void sim_system_left(struct node *n, struct parcel *p)
{
    if (!p->loan)
        return;
    p->loan->next = n->parcels.returned;
    n->parcels.returned = p->loan;
    p->loan = NULL;
    sim_wake(n);
}

static int give_back(struct node *n)
{
    int count = 0;
    for (struct loan *l; (l = n->parcels.returned); count++) {
        void *token = l->token;
        n->parcels.returned = l->next;
        free(l);
        mpico_returned(n->fiber->state, token);
    }
    return count;
}

/* ---- The receiver ---- */

void sim_system_arrived(struct node *n, const struct parcel *p)
{
    if (!is_first(&p->packet))
        return;
    struct parcel *answer = sim_parcel_make(n, p->transfer.from, &p->packet, NULL, 0);
    answer->transfer.sent = NULL;
    answer->transfer.arrived = granted;
    network_send(sim.network, &answer->transfer);
}

static struct stream_in **in_called(struct node *n, int from, uint64_t name)
{
    struct stream_in **at = &n->parcels.streams_in;
    while (*at && ((*at)->from != from || (*at)->name != name))
        at = &(*at)->next;
    return at;
}

/* While the first piece is with the library it says where the rest goes; later, only that it is too late for that. */
static void system_place(struct link *l, int source, uint64_t stream, void *base, size_t from, size_t to)
{
    struct node *n = parcel_node(l);
    struct stream_in *s = *in_called(n, source, stream);
    if (!s)
        return;
    s->base = s == n->parcels.beginning && from < to ? base : NULL;
    s->end = to;
}

static int deliver_first(struct node *n, int from, const struct parcel *p)
{
    struct stream_in *s = memory(n, sizeof *s);
    *s = (struct stream_in){.next = n->parcels.streams_in, .from = from, .name = p->packet.cookie};
    s->total = p->packet.length;
    s->got = p->len;
    n->parcels.streams_in = n->parcels.beginning = s;
    int e = mpico_arrive(n->fiber->state, from, &p->packet, p->payload, p->len);
    n->parcels.beginning = NULL;
    if (e) { /* it will come again */
        n->parcels.streams_in = s->next;
        free(s);
    }
    return e;
}

/* What the hardware wrote to its place while it came. */
static const char *put_in_place(const struct stream_in *s, const struct parcel *p)
{
    size_t offset = s->got, fits = offset < s->end ? s->end - offset : 0;
    if (!s->base || !fits)
        return p->payload;
    memcpy(s->base + offset, p->payload, p->len < fits ? p->len : fits);
    return s->base + offset;
}

static int deliver_piece(struct node *n, int from, const struct parcel *p)
{
    struct stream_in **at = in_called(n, from, p->packet.cookie), *s = *at;
    int e = mpico_arrive(n->fiber->state, from, &p->packet, put_in_place(s, p), p->len);
    if (e)
        return e;
    s->got += p->len;
    if (s->got == s->total) {
        *at = s->next;
        free(s);
    }
    return 0;
}

static int deliver(struct node *n, int from, const struct parcel *p)
{
    if (is_first(&p->packet))
        return deliver_first(n, from, p);
    if (p->packet.kind == PACKET_DATA && is_stream(&p->packet))
        return deliver_piece(n, from, p);
    return mpico_arrive(n->fiber->state, from, &p->packet, p->payload, p->len);
}

static int system_poll(struct link *l, int from, int budget)
{
    struct node *n = parcel_node(l);
    (void)from;
    sim_sync(n);
    int count = give_back(n);
    return count + sim_parcels_deliver(n, budget - count, deliver);
}

const struct link_ops sim_system_ops = {.send = system_send,
                                        .lend = system_lend,
                                        .reserve = system_reserve,
                                        .commit = system_commit,
                                        .poll = system_poll,
                                        .place = system_place};

void sim_system_link(struct link *l)
{
    int packet = sim.machine.network == NETWORK_MESH ? sim.machine.mesh.packet_max_bytes : 0;
    int first = packet ? packet - PARCEL_HEAD_BYTES : PIECE_WITHOUT_PACKETS;
    l->ops = &sim_system_ops;
    l->mtu = PIECE_MAX;
    l->stream_early = 1;
    l->stream_first_bytes = (size_t)(first > PIECE_LEAST ? first : PIECE_LEAST);
}
