/* protocol.c: the two ends of a message. A request that must send a packet and finds no room stands in
 * r->unsent[peer] with `pending` set; mpico_protocol_push() tries again, in order, so that packets to
 * one peer leave in the order in which they were asked for (MPI's non-overtaking rule).
 */
#include "protocol.h"

#include <string.h>

#include "arrive.h"
#include "mpi.h"

static void prepare(struct request *q, void *buf, size_t count, const struct type *type, int peer, int tag,
                    struct comm *comm, uint32_t context)
{
    q->flags &= REQUEST_POOLED | REQUEST_PERSISTENT;
    q->buf = buf;
    q->count = count;
    q->type = type;
    q->bytes = count * type->size;
    q->comm = comm;
    q->context = context;
    q->peer = peer;
    q->peer_world = peer >= 0 ? comm_world(comm, peer) : -1;
    q->tag = tag;
    q->ticket = 0;
    q->on_done = NULL;
}

void mpico_send_init(struct request *q, const void *buf, size_t count, const struct type *type, int dest, int tag,
                     struct comm *comm, uint32_t context, enum send_mode mode)
{
    q->magic = REQUEST_MAGIC;
    q->kind = REQUEST_SEND;
    q->mode = (uint8_t)mode;
    prepare(q, (void *)(uintptr_t)buf, count, type, dest, tag, comm, context);
}

void mpico_recv_init(struct request *q, void *buf, size_t count, const struct type *type, int source, int tag,
                     struct comm *comm, uint32_t context)
{
    q->magic = REQUEST_MAGIC;
    q->kind = REQUEST_RECV;
    q->mode = 0;
    prepare(q, buf, count, type, source, tag, comm, context);
}

static void begin(struct request *q)
{
    q->flags = (uint16_t)((q->flags & ~(REQUEST_DONE | REQUEST_CANCELLED | REQUEST_MATCHED | REQUEST_QUEUED)) |
                          REQUEST_ACTIVE);
    q->moved = q->target = q->received = q->sent_bytes = 0;
    q->error = 0;
    q->source = MPI_ANY_SOURCE;
    q->status_tag = MPI_ANY_TAG;
    q->pending = 0;
    if (q->flags & REQUEST_POOLED)
        mpico_comm_keep(q->comm);
}

static size_t eager_limit(const struct rank *r, const struct link *link)
{
    size_t limit = link->eager_max_bytes < link->mtu ? link->eager_max_bytes : link->mtu;
    return r->settings.eager_bytes < limit ? r->settings.eager_bytes : limit;
}

/* Bytes [q->moved, q->moved + len) of the packed message as one packet. A derived type packs straight into
 * the wire where the link lends its memory. */
static int send_part(struct rank *r, struct request *q, const struct packet *p, size_t len)
{
    struct link *link = r->route[q->peer_world];
    if (q->type->contiguous || len == 0)
        return link->ops->send(link, q->peer_world, p, len ? (char *)q->buf + q->moved : NULL, len);
    if (link->ops->reserve) {
        void *wire = link->ops->reserve(link, q->peer_world, len);
        if (!wire)
            return MPICO_AGAIN;
        mpico_type_pack(q->type, q->buf, q->moved, wire, len);
        link->ops->commit(link, q->peer_world, p, len);
        return 0;
    }
    void *staging = mpico_heap_alloc(&r->heap, len);
    if (!staging)
        return MPICO_AGAIN;
    mpico_type_pack(q->type, q->buf, q->moved, staging, len);
    int e = link->ops->send(link, q->peer_world, p, staging, len);
    mpico_heap_free(&r->heap, staging);
    return e;
}

static struct packet packet_of(const struct request *q, enum packet_kind kind)
{
    return packet_make(kind, 0, q->context, q->comm->rank, q->tag, q->bytes, q->ticket);
}

/* The name under which the peer answers. Without memory for one the request waits in line like one without
 * room in the wire: nothing is lost. */
static int name(struct rank *r, struct request *q)
{
    return q->ticket || mpico_ticket_take(r, q) == 0 ? 0 : MPICO_AGAIN;
}

static int push_eager(struct rank *r, struct request *q)
{
    if (q->mode == SEND_SYNC && name(r, q))
        return MPICO_AGAIN;
    struct packet p = packet_of(q, PACKET_EAGER);
    if (q->mode == SEND_SYNC)
        p.flags = PACKET_SYNC;
    if (send_part(r, q, &p, q->bytes))
        return MPICO_AGAIN;
    if (q->mode != SEND_SYNC)
        mpico_request_done(r, q);
    return 0;
}

static int push_rts(struct rank *r, struct request *q)
{
    if (name(r, q))
        return MPICO_AGAIN;
    struct link *link = r->route[q->peer_world];
    struct packet p = packet_of(q, PACKET_RTS);
    int may_pull = q->type->contiguous && r->settings.single_copy && link->ops->get;
    struct rts rts = {.address = may_pull ? (uint64_t)(uintptr_t)q->buf : 0};
    return link->ops->send(link, q->peer_world, &p, &rts, sizeof rts);
}

