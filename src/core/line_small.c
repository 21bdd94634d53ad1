/* line_small.c: in place of line.c in small builds: one line for all peers. */
#include "arrive.h"
#include "line.h"

void mpico_line_join(struct rank *r, struct request *q)
{
    list_append(&r->unsent[0], &q->node);
    q->flags |= REQUEST_QUEUED;
    r->unsent_count++;
}

int mpico_protocol_push(struct rank *r)
{
    int sent = 0;
    while (!list_empty(&r->unsent[0])) {
        struct request *q = list_entry(r->unsent[0].next, struct request, node);
        list_remove(&q->node);
        q->flags &= (uint16_t)~REQUEST_QUEUED;
        r->unsent_count--;
        if (mpico_send_again(r, q)) {
            q->flags |= REQUEST_QUEUED;
            r->unsent_count++;
            q->node.next = r->unsent[0].next; /* to the head again */
            q->node.prev = &r->unsent[0];
            q->node.next->prev = r->unsent[0].next = &q->node;
            return sent;
        }
        sent++;
    }
    return sent;
}
