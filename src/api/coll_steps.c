/* coll_steps.c: collectives as schedules: run, or started. */
#include "coll_args.h"

/* The tables of types were made here; the steps hold the types themselves. */
static void end(struct rank *r, struct coll_call *x)
{
    mpico_heap_free(&r->heap, (void *)(uintptr_t)x->send.types);
    mpico_heap_free(&r->heap, (void *)(uintptr_t)x->recv.types);
}

int api_coll_steps(struct rank *r, struct comm *comm, struct coll_call *x, int e)
{
    struct request q;
    if (!e)
        e = mpico_coll_steps(r, comm, x, &q);
    if (comm)
        end(r, x);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}

static int start(struct rank *r, struct comm *comm, struct coll_call *x, MPI_Request *request)
{
    if (!request)
        return mpico_fault(r, MPI_ERR_ARG, "request: is a null pointer");
    struct request *q = mpico_request_alloc(r);
    if (!q)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    int e = mpico_coll_start(r, comm, x, q);
    if (e) {
        mpico_request_free(r, q);
        return e;
    }
    api_request_own(q);
    *request = api_request_handle(q);
    return 0;
}

int api_coll_start(struct rank *r, struct comm *comm, struct coll_call *x, MPI_Request *request, int e)
{
    if (!e)
        e = start(r, comm, x, request);
    if (comm)
        end(r, x);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}
