/* coll_steps.c: a collective's schedule: built, and run. */
#include <string.h>

#include "coll_args.h"

/* The tables of types were made here; the steps hold the types themselves. */
static void end(struct rank *r, struct coll_call *x)
{
    mpico_heap_free(&r->heap, (void *)(uintptr_t)x->send.types);
    mpico_heap_free(&r->heap, (void *)(uintptr_t)x->recv.types);
}

int api_coll_launch(struct rank *r, struct comm *comm, struct coll_call *x, coll_launch *launch, MPI_Request *request,
                    int e)
{
    struct schedule *s = NULL;
    if (!e)
        e = mpico_coll_build(r, comm, x, &s);
    if (comm)
        end(r, x);
    if (!e)
        e = launch(r, s, request);
    return e ? api_error(r, comm, e) : MPI_SUCCESS;
}

int api_launch_run(struct rank *r, struct schedule *s, MPI_Request *request)
{
    struct request q;
    (void)request;
    memset(&q, 0, sizeof q);
    mpico_schedule_start(s, &q);
    if (!(q.flags & REQUEST_DONE))
        mpico_wait(r, &q);
    return q.error;
}
