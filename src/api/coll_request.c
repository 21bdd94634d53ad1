/* coll_request.c: collectives that outlive their call: started, or kept to be started again and again. */
#include "../coll/op.h"
#include "coll_args.h"

static int request_for(struct rank *r, struct schedule *s, MPI_Request *request, struct request **made)
{
    int e = check_pointer(r, request, "request");
    struct request *q = e ? NULL : mpico_request_alloc(r);
    if (!e && !q)
        e = mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a request");
    if (e) {
        mpico_schedule_free(s);
        return e;
    }
    q->kind = REQUEST_COLL;
    q->comm = s->comm;
    api_request_own(q);
    *request = api_request_handle(q);
    *made = q;
    return 0;
}

int api_launch_start(struct rank *r, struct schedule *s, MPI_Request *request)
{
    struct request *q = NULL;
    int e = request_for(r, s, request, &q);
    if (e)
        return e;
    s->tag = comm_nonblocking_tag(s->comm);
    mpico_schedule_start(s, q);
    return 0;
}

/* Its tag is its own: the members need not start what they keep in the same order. */
int api_launch_keep(struct rank *r, struct schedule *s, MPI_Request *request)
{
    struct request *q = NULL;
    int e = check_hints(r, (MPI_Info)(uintptr_t)r->hints);
    if (e)
        mpico_schedule_free(s);
    if (e || (e = request_for(r, s, request, &q)))
        return e;
    s->kept = 1;
    s->tag = comm_persistent_tag(s->comm);
    if (s->op)
        mpico_op_keep(s->op);
    q->flags |= REQUEST_PERSISTENT;
    q->peer = q->peer_world = -1;
    q->owner = s;
    return 0;
}

void api_kept_start(struct request *q) { mpico_schedule_start(q->owner, q); }

void api_kept_free(struct rank *r, struct request *q)
{
    struct schedule *s = q->owner;
    if (s->op)
        mpico_op_release(r, s->op);
    mpico_schedule_free(s);
}
