/* p2p.c: blocking messages (MPI 5.0, chapter 3). A short send of contiguous data leaves without a request;
 * everything else is a request on the caller's stack.
 */
#include "p2p.h"

#include "overlap.h"

/* The way of most messages: all arguments are good and the packet goes out at once. */
static inline int sent_short(struct rank *r, const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                             MPI_Comm handle)
{
    struct comm *comm = api_comm(r, handle);
    size_t width = type_width((uintptr_t)datatype), bytes;
    int no_buffer = (uintptr_t)buf <= (uintptr_t)MPI_IN_PLACE; /* nor null */
    if (!comm || !width || count < 0 || no_buffer || dest < 0 || dest >= comm->size || tag < 0 ||
        __builtin_mul_overflow((size_t)count, width, &bytes))
        return 0;
    return mpico_send_short(r, buf, bytes, dest, tag, comm, comm_context(comm)) == 0;
}

static int send_checked(struct rank *r, const void *buf, const struct data *data, int dest, int tag, struct comm *comm,
                        enum send_mode mode)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct request q;
    q.flags = 0;
    mpico_send_init(&q, buf, data->count, data->type, dest, tag, comm, comm_context(comm), mode);
    mpico_send_start(r, &q);
    return api_finish(r, &q, MPI_STATUS_IGNORE);
}

APART int api_send_any(struct rank *r, const void *buf, MPI_Aint count, MPI_Datatype datatype, int dest, int tag,
                       MPI_Comm handle, enum send_mode mode)
{
    struct comm *comm = NULL;
    struct data data = {0};
    int e = check_send(r, buf, count, datatype, dest, tag, handle, &comm, &data);
    if (!e)
        e = check_busy(r, dest, buf, &data, 0);
    return e ? api_error(r, comm, e) : send_checked(r, buf, &data, dest, tag, comm, mode);
}

#pragma weak MPI_Send = PMPI_Send
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r API_HELD = (api_enter)("MPI_Send");
    if (!SMALL && __builtin_expect(sent_short(r, buf, count, datatype, dest, tag, comm), 1))
        return MPI_SUCCESS;
    return api_send_any(r, buf, count, datatype, dest, tag, comm, SEND_STANDARD);
}

#pragma weak MPI_Rsend = PMPI_Rsend
int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r API_HELD = (api_enter)("MPI_Rsend");
    if (!SMALL && __builtin_expect(sent_short(r, buf, count, datatype, dest, tag, comm), 1))
        return MPI_SUCCESS;
    return api_send_any(r, buf, count, datatype, dest, tag, comm, SEND_READY);
}

#pragma weak MPI_Ssend = PMPI_Ssend
int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Ssend");
    return api_send_any(r, buf, count, datatype, dest, tag, comm, SEND_SYNC);
}

/* The arguments of most receives, checked in few steps: their bytes. 0: look again, closer. */
static inline int plain_recv(struct rank *r, const void *buf, int count, MPI_Datatype datatype, int source, int tag,
                             MPI_Comm handle, struct comm **comm, size_t *bytes)
{
    struct comm *c = api_comm(r, handle);
    size_t width = type_width((uintptr_t)datatype);
    if (!c || !width || count <= 0 || !buf || buf == MPI_IN_PLACE || source < MPI_ANY_SOURCE || source >= c->size ||
        tag < MPI_ANY_TAG || (tag < 0 && tag != MPI_ANY_TAG) || __builtin_mul_overflow((size_t)count, width, bytes) ||
        *bytes > PTRDIFF_MAX)
        return 0;
    *comm = c;
    return 1;
}

static inline int recv_checked(struct rank *r, void *buf, const struct data *data, int source, int tag,
                               struct comm *comm, MPI_Status *status)
{
    struct request q;
    q.flags = 0;
    mpico_recv_init(&q, buf, data->count, data->type, source, tag, comm, comm_context(comm));
    api_start(r, &q);
    return api_finish(r, &q, status);
}

APART int api_recv_any(struct rank *r, void *buf, MPI_Aint count, MPI_Datatype datatype, int source, int tag,
                       MPI_Comm handle, MPI_Status *status)
{
    struct comm *comm = NULL;
    struct data data;
    int e = check_recv(r, buf, count, datatype, source, tag, handle, &comm, &data);
    if (!e)
        e = check_busy(r, source, buf, &data, 1);
    return e ? api_error(r, comm, e) : recv_checked(r, buf, &data, source, tag, comm, status);
}

#pragma weak MPI_Recv = PMPI_Recv
int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r API_HELD = (api_enter)("MPI_Recv");
    struct data data = {.type = &mpico_type_byte};
    struct comm *c;
    if (SMALL || __builtin_expect(!plain_recv(r, buf, count, datatype, source, tag, comm, &c, &data.count), 0))
        return api_recv_any(r, buf, count, datatype, source, tag, comm, status);
    return recv_checked(r, buf, &data, source, tag, c, status);
}
