/* probe.c: looking at messages before they are received, and taking them out (MPI 5.0, section 3.8). */
#include "../core/held.h"
#include "../core/lost.h"
#include "p2p.h"
#include "state.h"

static struct message *message_of(MPI_Message h) { return (struct message *)(void *)h; }

static struct message *find(struct rank *r, const struct comm *comm, int source, int tag)
{
    return mpico_match_find(&r->match, comm_context(comm), source, tag);
}

static struct message *find_or_poll(struct rank *r, const struct comm *comm, int source, int tag)
{
    int world = source < 0 ? -1 : comm_world(comm, source);
    cost(COST_MATCH, 1);
    struct message *m = find(r, comm, source, tag);
    if (m) {
        mpico_poll(r, 1);
        return m;
    }
    mpico_want(r, world, 1);
    mpico_progress(r);
    mpico_want(r, world, -1);
    return find(r, comm, source, tag);
}

/* Waits as a receive that is never posted: the note shows what would satisfy it. NULL: nobody will ever send it. */
static struct message *find_or_wait(struct rank *r, struct comm *comm, int source, int tag)
{
    struct request q;
    q.flags = 0;
    mpico_recv_init(&q, NULL, 0, &mpico_type_byte, source, tag, comm, comm_context(comm));
    struct request *const wanted[1] = {&q};
    cost(COST_MATCH, 1);
    struct message *m = find(r, comm, source, tag);
    if (m)
        return m;
    uint32_t idle = 0;
    mpico_want(r, q.peer_world, 1);
    do
        mpico_wait_turn(r, &idle, wanted, 1);
    while (!(m = find(r, comm, source, tag)) && !(r->lost && mpico_lost_concerns(r, &q)));
    mpico_want(r, q.peer_world, -1);
    mpico_wait_over(r);
    return m;
}

static void status_found(MPI_Status *s, const struct message *m)
{
    api_status_of_message(s, m->packet.source, m->packet.tag, m->packet.length);
}

static void status_nobody(MPI_Status *s) { api_status_of_message(s, MPI_PROC_NULL, MPI_ANY_TAG, 0); }

static void poll_nobody(struct rank *r)
{
    if (!SMALL)
        mpico_poll(r, 1);
}

static int nobody_left(struct rank *r, struct comm *c)
{
    return api_error(r, c, mpico_fault(r, MPI_ERR_PROC_ABORTED, "%s", r->lost_why));
}

static int check_probe(struct rank *r, MPI_Comm handle, int source, int tag, struct comm **comm)
{
    int e;
    if ((e = check_comm(r, handle, comm)) || (e = check_source(r, *comm, source)))
        return e;
    return check_recv_tag(r, tag);
}

/* Out of the queues: only the holder of the handle can receive it now. */
static MPI_Message take(struct rank *r, struct message *m, struct comm *comm)
{
    mpico_match_take(&r->match, m);
    mpico_comm_keep(comm);
    m->comm = comm;
    held_add(r, HELD_MESSAGE, m);
    return (MPI_Message)(void *)m;
}

#pragma weak MPI_Probe = PMPI_Probe
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Probe");
    struct comm *c = NULL;
    const struct message *m;
    int e = check_probe(r, comm, source, tag, &c);
    if (e)
        return api_error(r, c, e);
    if (source == MPI_PROC_NULL)
        status_nobody(status);
    else if ((m = find_or_wait(r, c, source, tag)))
        status_found(status, m);
    else
        return nobody_left(r, c);
    return MPI_SUCCESS;
}

#pragma weak MPI_Iprobe = PMPI_Iprobe
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Iprobe");
    struct comm *c = NULL;
    int e;
    if ((e = check_probe(r, comm, source, tag, &c)) || (e = check_pointer(r, flag, "flag")))
        return api_error(r, c, e);
    if (source == MPI_PROC_NULL) {
        poll_nobody(r);
        status_nobody(status);
        *flag = 1;
        return MPI_SUCCESS;
    }
    const struct message *m = find_or_poll(r, c, source, tag);
    if (m)
        status_found(status, m);
    *flag = m != NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Mprobe = PMPI_Mprobe
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Mprobe");
    struct comm *c = NULL;
    int e;
    if ((e = check_probe(r, comm, source, tag, &c)) || (e = check_pointer(r, message, "message")))
        return api_error(r, c, e);
    if (source == MPI_PROC_NULL) {
        status_nobody(status);
        *message = MPI_MESSAGE_NO_PROC;
        return MPI_SUCCESS;
    }
    struct message *m = find_or_wait(r, c, source, tag);
    if (!m)
        return nobody_left(r, c);
    status_found(status, m);
    *message = take(r, m, c);
    return MPI_SUCCESS;
}

