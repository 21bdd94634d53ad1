/* finish.c: see finish.h; and statuses. */
#include "finish.h"

#include "status.h"

void api_nobody(struct request *q)
{
    q->flags = (uint16_t)((q->flags & ~(REQUEST_ACTIVE | REQUEST_CANCELLED | REQUEST_MATCHED | REQUEST_QUEUED)) |
                          REQUEST_DONE);
    q->source = MPI_PROC_NULL;
    q->status_tag = MPI_ANY_TAG;
    q->received = q->sent_bytes = 0;
    q->error = MPI_SUCCESS;
    if (q->on_done)
        q->on_done(q);
}

void api_request_drop(struct rank *r, struct request *q)
{
    if (q->flags & REQUEST_OWNS_COMM)
        mpico_comm_release(r, q->comm);
    q->flags &= (uint16_t)~REQUEST_OWNS_COMM;
    mpico_request_free(r, q);
}

int api_request_fault(struct rank *r, const struct request *q)
{
    if (q->kind == REQUEST_COLL || q->kind == REQUEST_GENERAL)
        return q->error; /* its engine, or function, has left the sentence */
    if (q->error == MPI_ERR_TRUNCATE)
        return mpico_fault(r, q->error, "message truncated: rank %d sent %z bytes (tag %d), the buffer holds %z",
                           q->source, q->sent_bytes, q->status_tag, q->bytes);
    if (q->error == MPI_ERR_PROC_ABORTED)
        return mpico_fault(r, q->error, "%s", r->lost_why);
    if (!SMALL && q->error == MPI_ERR_NO_MEM)
        return mpico_fault(r, q->error, "no memory for a message of %z bytes (peer %d, tag %d)", q->bytes, q->peer,
                           q->tag);
    return mpico_fault(r, q->error, "the message failed (peer %d, tag %d)", q->peer, q->tag);
}

void api_status_of_message(MPI_Status *s, int source, int tag, uint64_t bytes)
{
    if (s == MPI_STATUS_IGNORE)
        return;
    s->MPI_SOURCE = source;
    s->MPI_TAG = tag;
    status_set_bytes(s, bytes);
    status_set_cancelled(s, 0);
}

void api_status_empty(MPI_Status *s)
{
    api_status_of_message(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    if (s != MPI_STATUS_IGNORE)
        s->MPI_ERROR = MPI_SUCCESS;
}

void api_status_set(MPI_Status *s, const struct request *q)
{
    if (s == MPI_STATUS_IGNORE)
        return;
    if (q->kind == REQUEST_RECV || (q->kind == REQUEST_PARTS && q->mode))
        api_status_of_message(s, q->source, q->status_tag, q->received);
    else
        api_status_of_message(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    status_set_cancelled(s, (q->flags & REQUEST_CANCELLED) != 0);
}

int api_finish(struct rank *r, struct request *q, MPI_Status *status)
{
    mpico_wait(r, q);
    api_status_set(status, q);
    if (__builtin_expect(q->error == MPI_SUCCESS, 1))
        return MPI_SUCCESS;
    return api_error(r, q->comm, api_request_fault(r, q));
}

MPI_Comm api_comm_handle(const struct comm *c) { return (MPI_Comm)c->handle; }
