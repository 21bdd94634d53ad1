/* bsend_more.c: the buffers of communicators and sessions, large ones, and waiting until their messages have left
 * (MPI 5.0, section 3.6).
 */
#include "../core/arrive.h"
#include "bsend.h"
#include "session.h"
#include "state.h"

/* ---- Flushing without waiting: a request in the buffer's list of flushes. `count`: messages it still waits for, of those
 * whose numbers are before its own, `order`. ---- */

static void one_left(struct rank *r, struct bsends *b, uint32_t number)
{
    struct list *next;
    for (struct list *n = b->flushes.next; n != &b->flushes; n = next) {
        struct request *q = list_entry(n, struct request, node);
        next = n->next;
        if ((int32_t)(number - (uint32_t)q->order) >= 0 || --q->count)
            continue;
        list_remove(&q->node);
        mpico_request_done(r, q);
    }
}

static size_t length(const struct list *list)
{
    size_t n = 0;
    for (const struct list *l = list->next; l != list; l = l->next)
        n++;
    return n;
}

static int iflush(struct rank *r, struct bsends *b, struct comm *c, MPI_Request *request)
{
    int e = check_pointer(r, request, "request");
    struct request *q = e ? NULL : mpico_request_alloc(r);
    if (!e && !q)
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    if (e)
        return e;
    mpico_send_init(q, NULL, 0, &mpico_type_byte, MPI_PROC_NULL, 0, c, comm_context(c), SEND_BUFFERED);
    q->kind = REQUEST_BUFFERED;
    api_request_own(q);
    mpico_request_begin(q);
    q->count = b ? length(&b->segments) : 0;
    *request = api_request_handle(q);
    if (q->count == 0) {
        mpico_request_done(r, q);
        return MPI_SUCCESS;
    }
    q->order = b->made;
    b->left = one_left;
    list_append(&b->flushes, &q->node);
    return MPI_SUCCESS;
}

/* ---- The process's ---- */

#pragma weak MPI_Buffer_attach_c = PMPI_Buffer_attach_c
int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    struct rank *r = api_enter("MPI_Buffer_attach_c");
    int e = api_bsends_attach(r, &r->bsends, buffer, size);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Buffer_detach_c = PMPI_Buffer_detach_c
int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    struct rank *r = api_enter("MPI_Buffer_detach_c");
    int e = api_bsends_detach(r, &r->bsends, buffer_addr, size);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Buffer_flush = PMPI_Buffer_flush
int PMPI_Buffer_flush(void)
{
    struct rank *r = api_enter("MPI_Buffer_flush");
    api_bsends_flush(r, r->bsends);
    return MPI_SUCCESS;
}

#pragma weak MPI_Buffer_iflush = PMPI_Buffer_iflush
int PMPI_Buffer_iflush(MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Buffer_iflush");
    int e = iflush(r, r->bsends, api_unattached(r), request);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

/* ---- A communicator's ---- */

static int comm_attach(struct rank *r, MPI_Comm handle, void *buffer, MPI_Count size)
{
    struct comm *c = NULL;
    int e = check_comm(r, handle, &c);
    if (!e)
        e = api_bsends_attach(r, &c->bsends, buffer, size);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

static int comm_detach(struct rank *r, MPI_Comm handle, void *buffer_addr, MPI_Count *size)
{
    struct comm *c = NULL;
    int e = check_comm(r, handle, &c);
    if (!e)
        e = api_bsends_detach(r, &c->bsends, buffer_addr, size);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

#pragma weak MPI_Comm_attach_buffer = PMPI_Comm_attach_buffer
int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size)
{
    struct rank *r = api_enter("MPI_Comm_attach_buffer");
    return comm_attach(r, comm, buffer, size);
}

#pragma weak MPI_Comm_attach_buffer_c = PMPI_Comm_attach_buffer_c
int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size)
{
    struct rank *r = api_enter("MPI_Comm_attach_buffer_c");
    return comm_attach(r, comm, buffer, size);
}

#pragma weak MPI_Comm_detach_buffer = PMPI_Comm_detach_buffer
int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size)
{
    struct rank *r = api_enter("MPI_Comm_detach_buffer");
    MPI_Count bytes = 0;
    int e = comm_detach(r, comm, buffer_addr, size ? &bytes : NULL);
    if (!e)
        *size = bsends_size(bytes);
    return e;
}

