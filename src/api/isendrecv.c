/* isendrecv.c: a send and a receive under one request (MPI 5.0, section 3.10). The program's request is a
 * shell that is never posted: it is done, with the receive's result, when both of a pair inside are.
 */
#include "p2p.h"
#include "overlap.h"

struct pair {
    struct request send, recv;
    struct request *shell;
    int left;
    char copy[]; /* what Isendrecv_replace sends, packed */
};

/* The last half of a pair ends it; its memory holds both requests, which nobody touches afterwards. */
static void half_done(struct request *q)
{
    struct pair *p = q->owner;
    list_remove(&q->all);
    if (--p->left)
        return;
    struct rank *r = rank_self();
    struct request *shell = p->shell;
    shell->source = p->recv.source;
    shell->status_tag = p->recv.status_tag;
    shell->received = p->recv.received;
    shell->sent_bytes = p->recv.sent_bytes;
    shell->error = p->recv.error ? p->recv.error : p->send.error;
    type_release(&r->heap, p->send.type);
    mpico_heap_free(&r->heap, p);
    mpico_request_done(r, shell); /* the shell keeps the type of the receive */
}

/* A pair with its shell, and `bytes` of room for a copy; NULL without memory. */
static struct pair *pair_alloc(struct rank *r, size_t bytes)
{
    struct pair *p = mpico_heap_alloc(&r->heap, sizeof *p + bytes);
    struct request *shell = p ? mpico_request_alloc(r) : NULL;
    if (!shell) {
        mpico_heap_free(&r->heap, p);
        return NULL;
    }
    p->shell = shell;
    p->left = 2;
    p->send.flags = p->recv.flags = 0;
    return p;
}

static void pair_start(struct rank *r, struct pair *p, MPI_Request *request)
{
    struct request *shell = p->shell, *send = &p->send;
    const struct request *in = &p->recv;
    mpico_recv_init(shell, in->buf, in->count, in->type, in->peer, in->tag, in->comm, in->context);
    /* As if matched: there is no posted receive to cancel. The reference is the one that the end of
     * a pooled request gives back. */
    shell->flags |= REQUEST_ACTIVE | REQUEST_MATCHED | REQUEST_SHELL;
    mpico_comm_keep(shell->comm);
    type_keep(send->type);
    api_request_own(shell);
    *request = api_request_handle(shell);
    p->send.owner = p->recv.owner = p;
    p->send.on_done = p->recv.on_done = half_done;
    list_append(&r->requests, &p->recv.all);
    list_append(&r->requests, &send->all);
    api_start(r, &p->recv);
    api_start(r, send);
}

int api_isendrecv(struct rank *r, const struct way *out, const struct way *in, MPI_Comm handle, MPI_Request *request)
{
    struct comm *c = NULL;
    struct data sent = {0}, received = {0};
    int e;
    if ((e = check_send(r, out->buf, out->count, out->type, out->peer, out->tag, handle, &c, &sent)) ||
        (e = check_recv(r, in->buf, in->count, in->type, in->peer, in->tag, handle, &c, &received)) ||
        (e = check_busy(r, out->peer, out->buf, &sent, 0)) || (e = check_busy(r, in->peer, in->buf, &received, 1)) ||
        (e = check_pointer(r, request, "request")))
        return api_error(r, c, e);
    if (out->peer != MPI_PROC_NULL && in->peer != MPI_PROC_NULL &&
        (e = check_apart(r, out->buf, &sent, in->buf, &received)))
        return api_error(r, c, e);
    struct pair *p = pair_alloc(r, 0);
    if (!p)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request"));
    mpico_send_init(&p->send, out->buf, sent.count, sent.type, out->peer, out->tag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&p->recv, (void *)(uintptr_t)in->buf, received.count, received.type, in->peer, in->tag, c,
                    comm_context(c));
    pair_start(r, p, request);
    return MPI_SUCCESS;
}

#pragma weak MPI_Isendrecv = PMPI_Isendrecv
int PMPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Isendrecv");
    struct way out = {sendbuf, sendcount, sendtype, dest, sendtag},
               in = {recvbuf, recvcount, recvtype, source, recvtag};
    return api_isendrecv(r, &out, &in, comm, request);
}

int api_ireplace(struct rank *r, const struct way *out, const struct way *in, MPI_Comm handle, MPI_Request *request)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e;
    if ((e = check_send(r, out->buf, out->count, out->type, out->peer, out->tag, handle, &c, &data)) ||
        (e = check_recv(r, in->buf, in->count, in->type, in->peer, in->tag, handle, &c, &data)) ||
        (e = check_pointer(r, request, "request")))
        return api_error(r, c, e);
    size_t bytes = data.count * data.type->size; /* check_send: no overflow */
    struct pair *p = pair_alloc(r, bytes);
    void *buf = (void *)(uintptr_t)in->buf;
    if (!p)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a copy of %z bytes", bytes));
    mpico_type_pack(data.type, buf, 0, p->copy, bytes);
    mpico_send_init(&p->send, p->copy, bytes, &mpico_type_byte, out->peer, out->tag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&p->recv, buf, data.count, data.type, in->peer, in->tag, c, comm_context(c));
    pair_start(r, p, request);
    return MPI_SUCCESS;
}

#pragma weak MPI_Isendrecv_replace = PMPI_Isendrecv_replace
int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                           MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Isendrecv_replace");
    struct way out = {buf, count, datatype, dest, sendtag}, in = {buf, count, datatype, source, recvtag};
    return api_ireplace(r, &out, &in, comm, request);
}
