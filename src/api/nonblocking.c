/* nonblocking.c: sends and receives that return at once with a request (MPI 5.0, section 3.7). */
#include "finish.h"

static struct request *request_new(struct rank *r, int *e)
{
    struct request *q = mpico_request_alloc(r);
    if (!q)
        *e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    return q;
}

static int isend(struct rank *r, const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm handle,
                 MPI_Request *request, enum send_mode mode)
{
    struct comm *comm = NULL;
    struct data data = {0};
    struct request *q;
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, tag, handle, &comm, &data)) ||
        (e = check_pointer(r, request, "request")) || !(q = request_new(r, &e)))
        return api_error(r, comm, e);
    mpico_send_init(q, buf, data.count, data.type, dest, tag, comm, comm_context(comm), mode);
    api_request_own(q);
    api_start(r, q);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Isend = PMPI_Isend
int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return isend(api_enter("MPI_Isend"), buf, count, datatype, dest, tag, comm, request, SEND_STANDARD);
}

#pragma weak MPI_Issend = PMPI_Issend
int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return isend(api_enter("MPI_Issend"), buf, count, datatype, dest, tag, comm, request, SEND_SYNC);
}

#pragma weak MPI_Irsend = PMPI_Irsend
int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return isend(api_enter("MPI_Irsend"), buf, count, datatype, dest, tag, comm, request, SEND_READY);
}

#pragma weak MPI_Ibsend = PMPI_Ibsend
int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibsend");
    struct comm *c = NULL;
    struct data data = {0};
    struct request *q;
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, tag, comm, &c, &data)) ||
        (e = check_pointer(r, request, "request")) || !(q = request_new(r, &e)))
        return api_error(r, c, e);
    if ((e = api_bsend(r, buf, data.count, data.type, dest, tag, c))) {
        mpico_request_free(r, q);
        return api_error(r, c, e);
    }
    mpico_send_init(q, buf, data.count, data.type, dest, tag, c, comm_context(c), SEND_BUFFERED);
    q->kind = REQUEST_BUFFERED;
    api_request_own(q);
    q->flags |= REQUEST_DONE;
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Irecv = PMPI_Irecv
int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Irecv");
    struct comm *c = NULL;
    struct data data = {0};
    struct request *q;
    int e;
    if ((e = check_recv(r, buf, count, datatype, source, tag, comm, &c, &data)) ||
        (e = check_pointer(r, request, "request")) || !(q = request_new(r, &e)))
        return api_error(r, c, e);
    mpico_recv_init(q, buf, data.count, data.type, source, tag, c, comm_context(c));
    api_request_own(q);
    api_start(r, q);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}