static int push_data(struct rank *r, struct request *q)
{
    struct link *link = r->route[q->peer_world];
    while (q->moved < q->target) {
        size_t len = q->target - q->moved < link->mtu ? q->target - q->moved : link->mtu;
        struct packet p = packet_of(q, PACKET_DATA);
        p.length = q->moved;
        p.cookie = q->remote;
        if (send_part(r, q, &p, len))
            return MPICO_AGAIN;
        q->moved += len;
    }
    mpico_request_done(r, q);
    return 0;
}

/* The receiver's answers: ACK and FIN end the sender's request and ours, CTS starts the data. */
static int push_answer(struct rank *r, struct request *q)
{
    if (q->pending == PACKET_CTS && name(r, q))
        return MPICO_AGAIN;
    struct link *link = r->route[q->peer_world];
    struct packet p = packet_of(q, q->pending);
    struct cts cts = {.receiver = q->ticket, .limit = q->target};
    p.cookie = q->remote;
    size_t len = q->pending == PACKET_CTS ? sizeof cts : 0;
    if (link->ops->send(link, q->peer_world, &p, len ? &cts : NULL, len))
        return MPICO_AGAIN;
    if (q->pending != PACKET_CTS)
        mpico_request_done(r, q);
    return 0;
}

static int push(struct rank *r, struct request *q)
{
    switch (q->pending) {
    case PACKET_EAGER:
        return push_eager(r, q);
    case PACKET_RTS:
        return push_rts(r, q);
    case PACKET_DATA:
        return push_data(r, q);
    default:
        return push_answer(r, q);
    }
}

/* Send the packet now if nobody waits before it, else stand in line. */
static void push_or_queue(struct rank *r, struct request *q, enum packet_kind kind)
{
    q->pending = (uint8_t)kind;
    if (list_empty(&r->unsent[q->peer_world]) && push(r, q) == 0)
        return;
    q->flags |= REQUEST_QUEUED;
    list_append(&r->unsent[q->peer_world], &q->node);
    r->unsent_count++;
}

int mpico_protocol_push(struct rank *r)
{
    int sent = 0;
    for (int peer = 0; peer < r->world_size && r->unsent_count; peer++)
        while (!list_empty(&r->unsent[peer])) {
            struct request *q = list_entry(r->unsent[peer].next, struct request, node);
            size_t before = q->moved;
            struct list *node = &q->node;
            list_remove(node);
            q->flags &= (uint16_t)~REQUEST_QUEUED;
            if (push(r, q)) {
                q->flags |= REQUEST_QUEUED;
                node->next = r->unsent[peer].next;
                node->prev = &r->unsent[peer];
                node->next->prev = node;
                node->prev->next = node;
                sent += q->moved != before;
                break;
            }
            r->unsent_count--;
            sent++;
        }
    return sent;
}

int mpico_send_short(struct rank *r, const void *buf, size_t bytes, int dest, int tag, struct comm *comm,
                     uint32_t context)
{
    int world = comm_world(comm, dest);
    struct link *link = r->route[world];
    if (bytes > eager_limit(r, link) || !list_empty(&r->unsent[world]))
        return MPICO_AGAIN;
    struct packet p = packet_make(PACKET_EAGER, 0, context, comm->rank, tag, bytes, 0);
    return link->ops->send(link, world, &p, buf, bytes);
}

void mpico_send_start(struct rank *r, struct request *q)
{
    begin(q);
    q->remote = 0;
    int eager = q->bytes <= eager_limit(r, r->route[q->peer_world]);
    push_or_queue(r, q, eager ? PACKET_EAGER : PACKET_RTS);
}

/* The receive now knows its message: fix the status and what will fit. */
static void meet(struct request *q, int origin, const struct packet *p)
{
    q->flags |= REQUEST_MATCHED;
    q->source = p->source;
    q->status_tag = p->tag;
    q->peer_world = origin;
    q->remote = p->cookie;
    q->sent_bytes = p->length;
    q->target = p->length < q->bytes ? p->length : q->bytes;
    if (p->length > q->bytes)
        q->error = MPI_ERR_TRUNCATE;
}

static void unpack(struct request *q, size_t offset, const void *payload, size_t len)
{
    if (len == 0)
        return;
    if (!q->type->contiguous)
        mpico_type_unpack(q->type, q->buf, offset, payload, len);
    else if (len == 8) /* one load and one store instead of a call */
        memcpy((char *)q->buf + offset, payload, 8);
    else
        memcpy((char *)q->buf + offset, payload, len);
}

static void accept_eager(struct rank *r, struct request *q, const struct packet *p, const void *payload)
{
    unpack(q, 0, payload, q->target);
    q->received = q->target;
    if (p->flags & PACKET_SYNC)
        push_or_queue(r, q, PACKET_ACK);
    else
        mpico_request_done(r, q);
}

