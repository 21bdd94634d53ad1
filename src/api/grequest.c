/* grequest.c: generalized requests, which the program itself completes (MPI 5.0, section 13.2). Its functions may call MPI: what
 * this call has noted of itself in the rank is put back afterwards.
 */
#include "complete.h"
#include "finish.h"
#include "state.h"

struct general {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
};

static int called(struct rank *r, const char *call, int e, const char *function)
{
    r->call = call;
    return e ? mpico_fault(r, e, "the %s function of a generalized request has returned error %d", function, e)
             : MPI_SUCCESS;
}

int api_general_query(struct rank *r, struct request *q, MPI_Status *status)
{
    const struct general *g = q->extra;
    const char *call = r->call;
    MPI_Status mine;
    api_status_empty(&mine);
    q->error = called(r, call, g->query(g->state, &mine), "query");
    if (status != MPI_STATUS_IGNORE)
        *status = mine;
    return q->error;
}

int api_general_free(struct rank *r, struct request *q)
{
    struct general *g = q->extra;
    const char *call = r->call;
    int e = called(r, call, g->free(g->state), "free");
    q->extra = NULL;
    mpico_heap_free(&r->heap, g);
    return e;
}

int api_general_cancel(struct rank *r, const struct request *q)
{
    const struct general *g = q->extra;
    const char *call = r->call;
    return called(r, call, g->cancel(g->state, (q->flags & REQUEST_DONE) != 0), "cancel");
}

/* Given up before it was complete. */
static void done(struct request *q)
{
    struct rank *r = rank_self();
    if (!(q->flags & REQUEST_DETACHED))
        return;
    api_general_free(r, q);
    mpico_request_free(r, q);
}

static int check_functions(struct rank *r, const struct general *g)
{
    if (g->query && g->free && g->cancel)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "%s: is a null pointer",
                       !g->query  ? "query_fn"
                       : !g->free ? "free_fn"
                                  : "cancel_fn");
}

#pragma weak MPI_Grequest_start = PMPI_Grequest_start
int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Grequest_start");
    struct general g = {.query = query_fn, .free = free_fn, .cancel = cancel_fn, .state = extra_state};
    int e;
    if ((e = check_functions(r, &g)) || (e = check_pointer(r, request, "request")))
        return api_error(r, NULL, e);
    struct general *kept = mpico_heap_alloc(&r->heap, sizeof *kept);
    struct request *q = kept ? mpico_request_alloc(r) : NULL;
    if (!q) {
        mpico_heap_free(&r->heap, kept);
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request"));
    }
    *kept = g;
    q->kind = REQUEST_GENERAL;
    q->flags |= REQUEST_ACTIVE;
    q->peer = q->peer_world = -1;
    q->comm = api_unattached(r);
    mpico_comm_keep(q->comm); /* until it is done, as of all requests */
    q->context = comm_context(q->comm);
    q->extra = kept;
    q->on_done = done;
    *request = api_request_handle(q);
    return MPI_SUCCESS;
}

#pragma weak MPI_Grequest_complete = PMPI_Grequest_complete
int PMPI_Grequest_complete(MPI_Request request)
{
    struct rank *r = api_enter("MPI_Grequest_complete");
    int e = check_request(r, &request, "request");
    struct request *q = e || request == MPI_REQUEST_NULL ? NULL : api_request(request);
    if (!e && (!q || q->kind != REQUEST_GENERAL))
        e = mpico_fault(r, MPI_ERR_REQUEST, "request: is no generalized request");
    if (!e && q->flags & REQUEST_DONE)
        e = mpico_fault(r, MPI_ERR_REQUEST, "request: is complete already");
    if (e)
        return api_error(r, NULL, e);
    mpico_request_done(r, q);
    return MPI_SUCCESS;
}
