/* send.c: the sending end of a message. A request that must send a packet and finds no room stands in line for its
 * peer (line.h) with `pending` set; mpico_protocol_push() tries again, in order, so that packets to one peer
 * leave in the order in which they were asked for (MPI's non-overtaking rule).
 */
#include "arrive.h"
#include "line.h"
#include "lost.h"
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
    if (q->flags & REQUEST_POOLED) /* until it is freed; the others end before the call, or their owners see to it */
        type_keep(type);
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

void mpico_request_begin(struct request *q)
{
    q->flags = (uint16_t)((q->flags & ~(REQUEST_DONE | REQUEST_CANCELLED | REQUEST_MATCHED | REQUEST_QUEUED |
                                        REQUEST_STREAM | REQUEST_SENT)) |
                          REQUEST_ACTIVE);
    q->moved = q->target = q->received = q->sent_bytes = 0;
    q->error = 0;
    q->source = MPI_ANY_SOURCE;
    q->status_tag = MPI_ANY_TAG;
    q->pending = 0;
    if (!SMALL)
        q->loans = 0;
    if (q->flags & REQUEST_POOLED)
        mpico_comm_keep(q->comm);
}

void mpico_request_done(struct rank *r, struct request *q)
{
    if (q->ticket)
        mpico_ticket_drop(r, q);
    q->flags = (uint16_t)((q->flags | REQUEST_DONE) & ~REQUEST_ACTIVE);
    if (RANK_THREADS)
        r->threads.turns++;
    if (q->flags & REQUEST_POOLED && q->comm)
        mpico_comm_release(r, q->comm);
    if (q->on_done)
        q->on_done(q);
    else if (q->flags & REQUEST_DETACHED)
        mpico_request_free(r, q);
}

size_t mpico_send_eager_max(const struct rank *r, const struct link *link)
{
    return r->settings.eager_bytes < link->eager_max_bytes ? r->settings.eager_bytes : link->eager_max_bytes;
}

/* Of one block: lent where the link borrows, so that nobody copies it. */
static int send_block(struct link *link, struct request *q, const struct packet *p, size_t len)
{
    const void *payload = len ? (char *)q->buf + q->moved : NULL;
    if (SMALL || !link->ops->lend || len == 0 || q->loans == UINT16_MAX)
        return link->ops->send(link, q->peer_world, p, payload, len);
    int e = link->ops->lend(link, q->peer_world, p, payload, len, q);
    if (e == MPICO_LENT)
        q->loans++;
    return e == MPICO_AGAIN ? MPICO_AGAIN : 0;
}

/* For a wire that has no memory to lend. */
APART static int send_staged(struct rank *r, struct link *link, struct request *q, const struct packet *p, size_t len)
{
    void *staging = mpico_heap_alloc(&r->heap, len);
    if (!staging)
        return MPICO_AGAIN;
    mpico_type_pack(q->type, q->buf, q->moved, staging, len);
    mpico_cost_settle();
    int e = link->ops->send(link, q->peer_world, p, staging, len);
    mpico_heap_free(&r->heap, staging);
    return e;
}

/* Bytes [q->moved, q->moved + len) of the packed message as one packet. A derived type packs straight into
 * the wire where the link lends its memory. */
