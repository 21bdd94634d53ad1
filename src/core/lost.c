/* lost.c: see lost.h. */
#include "lost.h"

#include <string.h>

#include "match.h"
#include "mpi.h"
#include "protocol.h"

/* A dead rank belongs to it, or two who have given up somebody, which may be each other. */
static int has_lost(const struct rank *r, const struct comm *c)
{
    int ill = 0;
    for (int i = 0; i < c->size && ill < LOST; i++)
        ill += r->lost[comm_world(c, i)];
    return ill >= LOST;
}

int mpico_lost_concerns(const struct rank *r, const struct request *q)
{
    if (q->context == comm_coll_context(q->comm))
        return has_lost(r, q->comm);
    return q->peer_world >= 0 ? rank_has_lost(r, q->peer_world) : q->kind == REQUEST_RECV;
}

/* 1 if it has ended. A packet that waits for room is still the link's, which drops it when its turn comes. */
static int end(struct rank *r, struct request *q)
{
    if ((q->flags & (REQUEST_DONE | REQUEST_SHELL | REQUEST_ACTIVE)) != REQUEST_ACTIVE || !mpico_lost_concerns(r, q))
        return 0;
    q->error = MPI_ERR_PROC_ABORTED;
    if (q->flags & REQUEST_QUEUED || (!SMALL && q->loans))
        return 0;
    if (q->kind == REQUEST_RECV && !(q->flags & REQUEST_MATCHED)) {
        mpico_match_unpost(&r->match, q);
        mpico_want(r, q->peer_world, -1);
    } else if (!SMALL && q->kind == REQUEST_RECV && q->flags & REQUEST_STREAM) {
        list_remove(&q->node);
    }
    mpico_request_done(r, q);
    return 1;
}

/* A collective ends when the messages it has under way have. */
static int end_any(struct rank *r, struct request *q)
{
    int ended = 0;
    if (!q || q->kind != REQUEST_COLL)
        return q ? end(r, q) : 0;
    if (q->flags & REQUEST_DONE)
        return 0;
    for (struct request *m; (m = (struct request *)(uintptr_t)r->upper->waiting(q)) && end(r, m);)
        ended++;
    return ended;
}

int mpico_lost_end(struct rank *r, struct request *const *list, int requests)
{
    int ended = 0;
    for (int i = 0; i < requests; i++)
        ended += end_any(r, list[i]);
    for (struct list *l = r->requests.next; l != &r->requests; l = l->next) {
        int some = end_any(r, list_entry(l, struct request, all));
        if (some)
            l = &r->requests; /* from the first again: whoever was told of an end may have freed any of them */
        ended += some;
    }
    return ended;
}

int mpico_lost_refuse(struct rank *r, struct request *q)
{
    if (!mpico_lost_concerns(r, q))
        return 0;
    q->error = MPI_ERR_PROC_ABORTED;
    mpico_request_done(r, q);
    return 1;
}

void mpico_torn(struct rank *r, int world_rank, const uint8_t *with)
{
    for (int other = 0; other < r->world_size; other++)
        if (with[other / 8] >> other % 8 & 1) {
            r->lost[world_rank] |= TORN;
            r->lost[other] |= TORN;
        }
}

void mpico_lost(struct rank *r, int world_rank, const char *why)
{
    if (!r->lost) {
        size_t bytes = (size_t)r->world_size;
        r->lost = mpico_heap_alloc(&r->heap, bytes);
        if (!r->lost)
            r->machine->halt(r, MPI_ERR_PROC_ABORTED, why);
        memset(r->lost, 0, bytes);
    }
    r->lost[world_rank] = LOST;
    mpico_fault(r, MPI_ERR_PROC_ABORTED, "%s", why);
    memcpy(r->lost_why, r->fault, sizeof r->lost_why);
    r->lost_why[sizeof r->lost_why - 1] = 0;
}
