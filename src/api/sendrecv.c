/* sendrecv.c: a send and a receive in one call (MPI 5.0, section 3.10). */
#include "finish.h"

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
    struct data out = {0}, in = {0};
    int e;
    if ((e = check_send(r, sendbuf, sendcount, sendtype, dest, sendtag, comm, &c, &out)) ||
        (e = check_recv(r, recvbuf, recvcount, recvtype, source, recvtag, comm, &c, &in)))
        return api_error(r, c, e);
    struct request send, recv;
    send.flags = recv.flags = 0;
    mpico_send_init(&send, sendbuf, out.count, out.type, dest, sendtag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&recv, recvbuf, in.count, in.type, source, recvtag, c, comm_context(c));
    return exchange(r, &send, &recv, status);
}

#pragma weak MPI_Sendrecv_replace = PMPI_Sendrecv_replace
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Sendrecv_replace");
    struct comm *c = NULL;
    struct data data = {0};
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, sendtag, comm, &c, &data)) ||
        (e = check_recv(r, buf, count, datatype, source, recvtag, comm, &c, &data)))
        return api_error(r, c, e);
    size_t bytes = data.count * data.type->size; /* check_send: no overflow */
    void *copy = mpico_heap_alloc(&r->heap, bytes ? bytes : 1);
    if (!copy)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a copy of %z bytes", bytes));
    mpico_type_pack(data.type, buf, 0, copy, bytes);
    mpico_cost_settle();
    const struct type *byte = &mpico_type_byte;
    struct request send, recv;
    send.flags = recv.flags = 0;
    mpico_send_init(&send, copy, bytes, byte, dest, sendtag, c, comm_context(c), SEND_STANDARD);
    mpico_recv_init(&recv, buf, data.count, data.type, source, recvtag, c, comm_context(c));
    e = exchange(r, &send, &recv, status);
    mpico_heap_free(&r->heap, copy);
    return e;
}
