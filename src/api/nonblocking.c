/* nonblocking.c: sends and receives that return at once with a request (MPI 5.0, section 3.7). */
#include "overlap.h"
#include "p2p.h"

static struct request *request_new(struct rank *r, int *e)
{
    struct request *q = mpico_request_alloc(r);
    if (!q)
        *e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    return q;
}

int api_isend(struct rank *r, const void *buf, MPI_Aint count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm handle, MPI_Request *request, enum send_mode mode)
{
    struct comm *comm = NULL;
    struct data data = {0};
    struct request *q;
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, tag, handle, &comm, &data)) ||
        (e = check_busy(r, dest, buf, &data, 0)) || (e = check_pointer(r, request, "request")) ||
        !(q = request_new(r, &e)))
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
    struct rank *r API_HELD = (api_enter)("MPI_Isend");
    return api_isend(r, buf, count, datatype, dest, tag, comm, request, SEND_STANDARD);
}

#pragma weak MPI_Issend = PMPI_Issend
int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Issend");
    return api_isend(r, buf, count, datatype, dest, tag, comm, request, SEND_SYNC);
}

#pragma weak MPI_Irsend = PMPI_Irsend
int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Irsend");
    return api_isend(r, buf, count, datatype, dest, tag, comm, request, SEND_READY);
}

int api_ibsend(struct rank *r, const void *buf, MPI_Aint count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm handle, MPI_Request *request)
{
    struct comm *c = NULL;
    struct data data = {0};
    struct request *q;
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, tag, handle, &c, &data)) ||
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

#pragma weak MPI_Ibsend = PMPI_Ibsend
int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ibsend");
    return api_ibsend(r, buf, count, datatype, dest, tag, comm, request);
}

int api_irecv(struct rank *r, void *buf, MPI_Aint count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
              MPI_Request *request)
{
    struct comm *c = NULL;
    struct data data = {0};
    struct request *q;
    int e;
    if ((e = check_recv(r, buf, count, datatype, source, tag, handle, &c, &data)) ||
        (e = check_busy(r, source, buf, &data, 1)) || (e = check_pointer(r, request, "request")) ||
        !(q = request_new(r, &e)))
        return api_error(r, c, e);
    mpico_recv_init(q, buf, data.count, data.type, source, tag, c, comm_context(c));
    api_request_own(q);
    api_start(r, q);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Irecv = PMPI_Irecv
int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r API_HELD = (api_enter)("MPI_Irecv");
    return api_irecv(r, buf, count, datatype, source, tag, comm, request);
}
