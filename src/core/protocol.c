/* protocol.c: the receiving end of a message, and everything that arrives. */
#include "protocol.h"

#include <string.h>

#include "../trace.h"
#include "arrive.h"
#include "lost.h"
#include "mpi.h"
#include "stream.h"

void mpico_want_tell(struct rank *r, int source, int change)
{
    for (struct link *l = r->links; l; l = l->next)
        if (l->ops->want && (source < 0 || rank_link(r, source) == l))
            l->ops->want(l, source, change);
}

/* The receive now knows its message: fix the status and what will fit. */
static void meet(struct request *q, int origin, const struct packet *p)
{
    q->flags |= REQUEST_MATCHED;
    q->source = p->source;
    q->status_tag = p->tag;
    q->peer_world = origin;
    q->remote = (size_ticket)p->cookie;
    q->sent_bytes = (size_t)p->length;
    q->target = q->sent_bytes < q->bytes ? q->sent_bytes : q->bytes;
    if (p->length > q->bytes)
        q->error = MPI_ERR_TRUNCATE;
}

static void accept_eager(struct rank *r, struct request *q, const struct packet *p, const void *payload, size_t have)
{
    if (!SMALL && __builtin_expect(p->flags & PACKET_STREAM, 0)) {
        mpico_stream_accept(r, q, p, payload, have);
        return;
    }
    unpack(q, 0, payload, q->target);
    q->received = q->target;
    if (p->flags & PACKET_SYNC)
        mpico_send_push(r, q, PACKET_ACK);
    else
        mpico_request_done(r, q);
}

/* A long message: pull it in one copy if both buffers and the link allow, else ask for packets. */
APART static void accept_long(struct rank *r, struct request *q, const struct rts *rts)
{
    struct link *link = rank_link(r, q->peer_world);
    int pull = !SMALL && rts->address && q->type->contiguous && r->settings.single_copy && link->ops->get &&
               q->target >= link->get_min_bytes;
    if (q->target == 0 || (pull && link->ops->get(link, q->peer_world, q->buf, rts->address, q->target) == 0)) {
        q->received = q->target;
        mpico_send_push(r, q, PACKET_FIN);
        return;
    }
    /* Its data may come behind another message that nobody waits for: let that come too. */
    mpico_want(r, q->peer_world, 1);
    mpico_send_push(r, q, PACKET_CTS);
}

static void accept(struct rank *r, struct request *q, int origin, const struct packet *p, const void *payload,
                   size_t have)
{
    meet(q, origin, p);
    if (p->kind == PACKET_EAGER) {
        accept_eager(r, q, p, payload, have);
    } else {
        struct rts rts;
        memcpy(&rts, payload, sizeof rts);
        accept_long(r, q, &rts);
    }
}

void mpico_recv_message(struct rank *r, struct request *q, struct message *m)
{
    if (!(q->flags & REQUEST_ACTIVE))
        mpico_request_begin(q);
    mpico_cost_settle(); /* what was kept is complete before it moves on */
    accept(r, q, m->origin, &m->packet, m->payload, m->have);
    mpico_match_drop(r, m);
}

APART static void recv_kept(struct rank *r, struct request *q, struct message *m)
{
    mpico_match_take(&r->match, m);
    mpico_recv_message(r, q, m);
}

void mpico_recv_start(struct rank *r, struct request *q)
{
    mpico_request_begin(q);
    q->peer_world = q->peer >= 0 ? comm_world(q->comm, q->peer) : -1; /* a persistent one met somebody before */
    cost(COST_MATCH, 1);
    struct message *m = mpico_match_find(&r->match, q->context, q->peer, q->tag);
    if (m) {
        recv_kept(r, q, m);
        return;
    }
    /* Only now: what a rank sent before it died is still there. */
    if (__builtin_expect(r->lost != NULL, 0) && mpico_lost_refuse(r, q))
        return;
    mpico_match_post(r, q);
    mpico_want(r, q->peer_world, 1);
}

int mpico_recv_cancel(struct rank *r, struct request *q)
{
    if (q->flags & (REQUEST_MATCHED | REQUEST_DONE) || !(q->flags & REQUEST_ACTIVE))
        return 0;
    mpico_match_unpost(&r->match, q);
    mpico_want(r, q->peer_world, -1);
    q->flags |= REQUEST_CANCELLED;
    mpico_request_done(r, q);
    return 1;
}

