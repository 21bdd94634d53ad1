/* comm_idup.c: duplicates with hints, and duplicates that are made while the program goes on (MPI 5.0, section 7.4.2). The new
 * communicator is there at once, without an identifier; it gets one when its request completes.
 */
#include "../coll/agree.h"
#include "carried.h"
#include "comm.h"
#include "finish.h"
#include "slots.h"

struct idup {
    struct agreement agreement;
    struct request *request;
    struct comm *made; /* with a reference */
};

static void idup_done(struct agreement *a)
{
    struct idup *d = list_entry(a, struct idup, agreement);
    struct rank *r = a->rank;
    struct request *q = d->request;
    q->error = a->message.error;
    if (!q->error) {
        d->made->id = a->id;
        if (d->made->local)
            d->made->local->id = COMM_IDS + a->id;
    }
    mpico_comm_release(r, d->made);
    mpico_heap_free(&r->heap, d);
    mpico_request_done(r, q);
}

/* The request is the parent's collective; it shows what the agreement waits for. */
static void request_begin(struct request *q, struct comm *c)
{
    q->kind = REQUEST_COLL;
    q->flags |= REQUEST_ACTIVE;
    q->comm = c;
    q->context = comm_coll_context(c);
    q->peer = q->peer_world = -1;
    q->source = MPI_ANY_SOURCE;
    q->status_tag = MPI_ANY_TAG;
    mpico_comm_keep(c); /* until mpico_request_done() */
    api_request_own(q);
}

static int idup_start(struct rank *r, struct comm *c, struct comm *made, struct request **request)
{
    struct idup *d = mpico_heap_alloc(&r->heap, sizeof *d);
    struct request *q = d ? mpico_request_alloc(r) : NULL;
    int e = q ? mpico_agree_members(&d->agreement, r, c) : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    if (e) {
        if (q)
            mpico_request_free(r, q);
        mpico_heap_free(&r->heap, d);
        return e;
    }
    d->request = *request = q;
    d->made = made;
    mpico_comm_keep(made);
    request_begin(q, c);
    d->agreement.done = idup_done;
    d->agreement.shown_by = q;
    mpico_agree_start(&d->agreement);
    return MPI_SUCCESS;
}

enum { NO_ID = COMM_IDS };

/* Nobody has it yet. */
static int drop(struct rank *r, struct comm *made, int e)
{
    if (e) {
        api_comm_unload(r, made);
        mpico_comm_release(r, made);
    }
    return e;
}

static int idup(struct rank *r, MPI_Comm comm, int with_info, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    struct comm *c = NULL, *made = NULL;
    struct request *q = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, newcomm, "newcomm")) ||
        (e = check_pointer(r, request, "request")) || (e = comm_copy(r, c, NO_ID, &made)))
        return api_error(r, c, e);
    if (with_info)
        e = api_info_set(r, &made->info, info);
    if (!e)
        e = idup_start(r, c, made, &q);
    if (drop(r, made, e))
        return api_error(r, c, e);
    *newcomm = api_comm_handle(made);
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Comm_idup = PMPI_Comm_idup
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Comm_idup");
    return idup(r, comm, 0, MPI_INFO_NULL, newcomm, request);
}

#pragma weak MPI_Comm_idup_with_info = PMPI_Comm_idup_with_info
int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Comm_idup_with_info");
    return idup(r, comm, 1, info, newcomm, request);
}

#pragma weak MPI_Comm_dup_with_info = PMPI_Comm_dup_with_info
int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    struct rank *r = api_enter("MPI_Comm_dup_with_info");
    struct comm *c = NULL, *made = NULL;
    int e;
    if ((e = check_comm(r, comm, &c)) || (e = check_pointer(r, newcomm, "newcomm")) ||
        (e = comm_duplicate(r, c, &made)) || (e = drop(r, made, api_info_set(r, &made->info, info))))
        return api_error(r, c, e);
    *newcomm = api_comm_handle(made);
    return MPI_SUCCESS;
}