static int send_part(struct rank *r, struct request *q, const struct packet *p, size_t len)
{
    struct link *link = rank_link(r, q->peer_world);
    if (q->type->contiguous || len == 0)
        return send_block(link, q, p, len);
    if (!SMALL && !link->ops->reserve)
        return send_staged(r, link, q, p, len);
    void *wire = link->ops->reserve(link, q->peer_world, p, len);
    if (!wire)
        return MPICO_AGAIN;
    mpico_type_pack(q->type, q->buf, q->moved, wire, len);
    mpico_cost_settle();
    link->ops->commit(link, q->peer_world, p, len);
    return 0;
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

void mpico_send_over(struct rank *r, struct request *q)
{
    if (SMALL || q->loans == 0) {
        mpico_request_done(r, q);
        return;
    }
    mpico_ticket_drop(r, q);
    q->flags |= REQUEST_SENT;
}

void mpico_returned(struct rank *r, void *token)
{
    struct request *q = token;
    if (--q->loans == 0 && q->flags & REQUEST_SENT)
        mpico_request_done(r, q);
}

/* Pieces of what the peer has asked for, or of a stream. */
static int push_data(struct rank *r, struct request *q)
{
    size_t most = rank_link(r, q->peer_world)->mtu;
    int stream = !SMALL && q->flags & REQUEST_STREAM;
    while (q->moved < q->target) {
        size_t len = q->target - q->moved < most ? q->target - q->moved : most;
        struct packet p = packet_of(q, PACKET_DATA);
        p.flags = stream ? PACKET_STREAM : 0;
        p.length = q->moved;
        p.cookie = stream ? q->ticket : q->remote;
        if (send_part(r, q, &p, len))
            return MPICO_AGAIN;
        q->moved += len;
    }
    if (!stream || q->mode != SEND_SYNC) /* else the receiver's ACK is the end */
        mpico_send_over(r, q);
    return 0;
}

/* The first packet of a message that is longer than one; the others follow as far as there is room. */
static int push_stream(struct rank *r, struct request *q)
{
    const struct link *link = rank_link(r, q->peer_world);
    size_t first =
        link->stream_first_bytes && link->stream_first_bytes < link->mtu ? link->stream_first_bytes : link->mtu;
    if (name(r, q))
        return MPICO_AGAIN;
    struct packet p = packet_of(q, PACKET_EAGER);
    p.flags = q->mode == SEND_SYNC ? PACKET_SYNC | PACKET_STREAM : PACKET_STREAM;
    if (send_part(r, q, &p, first))
        return MPICO_AGAIN;
    q->flags |= REQUEST_STREAM;
    q->moved = first;
    q->target = q->bytes;
    q->pending = PACKET_DATA;
    return push_data(r, q);
}

static int is_stream(const struct link *link, size_t bytes)
{
    return bytes > (link->stream_early ? link->stream_first_bytes : link->mtu);
}

static int push_eager(struct rank *r, struct request *q)
{
    if (!SMALL && is_stream(rank_link(r, q->peer_world), q->bytes))
        return push_stream(r, q);
    if (q->mode == SEND_SYNC && name(r, q))
        return MPICO_AGAIN;
    struct packet p = packet_of(q, PACKET_EAGER);
    if (q->mode == SEND_SYNC)
        p.flags = PACKET_SYNC;
    if (send_part(r, q, &p, q->bytes))
        return MPICO_AGAIN;
    if (q->mode != SEND_SYNC)
        mpico_send_over(r, q);
    return 0;
}

static int push_rts(struct rank *r, struct request *q)
{
    if (name(r, q))
        return MPICO_AGAIN;
    struct link *link = rank_link(r, q->peer_world);
    struct packet p = packet_of(q, PACKET_RTS);
    int may_pull = !SMALL && q->type->contiguous && r->settings.single_copy && link->ops->get;
    struct rts rts = {.address = may_pull ? (uint64_t)(uintptr_t)q->buf : 0};
    return link->ops->send(link, q->peer_world, &p, &rts, sizeof rts);
}

/* The receiver's answers: ACK and FIN end the sender's request and ours, CTS starts the data. */
static int push_answer(struct rank *r, struct request *q)
{
    if (q->pending == PACKET_CTS && name(r, q))
        return MPICO_AGAIN;
    struct link *link = rank_link(r, q->peer_world);
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

int mpico_send_again(struct rank *r, struct request *q)
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

void mpico_send_push(struct rank *r, struct request *q, enum packet_kind kind)
{
    q->pending = (uint8_t)kind;
    /* Only what is matched keeps its place. Answers and asked-for data go first: a peer may wait for them before it has a place for
     * the message at the head of the line. */
    if (!SMALL && kind != PACKET_EAGER && kind != PACKET_RTS) {
        if (mpico_send_again(r, q))
            mpico_line_return(r, q);
    } else if (line_waits(r, q->peer_world) || mpico_send_again(r, q)) {
        mpico_line_join(r, q);
    }
}

int mpico_send_short(struct rank *r, const void *buf, size_t bytes, int dest, int tag, struct comm *comm,
                     uint32_t context)
{
    int world = comm_world(comm, dest);
    struct link *link = rank_link(r, world);
    if (bytes > link->short_max_bytes || line_waits(r, world))
        return MPICO_AGAIN;
    struct packet p = packet_make(PACKET_EAGER, 0, context, comm->rank, tag, bytes, 0);
    return link->ops->send(link, world, &p, buf, bytes);
}

void mpico_send_start(struct rank *r, struct request *q)
{
    mpico_request_begin(q);
    if (__builtin_expect(r->lost != NULL, 0) && mpico_lost_refuse(r, q))
        return;
    q->remote = 0;
    int eager = q->peer_world < 0 || q->bytes <= mpico_send_eager_max(r, rank_link(r, q->peer_world));
    mpico_send_push(r, q, eager ? PACKET_EAGER : PACKET_RTS);
}
