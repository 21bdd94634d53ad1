/* target.c: what the members of a window ask of this one. It runs inside progress, whenever the open receive has got a message, one
 * after the other; nothing here waits. Without memory for an answer the message stays where it is until one of this window's
 * answers has left.
 *
 * What is asked was checked by the origin, but for memory of dynamic windows; it is checked again here, before it is used.
 */
#include <string.h>

#include "../base/copy.h"
#include "mpi.h"
#include "task.h"

static __attribute__((noreturn)) void senseless(const struct win *w)
{
    w->rank->machine->halt(w->rank, MPI_ERR_OTHER,
                           "a one-sided operation makes no sense: memory was overwritten, here or at its origin");
}

/* ---- What is asked ---- */

struct asked {
    struct win *win;
    int source;
    struct rma_ask ask;
    struct strip strip[RMA_STRIPS];
    char *at[RMA_STRIPS]; /* where they are */
    size_t bytes;         /* that the strips hold */
    const char *data;
    size_t len;
};

/* Read it. 0, or an error class: the memory is not there. */
static int read_ask(struct asked *a, const char *message, size_t len)
{
    struct win *w = a->win;
    int e = 0;
    if (len < sizeof a->ask)
        senseless(w);
    memcpy(&a->ask, message, sizeof a->ask);
    size_t strips = a->ask.strips, head = sizeof a->ask + strips * sizeof(struct strip);
    if (strips > RMA_STRIPS || head > len)
        senseless(w);
    memcpy(a->strip, message + sizeof a->ask, strips * sizeof(struct strip));
    a->data = message + head;
    a->len = len - head;
    a->bytes = 0;
    for (size_t i = 0; i < strips; i++) {
        uint64_t bytes;
        if (__builtin_mul_overflow(a->strip[i].len, a->strip[i].count, &bytes) || bytes > PTRDIFF_MAX - a->bytes)
            senseless(w);
        a->bytes += (size_t)bytes;
        a->at[i] = mpico_rma_place(w, &a->strip[i], w->base, w->size);
        e = a->at[i] ? e : MPI_ERR_RMA_RANGE;
    }
    return e;
}

static void landed(struct request *q)
{
    struct rma_task *t = q->owner;
    int32_t e = t->nowhere ? MPI_ERR_RMA_RANGE : q->error;
    memcpy(t->more, &e, sizeof e);
    struct win *w = t->win;
    mpico_rma_answer(t, t->more, sizeof e); /* the task's request serves again */
    mpico_rma_resume(w);
}

/* The data comes on its own, to where it belongs; or, if there is nowhere, it is cut off. */
static int put_apart(struct asked *a, int e)
{
    struct win *w = a->win;
    struct comm *c = w->comm;
    if (a->ask.strips != 1 || a->strip[0].count != 1 || a->ask.answer <= 0)
        senseless(w);
    struct rma_task *t = mpico_rma_task_for(w, sizeof(int32_t), a->source, a->ask.answer);
    if (!t)
        return MPICO_AGAIN;
    t->nowhere = e != 0;
    mpico_recv_init(&t->q, a->at[0], e ? 0 : a->bytes, &mpico_type_byte, a->source, a->ask.answer | RMA_TAG_DATA, c,
                    comm_context(c));
    t->q.on_done = landed;
    t->q.owner = t;
    w->answering++;
    mpico_recv_start(w->rank, &t->q);
    return 0;
}

static int put(struct asked *a, int e)
{
    const char *data = a->data;
    if (a->ask.arg)
        return put_apart(a, e);
    if (a->len != a->bytes)
        senseless(a->win);
    for (uint32_t i = 0; i < a->ask.strips && !e; i++)
        data = mpico_strip_scatter(&a->strip[i], a->at[i], data);
    return 0;
}

static void gather(const struct asked *a, char *out)
{
    for (uint32_t i = 0; i < a->ask.strips; i++)
        out = mpico_strip_gather(&a->strip[i], a->at[i], out);
}

