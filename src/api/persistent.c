/* persistent.c: requests made once and started many times (MPI 5.0, section 3.9). Inactive: neither
 * REQUEST_ACTIVE nor REQUEST_DONE.
 */
#include "complete.h"
#include "overlap.h"
#include "p2p.h"

static int no_request(struct rank *r, struct comm *comm)
{
    return api_error(r, comm, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request"));
}

int api_send_init(struct rank *r, const void *buf, MPI_Aint count, MPI_Datatype datatype, int dest, int tag,
                  MPI_Comm handle, MPI_Request *request, enum send_mode mode)
{
    struct comm *comm = NULL;
    struct data data = {0};
    int e;
    if ((e = check_send(r, buf, count, datatype, dest, tag, handle, &comm, &data)) ||
        (e = check_pointer(r, request, "request")))
        return api_error(r, comm, e);
    struct request *q = mpico_request_alloc(r);
    if (!q)
        return no_request(r, comm);
    mpico_send_init(q, buf, data.count, data.type, dest, tag, comm, comm_context(comm), mode);
    if (mode == SEND_BUFFERED)
        q->kind = REQUEST_BUFFERED;
    q->flags |= REQUEST_PERSISTENT;
    api_request_own(q);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Send_init = PMPI_Send_init
int PMPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Send_init");
    return api_send_init(r, buf, count, datatype, dest, tag, comm, request, SEND_STANDARD);
}

#pragma weak MPI_Ssend_init = PMPI_Ssend_init
int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Ssend_init");
    return api_send_init(r, buf, count, datatype, dest, tag, comm, request, SEND_SYNC);
}

#pragma weak MPI_Rsend_init = PMPI_Rsend_init
int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rsend_init");
    return api_send_init(r, buf, count, datatype, dest, tag, comm, request, SEND_READY);
}

#pragma weak MPI_Bsend_init = PMPI_Bsend_init
int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Bsend_init");
    return api_send_init(r, buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED);
}

int api_recv_init(struct rank *r, void *buf, MPI_Aint count, MPI_Datatype datatype, int source, int tag,
                  MPI_Comm handle, MPI_Request *request)
{
    struct comm *c = NULL;
    struct data data = {0};
    int e;
    if ((e = check_recv(r, buf, count, datatype, source, tag, handle, &c, &data)) ||
        (e = check_pointer(r, request, "request")))
        return api_error(r, c, e);
    struct request *q = mpico_request_alloc(r);
    if (!q)
        return no_request(r, c);
    mpico_recv_init(q, buf, data.count, data.type, source, tag, c, comm_context(c));
    q->flags |= REQUEST_PERSISTENT;
    api_request_own(q);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Recv_init = PMPI_Recv_init
int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Recv_init");
    return api_recv_init(r, buf, count, datatype, source, tag, comm, request);
}

static int check_startable(struct rank *r, const MPI_Request *request, const char *name)
{
    int e = check_request(r, request, name);
    if (e)
        return e;
    if (*request == MPI_REQUEST_NULL)
        return mpico_fault(r, MPI_ERR_REQUEST, "%s: is MPI_REQUEST_NULL", name);
    const struct request *q = api_request(*request);
    if (!(q->flags & REQUEST_PERSISTENT))
        return mpico_fault(r, MPI_ERR_REQUEST, "%s: is not persistent (made by an _init call)", name);
    if (q->flags & (REQUEST_ACTIVE | REQUEST_DONE))
        return mpico_fault(r, MPI_ERR_REQUEST, "%s: is active already (complete it first)", name);
    return MPI_SUCCESS;
}

static int start(struct rank *r, struct request *q)
{
    if (q->kind == REQUEST_COLL) {
        api_kept_start(q);
        return MPI_SUCCESS;
    }
    if (q->kind == REQUEST_PARTS)
        return api_parts_start(r, q);
    const struct data data = {q->count, q->type};
    int e = check_busy(r, q->peer, q->buf, &data, q->kind == REQUEST_RECV);
    if (e)
        return api_error(r, q->comm, e);
    if (q->kind != REQUEST_BUFFERED) {
        api_start(r, q);
        return MPI_SUCCESS;
    }
    e = api_bsend(r, q->buf, q->count, q->type, q->peer, q->tag, q->comm);
    if (e)
        return api_error(r, q->comm, e);
    q->flags |= REQUEST_DONE;
    return MPI_SUCCESS;
}

#pragma weak MPI_Start = PMPI_Start
int PMPI_Start(MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Start");
    int e = check_startable(r, request, "request");
    return e ? api_error(r, NULL, e) : start(r, api_request(*request));
}

#pragma weak MPI_Startall = PMPI_Startall
int PMPI_Startall(int count, MPI_Request array_of_requests[])
{
    struct rank *r = api_enter("MPI_Startall");
    int e = check_count(r, count, "count");
    if (!e && count > 0)
        e = check_pointer(r, array_of_requests, "array_of_requests");
    for (int i = 0; i < count && !e; i++)
        e = check_startable(r, &array_of_requests[i], "array_of_requests");
    if (e)
        return api_error(r, NULL, e);
    for (int i = 0; i < count && !e; i++)
        e = start(r, api_request(array_of_requests[i]));
    return e;
}