#pragma weak MPI_Improbe = PMPI_Improbe
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Improbe");
    struct comm *c = NULL;
    int e;
    if ((e = check_probe(r, comm, source, tag, &c)) || (e = check_pointer(r, flag, "flag")) ||
        (e = check_pointer(r, message, "message")))
        return api_error(r, c, e);
    if (source == MPI_PROC_NULL) {
        status_nobody(status);
        poll_nobody(r);
        *message = MPI_MESSAGE_NO_PROC;
        *flag = 1;
        return MPI_SUCCESS;
    }
    struct message *m = find_or_poll(r, c, source, tag);
    *flag = m != NULL;
    if (!m)
        return MPI_SUCCESS;
    status_found(status, m);
    *message = take(r, m, c);
    return MPI_SUCCESS;
}

/* The held message (NULL: MPI_MESSAGE_NO_PROC) and its communicator, and the type it goes to. */
static int check_mrecv(struct rank *r, void *buf, MPI_Aint count, MPI_Datatype datatype, const MPI_Message *message,
                       struct message **m, struct comm **comm, struct data *data)
{
    int e;
    *m = NULL;
    *comm = api_unattached(r);
    if ((e = check_pointer(r, message, "message")))
        return e;
    if (*message != MPI_MESSAGE_NO_PROC) {
        struct message *held = message_of(*message);
        if (!api_is_object(r, (uintptr_t)held))
            return mpico_fault(r, MPI_ERR_REQUEST, "message: the handle is no message");
        if (held->magic != MESSAGE_MAGIC || !held->held || !held->comm)
            return mpico_fault(r, MPI_ERR_REQUEST, "message: the handle is no message (already received?)");
        *m = held;
        *comm = held->comm;
    }
    return check_data(r, buf, count, datatype, "buf", data);
}

static void mrecv_init(struct request *q, void *buf, const struct data *data, const struct message *m, struct comm *c)
{
    int source = m ? m->packet.source : MPI_PROC_NULL, tag = m ? m->packet.tag : MPI_ANY_TAG;
    mpico_recv_init(q, buf, data->count, data->type, source, tag, c, comm_context(c));
}

/* The message's reference of the communicator ends here; the request has its own. */
static void mrecv_start(struct rank *r, struct request *q, struct message *m, MPI_Message *message)
{
    struct comm *comm = q->comm;
    *message = MPI_MESSAGE_NULL;
    if (!m) {
        api_nobody(q);
        return;
    }
    held_drop(r, m);
    mpico_recv_message(r, q, m);
    mpico_comm_release(r, comm);
}

int api_mrecv(struct rank *r, void *buf, MPI_Aint count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    struct comm *c;
    struct data data = {0};
    struct message *m;
    int e = check_mrecv(r, buf, count, type, message, &m, &c, &data);
    if (e)
        return api_error(r, c, e);
    struct request q;
    q.flags = 0;
    mrecv_init(&q, buf, &data, m, c);
    mpico_comm_keep(c); /* until the error handler has been called */
    mrecv_start(r, &q, m, message);
    e = api_finish(r, &q, status);
    mpico_comm_release(r, c);
    return e;
}

#pragma weak MPI_Mrecv = PMPI_Mrecv
int PMPI_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    struct rank *r = api_enter("MPI_Mrecv");
    return api_mrecv(r, buf, count, type, message, status);
}

int api_imrecv(struct rank *r, void *buf, MPI_Aint count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    struct comm *c;
    struct data data = {0};
    struct message *m;
    int e;
    if ((e = check_mrecv(r, buf, count, type, message, &m, &c, &data)) || (e = check_pointer(r, request, "request")))
        return api_error(r, c, e);
    struct request *q = mpico_request_alloc(r);
    if (!q)
        return api_error(r, c, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request"));
    mrecv_init(q, buf, &data, m, c);
    api_request_own(q);
    mrecv_start(r, q, m, message);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Imrecv = PMPI_Imrecv
int PMPI_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Imrecv");
    return api_imrecv(r, buf, count, type, message, request);
}