/* One block goes as it lies there. */
static int get(struct asked *a, int e)
{
    struct win *w = a->win;
    int block = e || (a->ask.strips == 1 && a->strip[0].count == 1);
    uint64_t bytes = a->bytes;
    if (!block && bytes > RMA_PIECE)
        senseless(w);
    struct rma_task *t = mpico_rma_task_for(w, block ? 0 : a->bytes, a->source, a->ask.answer);
    if (!t)
        return MPICO_AGAIN;
    if (!block)
        gather(a, t->more);
    mpico_rma_answer(t, block ? a->at[0] : t->more, e ? 0 : a->bytes);
    return 0;
}

/* Both want the old values, or may. */
static int change(struct asked *a, int e)
{
    struct win *w = a->win;
    struct rma_task *t = NULL;
    size_t wanted = rma_no_data(&a->ask) ? 0 : a->ask.kind == RMA_SWAP ? 2 * a->bytes : a->bytes;
    if (a->len != wanted || a->bytes > RMA_MESSAGE || !mpico_rma_apply ||
        (a->ask.kind == RMA_SWAP && a->ask.strips != 1))
        senseless(w);
    if (a->ask.answer && !(t = mpico_rma_task_for(w, a->bytes, a->source, a->ask.answer)))
        return MPICO_AGAIN;
    if (e)
        ;
    else if (a->ask.kind == RMA_SWAP && t)
        mpico_rma_swap(a->strip, a->at[0], a->data, t->more);
    else
        mpico_rma_apply(&a->ask, a->strip, a->at, a->data, t ? t->more : NULL);
    if (t)
        mpico_rma_answer(t, t->more, e ? 0 : a->bytes);
    return 0;
}

/* Everything that this origin asked before is done, but for data that comes apart, whose end it knows. */
static int flushed(struct asked *a)
{
    struct rma_peer *peer = &a->win->peer[a->source];
    if (mpico_rma_verdict(a->win, a->source, a->ask.answer, peer->error))
        return MPICO_AGAIN;
    peer->error = 0;
    return 0;
}

/* 0, or MPICO_AGAIN: not done, no memory. */
static int act(struct asked *a, int e)
{
    switch (a->ask.kind) {
    case RMA_PUT:
        return put(a, e);
    case RMA_GET:
        return get(a, e);
    case RMA_ACCUMULATE:
    case RMA_SWAP:
        return change(a, e);
    case RMA_LOCK:
        return mpico_rma_lock_asked(a->win, a->source, &a->ask);
    case RMA_UNLOCK:
        return mpico_rma_unlock_asked(a->win, a->source, &a->ask);
    case RMA_FLUSH:
        return flushed(a);
    case RMA_POST:
        a->win->peer[a->source].posted++;
        return 0;
    case RMA_COMPLETE:
        a->win->peer[a->source].completed++;
        return 0;
    case RMA_FENCE:
        a->win->peer[a->source].fenced++;
        return 0;
    default:
        senseless(a->win);
    }
}

static int take(struct win *w)
{
    struct asked a;
    a.win = w;
    a.source = w->ask.source;
    if (w->ask.error == MPI_ERR_TRUNCATE)
        senseless(w);
    int e = read_ask(&a, w->inbox, w->ask.received);
    if (act(&a, e))
        return MPICO_AGAIN;
    if (e && a.ask.answer == 0)
        w->peer[a.source].error = e;
    return 0;
}

static void came(struct request *q)
{
    struct win *w = q->owner;
    if (!(q->flags & REQUEST_CANCELLED) && q->error != MPI_ERR_PROC_ABORTED)
        mpico_rma_serve(w);
}

void mpico_rma_listen(struct win *w)
{
    struct comm *c = w->comm;
    mpico_recv_init(&w->ask, w->inbox, RMA_MESSAGE, &mpico_type_byte, MPI_ANY_SOURCE, RMA_TAG_ASK, c, comm_context(c));
    w->ask.on_done = came;
    w->ask.owner = w;
    mpico_recv_start(w->rank, &w->ask);
}

/* Opening the receive may find the next message there already: that is another round here, not a call deeper. */
void mpico_rma_serve(struct win *w)
{
    if (w->serving)
        return;
    w->serving = 1;
    while (w->ask.flags & REQUEST_DONE) {
        w->starved = take(w) != 0;
        if (w->starved)
            break;
        mpico_rma_listen(w);
    }
    w->serving = 0;
    if (w->starved && w->answering == 0)
        w->rank->machine->halt(w->rank, MPI_ERR_NO_MEM, "no memory for the answer to a one-sided operation");
}
