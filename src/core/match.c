/* match.c: see match.h for the idea. Invariant: a message is in `arrived` and in one bucket of each
 * unexpected table, or (held by Mprobe) in none; a posted receive is in exactly one bucket, or it is `sole`
 * and the tables are empty.
 */
#include "match.h"

#include <string.h>

#include "../base/copy.h"
#include "../base/list.h"
#include "mpi.h"
#include "rank.h"
#include "request.h"

/* The low bits choose the bucket. The second product brings all others into them: tags that are multiples of a power of two, as
 * of programs that keep two numbers in a tag, are spread as well as neighbours. */
static uint32_t mix(uint32_t context, int source, int tag)
{
    uint32_t h = context * 0x9e3779b1u ^ (uint32_t)source * 0x85ebca6bu ^ (uint32_t)tag * 0xc2b2ae35u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    return h ^ h >> 13;
}

static enum match_kind kind_of(int source, int tag)
{
    return (source == MPI_ANY_SOURCE ? MATCH_ANY_SOURCE : MATCH_EXACT) | (tag == MPI_ANY_TAG ? MATCH_ANY_TAG : 0);
}

/* What a packet looks like to a receive of this kind. */
static uint32_t hash_of(enum match_kind kind, uint32_t context, int source, int tag)
{
    return mix(context, kind & MATCH_ANY_SOURCE ? MPI_ANY_SOURCE : source, kind & MATCH_ANY_TAG ? MPI_ANY_TAG : tag);
}

static int accepts(uint32_t context, int source, int tag, const struct packet *p)
{
    return p->context == context && (source == MPI_ANY_SOURCE || source == p->source) &&
           (tag == MPI_ANY_TAG || tag == p->tag);
}

static int table_init(struct rank *r, struct match_table *t, uint32_t buckets)
{
    t->bucket = mpico_heap_alloc(&r->heap, buckets * sizeof *t->bucket);
    if (!t->bucket)
        return -1;
    for (uint32_t i = 0; i < buckets; i++)
        list_init(&t->bucket[i]);
    t->mask = buckets - 1;
    return 0;
}

int mpico_match_init(struct rank *r)
{
    struct match *m = &r->match;
    memset(m, 0, sizeof *m);
    list_init(&m->arrived);
    for (int k = 0; k < MATCH_KINDS; k++)
        if (table_init(r, &m->posted[k], MATCH_BUCKETS_MIN) || table_init(r, &m->unexpected[k], MATCH_BUCKETS_MIN))
            return -1;
    return 0;
}

static uint32_t posted_hash(const struct list *node, enum match_kind kind)
{
    const struct request *q = list_entry(node, const struct request, node);
    return hash_of(kind, q->context, q->peer, q->tag);
}

static uint32_t unexpected_hash(const struct list *node, enum match_kind kind)
{
    const struct message *m = list_entry(node - kind, const struct message, node);
    return hash_of(kind, m->packet.context, m->packet.source, m->packet.tag);
}

/* Double a table that would hold more than one entry a bucket: each entry that is passed costs more than what a bucket takes, for
 * it is in no cache. Moving in bucket order keeps the order of equal keys, as they share a bucket. Without memory the old table
 * stays: slower, never wrong. */
SELDOM static void table_grow(struct rank *r, struct match_table *t, enum match_kind kind,
                              uint32_t (*hash)(const struct list *, enum match_kind))
{
    struct match_table bigger = {.count = t->count};
    if (table_init(r, &bigger, 2 * (t->mask + 1)))
        return;
    for (uint32_t i = 0; i <= t->mask; i++)
        while (!list_empty(&t->bucket[i])) {
            struct list *node = t->bucket[i].next;
            list_remove(node);
            list_append(&bigger.bucket[hash(node, kind) & bigger.mask], node);
        }
    mpico_heap_free(&r->heap, t->bucket);
    *t = bigger;
}

/* The oldest in the tables that accepts the packet, left in. */
APART static struct request *oldest(struct match *m, const struct packet *p)
{
    struct request *best = NULL;
    for (int k = 0; k < MATCH_KINDS; k++) {
        struct match_table *t = &m->posted[k];
        if (t->count == 0)
            continue;
        struct list *bucket = &t->bucket[hash_of((enum match_kind)k, p->context, p->source, p->tag) & t->mask];
        for (struct list *n = bucket->next; n != bucket; n = n->next) {
            struct request *q = list_entry(n, struct request, node);
            if (!accepts(q->context, q->peer, q->tag, p))
                continue;
            if (!best || q->order < best->order)
                best = q;
            break;
        }
    }
    return best;
}

