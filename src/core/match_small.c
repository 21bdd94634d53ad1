/* match_small.c: in place of match.c in small builds: a list of posted receives and one of unexpected messages, both oldest
 * first, and looked through: there are few.
 */
#include "match.h"

#include <string.h>

#include "../base/copy.h"
#include "mpi.h"
#include "rank.h"
#include "request.h"

static int accepts(uint32_t context, int source, int tag, const struct packet *p)
{
    return p->context == context && (source == MPI_ANY_SOURCE || source == p->source) &&
           (tag == MPI_ANY_TAG || tag == p->tag);
}

int mpico_match_init(struct rank *r)
{
    list_init(&r->match.posts);
    list_init(&r->match.arrived);
    return 0;
}

struct request *mpico_match_arrival(struct match *m, const struct packet *p)
{
    for (struct list *n = m->posts.next; n != &m->posts; n = n->next) {
        struct request *q = list_entry(n, struct request, node);
        if (accepts(q->context, q->peer, q->tag, p)) {
            mpico_match_unpost(m, q);
            return q;
        }
    }
    return NULL;
}

struct message *mpico_match_find(struct match *m, uint32_t context, int source, int tag)
{
    for (struct list *n = m->arrived.next; n != &m->arrived; n = n->next) {
        struct message *msg = list_entry(n, struct message, all);
        if (accepts(context, source, tag, &msg->packet))
            return msg;
    }
    return NULL;
}

void mpico_match_post(struct rank *r, struct request *q)
{
    r->match.posted_count++;
    list_append(&r->match.posts, &q->node);
}

void mpico_match_unpost(struct match *m, struct request *q)
{
    m->posted_count--;
    list_remove(&q->node);
}

struct message *mpico_match_keep(struct rank *r, int origin, const struct packet *p, const void *payload, size_t len,
                                 size_t room)
{
    struct message *msg = mpico_heap_alloc(&r->heap, sizeof *msg + room); /* room: at most a packet */
    if (!msg)
        return NULL;
    *msg = (struct message){.packet = *p, .origin = origin, .magic = MESSAGE_MAGIC, .len = room, .have = len};
    if (len)
        mpico_copy(msg->payload, payload, len);
    list_append(&r->match.arrived, &msg->all);
    r->match.unexpected_count++;
    return msg;
}

void mpico_match_take(struct match *m, struct message *msg)
{
    list_remove(&msg->all);
    m->unexpected_count--;
    msg->held = 1;
}

void mpico_match_drop(struct rank *r, struct message *msg)
{
    msg->magic = 0;
    mpico_heap_free(&r->heap, msg);
}
