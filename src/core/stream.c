/* stream.c: see stream.h. Invariant: a stream under way stands in exactly one list: in r->streams as the receive that has
 * met it, with `moved` bytes here, or in r->streams_kept as a message, with `have` bytes here. Only the piece at
 * that very offset is accepted, so nothing is written twice or outside, whatever a peer sends.
 */
#include "stream.h"

#include "arrive.h"
#include "rank.h"

static struct request *receive_of(const struct rank *r, int origin, uint64_t stream)
{
    for (const struct list *n = r->streams.next; n != &r->streams; n = n->next) {
        struct request *q = list_entry(n, struct request, node);
        if (q->remote == stream && q->peer_world == origin)
            return q;
    }
    return NULL;
}

static struct message *message_of(const struct rank *r, int origin, uint64_t stream)
{
    for (const struct list *n = r->streams_kept.next; n != &r->streams_kept; n = n->next) {
        struct message *m = list_entry(n, struct message, stream);
        if (m->packet.cookie == stream && m->origin == origin)
            return m;
    }
    return NULL;
}

int mpico_stream_check(const struct rank *r, int origin, const struct packet *p, size_t len)
{
    if (p->kind != PACKET_EAGER || len >= p->length || p->length > SIZE_MAX / 2)
        return -1;
    return receive_of(r, origin, p->cookie) || message_of(r, origin, p->cookie) ? -1 : 0;
}

/* The next `len` bytes. What is beyond the buffer is dropped; what the link has written to its place stays there. */
static void take(struct request *q, const void *payload, size_t len)
{
    size_t room = q->target - q->received, fits = len < room ? len : room;
    if (!q->type->contiguous || payload != (char *)q->buf + q->moved)
        unpack(q, q->moved, payload, fits);
    q->moved += len;
    q->received += fits;
}

/* The acknowledgement waits for the end: before, the sender has pieces to send under the same ticket. */
static void finish(struct rank *r, struct request *q)
{
    if (q->mode == SEND_SYNC)
        mpico_send_push(r, q, PACKET_ACK);
    else
        mpico_request_done(r, q);
}

void mpico_stream_accept(struct rank *r, struct request *q, const struct packet *p, const void *payload, size_t have)
{
    q->mode = p->flags & PACKET_SYNC ? SEND_SYNC : SEND_STANDARD;
    take(q, payload, have);
    if (q->moved == q->sent_bytes) {
        finish(r, q);
        return;
    }
    q->flags |= REQUEST_STREAM;
    list_append(&r->streams, &q->node);
    struct link *link = rank_link(r, q->peer_world);
    if (link->ops->place && q->type->contiguous && q->moved < q->target)
        link->ops->place(link, q->peer_world, q->remote, q->buf, q->moved, q->target);
    else if (link->stream_early)
        link->ops->place(link, q->peer_world, q->remote, NULL, 0, 0);
}

void mpico_stream_keep(struct rank *r, struct message *m)
{
    struct link *link = rank_link(r, m->origin);
    list_append(&r->streams_kept, &m->stream);
    if (link->stream_early)
        link->ops->place(link, m->origin, m->packet.cookie, m->payload, m->have, m->len);
}

static int fits(const struct packet *p, size_t len, size_t have, size_t all)
{
    return p->length == have && len > 0 && len <= all - have;
}

int mpico_stream_piece(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len)
{
    struct request *q = receive_of(r, origin, p->cookie);
    if (q) {
        if (!fits(p, len, q->moved, q->sent_bytes))
            return -1;
        take(q, payload, len);
        if (q->moved == q->sent_bytes) {
            q->flags &= (uint16_t)~REQUEST_STREAM;
            list_remove(&q->node);
            finish(r, q);
        }
        return 0;
    }
    struct message *m = message_of(r, origin, p->cookie);
    if (!m || !fits(p, len, m->have, m->len))
        return -1;
    if (payload != m->payload + m->have)
        mpico_copy(m->payload + m->have, payload, len);
    m->have += len;
    if (m->have == m->len)
        list_remove(&m->stream);
    return 0;
}
