/* p2p.c: blocking messages (MPI 5.0, chapter 3). A short send of contiguous data leaves without a request;
 * everything else is a request on the caller's stack.
 */
#include "finish.h"

/* The way of most messages: all arguments are good and the packet goes out at once. */
static inline int sent_short(struct rank *r, const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                             MPI_Comm handle)
{
    struct comm *comm = api_comm(r, handle);
    const struct type *type = mpico_type_of((uintptr_t)datatype);
    if (!comm || !type || !type->committed || !type->contiguous || count < 0 || !buf || dest < 0 ||
        dest >= comm->size || tag < 0)
        return 0;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, type->size, &bytes))
        return 0;
    return mpico_send_short(r, buf, bytes, dest, tag, comm, comm_context(comm)) == 0;
}

static int send_checked(struct rank *r, const void *buf, size_t count, const struct type *type, int dest, int tag,
                        struct comm *comm, enum send_mode mode)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct request q;
    q.flags = 0;
    mpico_send_init(&q, buf, count, type, dest, tag, comm, comm_context(comm), mode);
    mpico_send_start(r, &q);
    return api_finish(r, &q, MPI_STATUS_IGNORE);
}

static int send_mode(struct rank *r, const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                     MPI_Comm handle, enum send_mode mode)
{
    struct comm *comm = NULL;
    const struct type *type = NULL;
    int e = check_send(r, buf, count, datatype, dest, tag, handle, &comm, &type);
    if (!e && mode == SEND_BUFFERED)
        e = api_bsend(r, buf, (size_t)count, type, dest, tag, comm);
    else if (!e)
        return send_checked(r, buf, (size_t)count, type, dest, tag, comm, mode);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}

#pragma weak MPI_Send = PMPI_Send
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Send");
    if (__builtin_expect(sent_short(r, buf, count, datatype, dest, tag, comm), 1))
        return MPI_SUCCESS;
    return send_mode(r, buf, count, datatype, dest, tag, comm, SEND_STANDARD);
}

#pragma weak MPI_Rsend = PMPI_Rsend
int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Rsend");
    if (__builtin_expect(sent_short(r, buf, count, datatype, dest, tag, comm), 1))
        return MPI_SUCCESS;
    return send_mode(r, buf, count, datatype, dest, tag, comm, SEND_READY);
}

#pragma weak MPI_Ssend = PMPI_Ssend
int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_mode(api_enter("MPI_Ssend"), buf, count, datatype, dest, tag, comm, SEND_SYNC);
}

#pragma weak MPI_Bsend = PMPI_Bsend
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_mode(api_enter("MPI_Bsend"), buf, count, datatype, dest, tag, comm, SEND_BUFFERED);
}

#pragma weak MPI_Recv = PMPI_Recv
int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Recv");
    struct comm *c = NULL;
    const struct type *type = NULL;
    int e = check_recv(r, buf, count, datatype, source, tag, comm, &c, &type);
    if (__builtin_expect(e, 0))
        return api_error(r, c, e);
    struct request q;
    q.flags = 0;
    mpico_recv_init(&q, buf, (size_t)count, type, source, tag, c, comm_context(c));
    api_start(r, &q);
    return api_finish(r, &q, status);
}

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

#pragma weak MPI_Sendrecv = PMPI_Sendrecv
int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv");
    struct comm *c = NULL;
    const struct type *out = NULL, *in = NULL;
    int e;
    if ((e = check_send(r, sendbuf, sendcount, sendtype, dest, sendtag, comm, &c, &out)) ||
        (e = check_recv(r, recvbuf, recvcount, recvtype, source, recvtag, comm, &c, &in)))
        return api_error(r, c, e);
    struct request send, recv;
    send.flags = recv.flags = 0;
    mpico_send_init(&send, sendbuf, (size_t)sendcount, out, dest, sendtag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&recv, recvbuf, (size_t)recvcount, in, source, recvtag, c, comm_context(c));
    return exchange(r, &send, &recv, status);
}

#pragma weak MPI_Sendrecv_replace = PMPI_Sendrecv_replace
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv_replace");
    struct comm *c = NULL;
    const struct type *type = NULL;
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, sendtag, comm, &c, &type)) ||
        (e = check_recv(r, buf, count, datatype, source, recvtag, comm, &c, &type)))
        return api_error(r, c, e);
    size_t bytes = (size_t)count * type->size; /* check_send: no overflow */
    void *copy = mpico_heap_alloc(&r->heap, bytes ? bytes : 1);
    if (!copy)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a copy of %z bytes", bytes));
    mpico_type_pack(type, buf, 0, copy, bytes);
    mpico_cost_settle();
    const struct type *byte = mpico_type_of((uintptr_t)MPI_BYTE);
    struct request send, recv;
    send.flags = recv.flags = 0;
    mpico_send_init(&send, copy, bytes, byte, dest, sendtag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&recv, buf, (size_t)count, type, source, recvtag, c, comm_context(c));
    e = exchange(r, &send, &recv, status);
    mpico_heap_free(&r->heap, copy);
    return e;
}
