/* sendrecv.c: a send and a receive in one call (MPI 5.0, section 3.10). */
#include "overlap.h"
#include "p2p.h"

/* Both ways at once. Both requests must end before the stack does, also when one has failed. */
static int exchange(struct rank *r, struct request *send, struct request *recv, MPI_Status *status)
{
    api_start(r, recv);
    api_start(r, send);
    mpico_wait(r, send);
    mpico_wait(r, recv);
    if (send->error) {
        api_status_set(status, recv);
        return api_error(r, send->comm, api_request_fault(r, send));
    }
    return api_finish(r, recv, status);
}

/* Both checked, in the order of the arguments. */
static int check_ways(struct rank *r, const struct way *out, const struct way *in, MPI_Comm handle, struct comm **comm,
                      struct data *sent, struct data *received)
{
    int e = check_send(r, out->buf, out->count, out->type, out->peer, out->tag, handle, comm, sent);
    return e ? e : check_recv(r, in->buf, in->count, in->type, in->peer, in->tag, handle, comm, received);
}

int api_sendrecv(struct rank *r, const struct way *out, const struct way *in, MPI_Comm handle, MPI_Status *status)
{
    struct comm *c = NULL;
    struct data sent = {0}, received = {0};
    int e = check_ways(r, out, in, handle, &c, &sent, &received);
    if (!e && out->peer != MPI_PROC_NULL && in->peer != MPI_PROC_NULL)
        e = check_apart(r, out->buf, &sent, in->buf, &received);
    if (e)
        return api_error(r, c, e);
    struct request send, recv;
    send.flags = recv.flags = 0;
    mpico_send_init(&send, out->buf, sent.count, sent.type, out->peer, out->tag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&recv, (void *)(uintptr_t)in->buf, received.count, received.type, in->peer, in->tag, c,
                    comm_context(c));
    return exchange(r, &send, &recv, status);
}

#pragma weak MPI_Sendrecv = PMPI_Sendrecv
int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv");
    struct way out = {sendbuf, sendcount, sendtype, dest, sendtag},
               in = {recvbuf, recvcount, recvtype, source, recvtag};
    return api_sendrecv(r, &out, &in, comm, status);
}

int api_replace(struct rank *r, const struct way *out, const struct way *in, MPI_Comm handle, MPI_Status *status)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e = check_ways(r, out, in, handle, &c, &data, &data);
    if (e)
        return api_error(r, c, e);
    size_t bytes = data.count * data.type->size; /* check_send: no overflow */
    void *copy = mpico_heap_alloc(&r->heap, bytes ? bytes : 1), *buf = (void *)(uintptr_t)in->buf;
    if (!copy)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a copy of %z bytes", bytes));
    mpico_type_pack(data.type, buf, 0, copy, bytes);
    mpico_cost_settle();
    struct request send, recv;
    send.flags = recv.flags = 0;
    mpico_send_init(&send, copy, bytes, &mpico_type_byte, out->peer, out->tag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&recv, buf, data.count, data.type, in->peer, in->tag, c, comm_context(c));
    e = exchange(r, &send, &recv, status);
    mpico_heap_free(&r->heap, copy);
    return e;
}

#pragma weak MPI_Sendrecv_replace = PMPI_Sendrecv_replace
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv_replace");
    struct way out = {buf, count, datatype, dest, sendtag}, in = {buf, count, datatype, source, recvtag};
    return api_replace(r, &out, &in, comm, status);
}