/* A long message: pull it in one copy if both buffers and the link allow, else ask for packets. */
static void accept_long(struct rank *r, struct request *q, const struct rts *rts)
{
    struct link *link = r->route[q->peer_world];
    int pull = rts->address && q->type->contiguous && r->settings.single_copy && link->ops->get &&
               q->target >= link->get_min_bytes;
    if (q->target == 0 || (pull && link->ops->get(link, q->peer_world, q->buf, rts->address, q->target) == 0)) {
        q->received = q->target;
        push_or_queue(r, q, PACKET_FIN);
        return;
    }
    push_or_queue(r, q, PACKET_CTS);
}

static void accept(struct rank *r, struct request *q, int origin, const struct packet *p, const void *payload)
{
    meet(q, origin, p);
    if (p->kind == PACKET_EAGER) {
        accept_eager(r, q, p, payload);
    } else {
        struct rts rts;
        memcpy(&rts, payload, sizeof rts);
        accept_long(r, q, &rts);
    }
}

void mpico_recv_message(struct rank *r, struct request *q, struct message *m)
{
    if (!(q->flags & REQUEST_ACTIVE))
        begin(q);
    accept(r, q, m->origin, &m->packet, m->payload);
    mpico_match_drop(r, m);
}

void mpico_recv_start(struct rank *r, struct request *q)
{
    begin(q);
    q->peer_world = q->peer >= 0 ? comm_world(q->comm, q->peer) : -1; /* a persistent one met somebody before */
    struct message *m = mpico_match_find(&r->match, q->context, q->peer, q->tag);
    if (!m) {
        mpico_match_post(r, q);
        return;
    }
    mpico_match_take(&r->match, m);
    mpico_recv_message(r, q, m);
}

int mpico_recv_cancel(struct rank *r, struct request *q)
{
    if (q->flags & (REQUEST_MATCHED | REQUEST_DONE) || !(q->flags & REQUEST_ACTIVE))
        return 0;
    mpico_match_unpost(&r->match, q);
    q->flags |= REQUEST_CANCELLED;
    mpico_request_done(r, q);
    return 1;
}

/* ---- What arrives. A negative result is a packet that no correct peer sends. ---- */

static int arrive_message(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    if (p->kind == PACKET_EAGER ? len != p->length : len < sizeof(struct rts))
        return -1;
    struct request *q = mpico_match_arrival(&r->match, p);
    if (q)
        accept(r, q, origin, p, payload);
    else if (!mpico_match_keep(r, origin, p, payload, len))
        return MPICO_AGAIN;
    return 0;
}

static struct request *named(struct rank *r, const struct packet *p, enum request_kind kind)
{
    struct request *q = mpico_ticket_find(r, p->cookie);
    return q && q->kind == kind ? q : NULL;
}

static int arrive_end(struct rank *r, const struct packet *p)
{
    struct request *q = named(r, p, REQUEST_SEND);
    if (!q || q->flags & REQUEST_QUEUED)
        return -1;
    mpico_request_done(r, q);
    return 0;
}

static int arrive_cts(struct rank *r, const struct packet *p, const void *payload, size_t len)
{
    struct request *q = named(r, p, REQUEST_SEND);
    struct cts cts;
    if (!q || q->flags & REQUEST_QUEUED || len < sizeof cts)
        return -1;
    memcpy(&cts, payload, sizeof cts);
    if (cts.limit > q->bytes)
        return -1;
    mpico_ticket_drop(r, q); /* the receiver says no more: the last piece is the end */
    q->remote = cts.receiver;
    q->target = cts.limit;
    push_or_queue(r, q, PACKET_DATA);
    return 0;
}

static int arrive_data(struct rank *r, const struct packet *p, const void *payload, size_t len)
{
    struct request *q = named(r, p, REQUEST_RECV);
    if (!q || q->flags & REQUEST_QUEUED || p->length > q->target || len > q->target - p->length)
        return -1;
    unpack(q, p->length, payload, len);
    q->received += len;
    if (q->received >= q->target)
        mpico_request_done(r, q);
    return 0;
}

static int arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    if (p->version != PACKET_VERSION)
        return -1;
    switch (p->kind) {
    case PACKET_EAGER:
    case PACKET_RTS:
        return arrive_message(r, origin, p, payload, len);
    case PACKET_ACK:
    case PACKET_FIN:
        return arrive_end(r, p);
    case PACKET_CTS:
        return arrive_cts(r, p, payload, len);
    case PACKET_DATA:
        return arrive_data(r, p, payload, len);
    default:
        return -1;
    }
}

int mpico_arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    int e = arrive(r, origin, p, payload, len);
    r->arrivals += e == 0; /* a packet offered again is no progress */
    return e;
}
