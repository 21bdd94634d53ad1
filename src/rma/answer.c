/* answer.c: what a target sends back. Invariant: w->answering counts the tasks of this target whose requests are under way. */
#include <string.h>

#include "mpi.h"
#include "task.h"

void mpico_rma_resume(struct win *w)
{
    w->answering--;
    if (w->starved)
        mpico_rma_serve(w);
}

static void answered(struct request *q)
{
    struct rma_task *t = q->owner;
    struct win *w = t->win;
    mpico_rma_task_free(t);
    mpico_rma_resume(w);
}

void mpico_rma_answer(struct rma_task *t, const void *buf, size_t bytes)
{
    struct win *w = t->win;
    struct comm *c = w->comm;
    mpico_cost_settle(); /* what is sent is complete */
    if (mpico_send_short(w->rank, buf, bytes, t->source, t->tag, c, comm_context(c)) == 0) {
        mpico_rma_task_free(t);
        return;
    }
    mpico_send_init(&t->q, buf, bytes, &mpico_type_byte, t->source, t->tag, c, comm_context(c), SEND_STANDARD);
    t->q.on_done = answered;
    t->q.owner = t;
    w->answering++;
    mpico_send_start(w->rank, &t->q);
}

struct rma_task *mpico_rma_task_for(struct win *w, size_t more, int source, int tag)
{
    struct rma_task *t = mpico_rma_task(w, more);
    if (t) {
        t->source = source;
        t->tag = tag;
    }
    return t;
}

int mpico_rma_verdict(struct win *w, int source, int tag, int error)
{
    int32_t e = error;
    struct comm *c = w->comm;
    mpico_cost_settle();
    if (mpico_send_short(w->rank, &e, sizeof e, source, tag, c, comm_context(c)) == 0)
        return 0;
    struct rma_task *t = mpico_rma_task_for(w, sizeof e, source, tag);
    if (!t)
        return MPICO_AGAIN;
    memcpy(t->more, &e, sizeof e);
    mpico_rma_answer(t, t->more, sizeof e);
    return 0;
}