struct request *mpico_match_sole(struct match *m, const struct packet *p)
{
    struct request *q = m->sole;
    if (!q || !accepts(q->context, q->peer, q->tag, p))
        return NULL;
    m->sole = NULL;
    m->posted_count = 0;
    return q;
}

struct request *mpico_match_arrival(struct match *m, const struct packet *p)
{
    if (m->sole)
        return mpico_match_sole(m, p);
    struct request *q = m->posted_count ? oldest(m, p) : NULL;
    if (q)
        mpico_match_unpost(m, q);
    return q;
}

APART static struct message *oldest_kept(struct match *m, uint32_t context, int source, int tag)
{
    enum match_kind k = kind_of(source, tag);
    struct match_table *t = &m->unexpected[k];
    struct list *bucket = &t->bucket[hash_of(k, context, source, tag) & t->mask];
    for (struct list *n = bucket->next; n != bucket; n = n->next) {
        struct message *msg = list_entry(n - k, struct message, node);
        if (accepts(context, source, tag, &msg->packet))
            return msg;
    }
    return NULL;
}

struct message *mpico_match_find(struct match *m, uint32_t context, int source, int tag)
{
    return m->unexpected_count ? oldest_kept(m, context, source, tag) : NULL;
}

static void into_table(struct rank *r, struct request *q)
{
    q->order = r->match.order++; /* the sole one comes here before the next one */
    enum match_kind k = kind_of(q->peer, q->tag);
    struct match_table *t = &r->match.posted[k];
    if (t->count > t->mask)
        table_grow(r, t, k, posted_hash);
    list_append(&t->bucket[hash_of(k, q->context, q->peer, q->tag) & t->mask], &q->node);
    t->count++;
}

APART static void post_another(struct rank *r, struct request *q)
{
    if (r->match.sole)
        into_table(r, r->match.sole);
    r->match.sole = NULL;
    into_table(r, q);
}

void mpico_match_post(struct rank *r, struct request *q)
{
    struct match *m = &r->match;
    if (m->posted_count++ == 0)
        m->sole = q;
    else
        post_another(r, q);
}

void mpico_match_unpost(struct match *m, struct request *q)
{
    m->posted_count--;
    if (m->sole == q) {
        m->sole = NULL;
        return;
    }
    list_remove(&q->node);
    m->posted[kind_of(q->peer, q->tag)].count--;
}

struct message *mpico_match_keep(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len,
                                 size_t room)
{
    struct match *m = &r->match;
    struct message *msg = room > SIZE_MAX / 2 ? NULL : mpico_heap_alloc(&r->heap, sizeof *msg + room);
    if (!msg)
        return NULL;
    list_init(&msg->stream);
    msg->packet = *p;
    msg->origin = origin;
    msg->held = 0;
    msg->magic = MESSAGE_MAGIC;
    msg->comm = NULL;
    msg->len = room;
    msg->have = len;
    if (len)
        mpico_copy(msg->payload, payload, len);
    list_append(&m->arrived, &msg->all);
    for (int i = 0; i < MATCH_KINDS; i++) {
        enum match_kind k = (enum match_kind)i;
        struct match_table *t = &m->unexpected[k];
        if (t->count++ > t->mask)
            table_grow(r, t, k, unexpected_hash);
        list_append(&t->bucket[hash_of(k, p->context, p->source, p->tag) & t->mask], &msg->node[k]);
    }
    m->unexpected_count++;
    return msg;
}

void mpico_match_take(struct match *m, struct message *msg)
{
    list_remove(&msg->all);
    for (int k = 0; k < MATCH_KINDS; k++) {
        list_remove(&msg->node[k]);
        m->unexpected[k].count--;
    }
    m->unexpected_count--;
    msg->held = 1;
}

void mpico_match_drop(struct rank *r, struct message *msg)
{
    msg->magic = 0;
    list_remove(&msg->stream);
    mpico_heap_free(&r->heap, msg);
}
