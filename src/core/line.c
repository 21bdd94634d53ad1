/* line.c: see line.h. Invariant: of the requests with REQUEST_QUEUED, exactly one a peer stands in a bucket, the
 * oldest; the others stand in its `line`, in the order in which they came. r->unsent_count counts them all.
 */
#include "line.h"

#include "arrive.h"

static struct list *bucket_of(struct rank *r, int peer) { return &r->unsent[(unsigned)peer % UNSENT_BUCKETS]; }

struct request *mpico_line_first(const struct rank *r, int peer)
{
    const struct list *bucket = &r->unsent[(unsigned)peer % UNSENT_BUCKETS];
    for (struct list *n = bucket->next; n != bucket; n = n->next) {
        struct request *q = list_entry(n, struct request, node);
        if (q->peer_world == peer)
            return q;
    }
    return NULL;
}

void mpico_line_join(struct rank *r, struct request *q)
{
    struct request *first = r->unsent_count ? mpico_line_first(r, q->peer_world) : NULL;
    list_init(&q->line);
    list_append(first ? &first->line : bucket_of(r, q->peer_world), &q->node);
    q->flags |= REQUEST_QUEUED;
    r->unsent_count++;
}

/* All nodes of `from` to the list `to`, whatever it held. */
static void move_all(struct list *from, struct list *to)
{
    list_init(to);
    if (list_empty(from))
        return;
    to->next = from->next;
    to->prev = from->prev;
    to->next->prev = to->prev->next = to;
    list_init(from);
}

void mpico_line_leave(struct rank *r, struct request *q)
{
    struct list *before = q->node.prev;
    list_remove(&q->node);
    q->flags &= (uint16_t)~REQUEST_QUEUED;
    r->unsent_count--;
    if (list_empty(&q->line))
        return;
    struct request *next = list_entry(q->line.next, struct request, node);
    list_remove(&next->node);
    move_all(&q->line, &next->line);
    list_append(before->next, &next->node); /* the line keeps its place in the bucket */
}

void mpico_line_return(struct rank *r, struct request *q)
{
    struct request *first = mpico_line_first(r, q->peer_world);
    list_init(&q->line);
    if (first) {
        list_remove(&first->node);
        move_all(&first->line, &q->line);
        list_append(q->line.next, &first->node);
    }
    list_append(bucket_of(r, q->peer_world), &q->node);
    q->flags |= REQUEST_QUEUED;
    r->unsent_count++;
}

/* As much of a line as there is room for. What a request that is done starts meanwhile goes to the end of the line. */
static int push_line(struct rank *r, struct request *q, int peer)
{
    int sent = 0;
    for (; q; q = mpico_line_first(r, peer)) {
        size_t before = q->moved;
        mpico_line_leave(r, q);
        if (mpico_send_again(r, q)) {
            mpico_line_return(r, q);
            return sent + (q->moved != before);
        }
        sent++;
    }
    return sent;
}

/* A line that is stuck goes to the end of its bucket: each is tried once. */
static int push_bucket(struct rank *r, const struct list *bucket)
{
    int lines = 0, sent = 0;
    for (const struct list *n = bucket->next; n != bucket; n = n->next)
        lines++;
    for (; lines > 0 && !list_empty(bucket); lines--) {
        struct request *first = list_entry(bucket->next, struct request, node);
        sent += push_line(r, first, first->peer_world);
    }
    return sent;
}

int mpico_protocol_push(struct rank *r)
{
    int sent = 0;
    for (int i = 0; i < UNSENT_BUCKETS && r->unsent_count; i++)
        sent += push_bucket(r, &r->unsent[i]);
    return sent;
}