#pragma weak MPI_Comm_detach_buffer_c = PMPI_Comm_detach_buffer_c
int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size)
{
    struct rank *r = api_enter("MPI_Comm_detach_buffer_c");
    return comm_detach(r, comm, buffer_addr, size);
}

#pragma weak MPI_Comm_flush_buffer = PMPI_Comm_flush_buffer
int PMPI_Comm_flush_buffer(MPI_Comm comm)
{
    struct rank *r = api_enter("MPI_Comm_flush_buffer");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (e)
        return api_error(r, c, e);
    api_bsends_flush(r, c->bsends);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_iflush_buffer = PMPI_Comm_iflush_buffer
int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Comm_iflush_buffer");
    struct comm *c = NULL;
    int e = check_comm(r, comm, &c);
    if (!e)
        e = iflush(r, c->bsends, c, request);
    return e ? api_error(r, c, e) : MPI_SUCCESS;
}

/* ---- A session's ---- */

static int session_attach(struct rank *r, MPI_Session handle, void *buffer, MPI_Count size)
{
    struct session *s = NULL;
    int e = check_session(r, handle, &s);
    if (!e)
        e = api_bsends_attach(r, &s->bsends, buffer, size);
    return e ? api_session_error(r, s, e) : MPI_SUCCESS;
}

static int session_detach(struct rank *r, MPI_Session handle, void *buffer_addr, MPI_Count *size)
{
    struct session *s = NULL;
    int e = check_session(r, handle, &s);
    if (!e)
        e = api_bsends_detach(r, &s->bsends, buffer_addr, size);
    return e ? api_session_error(r, s, e) : MPI_SUCCESS;
}

#pragma weak MPI_Session_attach_buffer = PMPI_Session_attach_buffer
int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size)
{
    struct rank *r = api_enter("MPI_Session_attach_buffer");
    return session_attach(r, session, buffer, size);
}

#pragma weak MPI_Session_attach_buffer_c = PMPI_Session_attach_buffer_c
int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size)
{
    struct rank *r = api_enter("MPI_Session_attach_buffer_c");
    return session_attach(r, session, buffer, size);
}

#pragma weak MPI_Session_detach_buffer = PMPI_Session_detach_buffer
int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr, int *size)
{
    struct rank *r = api_enter("MPI_Session_detach_buffer");
    MPI_Count bytes = 0;
    int e = session_detach(r, session, buffer_addr, size ? &bytes : NULL);
    if (!e)
        *size = bsends_size(bytes);
    return e;
}

#pragma weak MPI_Session_detach_buffer_c = PMPI_Session_detach_buffer_c
int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr, MPI_Count *size)
{
    struct rank *r = api_enter("MPI_Session_detach_buffer_c");
    return session_detach(r, session, buffer_addr, size);
}

#pragma weak MPI_Session_flush_buffer = PMPI_Session_flush_buffer
int PMPI_Session_flush_buffer(MPI_Session session)
{
    struct rank *r = api_enter("MPI_Session_flush_buffer");
    struct session *s = NULL;
    int e = check_session(r, session, &s);
    if (e)
        return api_session_error(r, s, e);
    api_bsends_flush(r, s->bsends);
    return MPI_SUCCESS;
}

#pragma weak MPI_Session_iflush_buffer = PMPI_Session_iflush_buffer
int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Session_iflush_buffer");
    struct session *s = NULL;
    int e = check_session(r, session, &s);
    if (!e)
        e = iflush(r, s->bsends, api_unattached(r), request);
    return e ? api_session_error(r, s, e) : MPI_SUCCESS;
}