/* ---- What arrives. A negative result is a packet that no correct peer sends. ---- */

/* Nobody waits for it yet. */
APART static int keep(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    int stream = !SMALL && p->kind == PACKET_EAGER && p->flags & PACKET_STREAM;
    struct message *m = mpico_match_keep(r, origin, p, payload, len, stream ? (size_t)p->length : len);
    if (!m)
        return MPICO_AGAIN;
    if (stream)
        mpico_stream_keep(r, m);
    return 0;
}

static int check_message(const struct rank *r, int origin, const struct packet *p, size_t len)
{
    if (!SMALL && __builtin_expect(p->flags & PACKET_STREAM, 0))
        return mpico_stream_check(r, origin, p, len);
    return (p->kind == PACKET_EAGER ? len == p->length : len >= sizeof(struct rts)) ? 0 : -1;
}

static int arrive_message(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    if (check_message(r, origin, p, len))
        return -1;
    cost(COST_MATCH, 1);
    struct request *q = mpico_match_arrival(&r->match, p);
    if (!q)
        return keep(r, origin, p, payload, len);
    mpico_want(r, q->peer_world, -1);
    accept(r, q, origin, p, payload, len);
    return 0;
}

static struct request *named(struct rank *r, const struct packet *p, enum request_kind kind)
{
    struct request *q = mpico_ticket_find(r, p->cookie);
    return q && q->kind == kind ? q : NULL;
}

APART static int arrive_end(struct rank *r, const struct packet *p)
{
    struct request *q = named(r, p, REQUEST_SEND);
    if (!q || q->flags & REQUEST_QUEUED)
        return -1;
    mpico_send_over(r, q);
    return 0;
}

APART static int arrive_cts(struct rank *r, const struct packet *p, const void *payload, size_t len)
{
    struct request *q = named(r, p, REQUEST_SEND);
    struct cts cts;
    if (!q || q->flags & (REQUEST_QUEUED | REQUEST_STREAM) || len < sizeof cts)
        return -1;
    memcpy(&cts, payload, sizeof cts);
    if (cts.limit > q->bytes)
        return -1;
    mpico_ticket_drop(r, q); /* the receiver says no more: the last piece is the end */
    q->remote = (size_ticket)cts.receiver;
    q->target = (size_t)cts.limit;
    mpico_send_push(r, q, PACKET_DATA);
    return 0;
}

APART static int arrive_data(struct rank *r, const struct packet *p, const void *payload, size_t len)
{
    struct request *q = named(r, p, REQUEST_RECV);
    if (!q || q->flags & REQUEST_QUEUED || p->length > q->target || len > q->target - p->length)
        return -1;
    unpack(q, (size_t)p->length, payload, len);
    q->received += len;
    if (q->received >= q->target) {
        mpico_want(r, q->peer_world, -1);
        mpico_request_done(r, q);
    }
    return 0;
}

APART static int arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    if ((size_t)p->length != p->length) /* longer than memory here can be */
        return -1;
    if ((int)p->tag != p->tag || (int)p->source != p->source) /* where int has 16 bits */
        return -1;
    if (p->version != PACKET_VERSION || (SMALL && p->flags & PACKET_STREAM))
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
        return !SMALL && p->flags & PACKET_STREAM ? mpico_stream_piece(r, origin, p, payload, len)
                                                  : arrive_data(r, p, payload, len);
    default:
        return -1;
    }
}

/* The way of most packets: a whole message that asks for nothing, for the only receive that is posted. 0, or AGAIN: it
 * is not of that kind. */
static inline int arrive_awaited(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    if (SMALL || !packet_is_plain(p) || p->length != len)
        return MPICO_AGAIN;
    struct request *q = mpico_match_sole(&r->match, p);
    if (!q)
        return MPICO_AGAIN;
    cost(COST_MATCH, 1);
    mpico_want(r, q->peer_world, -1);
    meet(q, origin, p);
    unpack(q, 0, payload, q->target);
    q->received = q->target;
    mpico_request_done(r, q);
    return 0;
}

int mpico_arrive(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    uint64_t at = trace_now(r);
    int e = arrive_awaited(r, origin, p, payload, len);
    if (e)
        e = arrive(r, origin, p, payload, len);
    /* A packet offered again is no progress. */
    __atomic_store_n(&r->arrivals, r->arrivals + (e == 0), __ATOMIC_RELAXED);
    if (e == 0)
        trace_arrived(r, at, origin, p);
    return e;
}
