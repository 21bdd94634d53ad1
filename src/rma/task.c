/* task.c: messages that are under way for a window. Invariant: peer.pending counts the tasks of w->tasks with this target, and
 * w->answering those that are a target's.
 */
#include <string.h>

#include "mpi.h"
#include "task.h"

struct rma_task *mpico_rma_task(struct win *w, size_t more)
{
    struct rma_task *t = mpico_heap_alloc(&w->rank->heap, sizeof *t + more);
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->win = w;
    t->target = -1;
    list_init(&t->node);
    list_append(&w->rank->requests, &t->q.all);
    return t;
}

void mpico_rma_task_free(struct rma_task *t)
{
    struct rank *r = t->win->rank;
    if (t->kept)
        type_release(&r->heap, t->kept);
    list_remove(&t->node);
    list_remove(&t->q.all);
    mpico_heap_free(&r->heap, t);
}

void mpico_rma_turn(struct win *w, uint32_t *idle, struct request *what)
{
    if (!what && !list_empty(&w->tasks))
        what = &list_entry(w->tasks.next, struct rma_task, node)->q;
    if (w->starved)
        mpico_rma_serve(w);
    w->rank->wait.list = &what; /* also after the first turn, whose variable is gone */
    mpico_wait_turn(w->rank, idle, &what, what != NULL);
}

struct rma_task *mpico_rma_task_open(struct win *w, size_t more, int target, struct request *user)
{
    struct rma_task *t;
    uint32_t idle = 0;
    while (!(t = mpico_rma_task(w, more)) && !list_empty(&w->tasks))
        mpico_rma_turn(w, &idle, NULL);
    mpico_wait_over(w->rank);
    if (!t) {
        mpico_fault(w->rank, MPI_ERR_NO_MEM, "no memory for an operation of %z bytes at rank %d", more, target);
        return NULL;
    }
    t->target = target;
    t->user = user;
    rma_user_begin(user);
    w->peer[target].pending++;
    list_append(&w->tasks, &t->node);
    return t;
}

void mpico_rma_user_end(struct rank *r, struct request *user, int error)
{
    if (!user)
        return;
    if (error)
        user->error = error;
    if (++user->moved == user->target)
        mpico_request_done(r, user);
}

/* What the message says about its operation. */
static int outcome(const struct rma_task *t)
{
    int32_t e = t->q.error;
    if (!e && t->q.kind == REQUEST_RECV && t->q.received < t->q.bytes)
        return MPI_ERR_RMA_RANGE; /* the answer to a get of memory that is not there is empty */
    if (!e && t->verdict)
        memcpy(&e, t->more, sizeof e);
    if (e & RMA_CROWDED)
        t->win->peer[t->target].crowded = 1;
    return e & ~RMA_CROWDED;
}

static void done(struct request *q)
{
    struct rma_task *t = q->owner;
    struct win *w = t->win;
    struct rma_peer *peer = &w->peer[t->target];
    int e = outcome(t);
    if (e)
        w->error = e;
    else if (t->to.type)
        rma_give(&t->to, t->gapped, t->at, t->more, q->bytes);
    peer->pending--;
    peer->behind -= t->behind;
    mpico_rma_user_end(w->rank, t->user, e);
    mpico_rma_task_free(t);
}

void mpico_rma_send(struct rma_task *t, const void *buf, size_t count, const struct type *type, int tag)
{
    struct comm *c = t->win->comm;
    type_keep(type);
    t->kept = type;
    mpico_send_init(&t->q, buf, count, type, t->target, tag, c, comm_context(c), SEND_STANDARD);
    t->q.on_done = done;
    t->q.owner = t;
    mpico_send_start(t->win->rank, &t->q);
}

void mpico_rma_recv(struct rma_task *t, void *buf, size_t count, const struct type *type, int tag)
{
    struct comm *c = t->win->comm;
    if (!t->kept) {
        type_keep(type);
        t->kept = type;
    }
    mpico_recv_init(&t->q, buf, count, type, t->target, tag, c, comm_context(c));
    t->q.on_done = done;
    t->q.owner = t;
    mpico_recv_start(t->win->rank, &t->q);
}

int mpico_rma_tag(struct win *w)
{
    w->next_tag = w->next_tag < RMA_TAG_LAST ? w->next_tag + 1 : 1;
    return w->next_tag;
}

int mpico_rma_ask(struct win *w, int target, const void *message, size_t bytes)
{
    struct comm *c = w->comm;
    mpico_cost_settle(); /* what is sent is complete */
    if (mpico_send_short(w->rank, message, bytes, target, RMA_TAG_ASK, c, comm_context(c)) == 0)
        return 0;
    struct rma_task *t = mpico_rma_task_open(w, bytes, target, NULL);
    if (!t)
        return MPI_ERR_NO_MEM;
    memcpy(t->more, message, bytes);
    mpico_rma_send(t, t->more, bytes, &mpico_type_byte, RMA_TAG_ASK);
    return 0;
}

int mpico_rma_tell(struct win *w, int target, enum rma_kind kind, uint32_t arg, int verdict)
{
    struct rma_ask ask = {.kind = (uint8_t)kind, .arg = arg};
    if (verdict) {
        struct rma_task *t = mpico_rma_task_open(w, sizeof(int32_t), target, NULL);
        if (!t)
            return MPI_ERR_NO_MEM;
        ask.answer = mpico_rma_tag(w);
        t->verdict = 1;
        mpico_rma_recv(t, t->more, sizeof(int32_t), &mpico_type_byte, ask.answer);
    }
    return mpico_rma_ask(w, target, &ask, sizeof ask);
}
